// How it ended: the score line by line, losses, luck against the exact odds, dice anyone can check.

import { button, camp, h, icon, iconButton, mark, put, s, signed, toast } from "./dom.js";
import { api, gameUrl } from "./api.js";
import { copy } from "./around.js";

/** @typedef {import("./play.js").Play} Play */

/** @param {Play} play */
export function openReport(play) {
  document.querySelector(".report")?.remove();
  const outcome = play.state.outcome;
  if (!outcome) return;
  const sides = play.title.sides;
  const you = play.state.you;
  const winner = outcome.winner ? play.nameOf(outcome.winner) : null;
  const rolls = play.log.filter((line) => line.kind === "Rolled").length;
  const head = winner ? `${winner} ${outcome.level && outcome.level !== "none" ? `${outcome.level} ` : ""}victory` : "A draw";
  const total = (outcome.score ?? []).reduce((all, line) => all + line.value, 0);
  const more = h("div", { class: "report-more" }, h("p", { class: "mut" }, "Reading the dice …"));
  const check = h("div", { class: "check-box" }, h("div", { class: "row" }, h("b", { class: "grow" }, "The dice can be checked"), h("span", { class: "mut" }, "checking …")));
  const box = h("div", { class: "report", role: "dialog", "aria-label": "Report", "aria-modal": "false" },
    h("header", { class: "top" }, h("a", { class: "wordmark", href: "#/" }, "Sandtable"), h("span", { class: "sep" }), h("h2", { class: "game-name" }, play.title.name), h("span", { class: "grow" }), iconButton("x", "Close the report", () => box.remove())),
    h("div", { class: "report-body" },
      h("div", { class: "report-main" }, h("p", { class: "lab" }, `${play.view.turn} · ${rolls} rolls`), h("h1", null, head), h("p", { class: "lead" }, outcome.text, " ", play.rule(outcome.rule)),
        (outcome.score ?? []).length ? h("table", { class: "score" }, h("caption", { class: "sr" }, "Score"), h("tbody", null, (outcome.score ?? []).map((line) => h("tr", { class: line.value ? "" : "none" }, h("th", { scope: "row" }, line.text), h("td", null, play.rule(line.rule)), h("td", { class: "fig" }, line.value < 0 ? signed(line.value) : line.value))), h("tr", { class: "total" }, h("th", { scope: "row" }, "Total"), h("td"), h("td", { class: "fig" }, total)))) : null),
      h("div", { class: "report-side" }, h("div", { class: "where-ended" }), h("p", { class: "mut" }, `Where it ended, ${play.view.turn}`),
        h("div", { class: "row wrap" }, you ? button("Play again", () => rematch(play, box), { cls: "primary" }) : null, button("Replay", () => { box.remove(); play.scrubber.go(0).then(() => play.scrubber.toggle()); }, { icon: "play" }), button("Record", () => window.open(`/api/games/${play.id}/record${play.seat ? `?seat=${play.seat}` : ""}`), { icon: "dl" }), iconButton("share", "Copy a link to this game", () => copy(`${location.origin}/${gameUrl(play.id)}`), { class: "btn" })), check),
      more));
  document.body.append(box);
  box.querySelector("h1")?.setAttribute("tabindex", "-1");
  box.querySelector("h1")?.focus();
  picture(play, /** @type {HTMLElement} */ (box.querySelector(".where-ended")));
  verify(play, check);
  fill(play, more, sides);
}

/** @param {Play} play @param {HTMLElement} box */
async function rematch(play, box) {
  try {
    const answer = await play.live.ask("offer", { what: "rematch" });
    if (answer.rematch) { box.remove(); location.hash = gameUrl(answer.rematch, play.seat); } else toast("A rematch is offered. It begins when the other side accepts.");
  } catch (error) {
    play.refused(error);
  }
}

/** The map as it stands, small. @param {Play} play @param {HTMLElement} where */
function picture(play, where) {
  const svg = /** @type {SVGElement} */ (play.board.svg.cloneNode(true));
  const ground = play.board.ground.firstElementChild?.cloneNode(true);
  const { width, height } = play.board.data;
  for (const layer of svg.querySelectorAll(".layer-reach, .layer-rings, .layer-path, .layer-tags, .layer-fan, .layer-cursor")) layer.replaceChildren();
  const wrap = h("div", { class: "mini", style: { aspectRatio: `${width} / ${height}` } });
  for (const each of [ground, svg]) if (each instanceof SVGElement) { each.removeAttribute("style"); each.setAttribute("width", "100%"); each.setAttribute("height", "100%"); each.setAttribute("viewBox", `0 0 ${width} ${height}`); wrap.append(each); }
  where.append(wrap);
}

/** @param {Play} play @param {HTMLElement} check */
async function verify(play, check) {
  try {
    const found = await api(`games/${play.id}/verify`);
    const good = found.ok ?? found.verified ?? !found.error;
    put(check, h("div", { class: "row" }, h("b", { class: "grow" }, "The dice can be checked"), good ? h("span", { class: "good-check row" }, icon("check", 18), found.rolls !== undefined ? `${found.rolls} of ${found.rolls} agree` : "all agree") : h("span", { class: "bad-check" }, found.error ?? "they do not agree")),
      h("p", { class: "mono" }, found.hash ? `promised ${String(found.hash).slice(0, 16)} … ${String(found.hash).slice(-4)}` : "", h("br"), found.seed ? `seed ${String(found.seed).length > 40 ? `${String(found.seed).slice(0, 32)} …` : found.seed}` : "", (found.words ?? []).length ? " + both players’ words" : ""));
  } catch (error) {
    put(check, h("p", { class: "mut" }, error instanceof Error ? error.message : "The dice could not be checked now."));
  }
}

/** @typedef {{seq: number, turn?: string, luck: number, text?: string, by?: string, chance?: number, variance?: number}} LuckPoint */

/** @param {Play} play @param {HTMLElement} where @param {string[]} sides */
async function fill(play, where, sides) {
  /** @type {any} */
  let report = null;
  try {
    report = await api(`games/${play.id}/report${play.seat ? `?seat=${play.seat}` : ""}`);
  } catch {
    report = null;
  }
  put(where, 
    report?.luck?.length ? luckPlot(play, report.luck) : null,
    report?.luck?.length ? turning(play, report.luck) : "",
    diceBars(play, sides), lossBars(play, report?.losses ?? lossesFromLog(play)));
}

/** @param {Play} play @param {LuckPoint[]} points */
function luckPlot(play, points) {
  const [w, height, left] = [720, 230, 44];
  let sum = 0;
  let variance = 0;
  const line = points.map((point) => { sum += point.luck; variance += point.variance ?? 0.6; return { ...point, sum, band: 1.645 * Math.sqrt(variance) }; });
  const most = Math.max(1, ...line.map((each) => Math.max(Math.abs(each.sum), each.band)));
  const x = (/** @type {number} */ at) => left + ((w - left - 20) * at) / Math.max(1, line.length);
  const y = (/** @type {number} */ value) => height / 2 - (value / most) * (height / 2 - 18);
  const path = line.map((each, at) => `${x(at + 1).toFixed(1)} ${y(each.sum).toFixed(1)}`).join("L");
  const band = `M${x(0)} ${y(0)}L${line.map((each, at) => `${x(at + 1).toFixed(1)} ${y(each.band).toFixed(1)}`).join("L")}L${[...line].reverse().map((each, at) => `${x(line.length - at).toFixed(1)} ${y(-each.band).toFixed(1)}`).join("L")}Z`;
  const first = play.title.sides.includes("axis") ? "axis" : play.title.sides[0];
  const svg = s("svg", { class: "luck", viewBox: `0 0 ${w} ${height}`, role: "img", "aria-label": `Luck by roll: at the end ${signed(Math.round(sum * 10) / 10)} for the ${play.nameOf(first)}` },
    s("path", { class: "band", d: band }), ...[-1, 0, 1].map((v) => { const at = v * Math.max(1, Math.round(most / 1.5)); return s("g", null, s("path", { class: v ? "grid" : "zero", d: `M${left} ${y(at)}H${w - 8}` }), s("text", { x: left - 8, y: y(at) + 4, "text-anchor": "end" }, signed(at))); }),
    s("path", { class: "area up", d: `M${x(0)} ${y(0)}L${line.map((each, at) => `${x(at + 1).toFixed(1)} ${y(Math.max(0, each.sum)).toFixed(1)}`).join("L")}L${x(line.length)} ${y(0)}Z` }),
    s("path", { class: "area down", d: `M${x(0)} ${y(0)}L${line.map((each, at) => `${x(at + 1).toFixed(1)} ${y(Math.min(0, each.sum)).toFixed(1)}`).join("L")}L${x(line.length)} ${y(0)}Z` }),
    s("path", { class: "luck-line", d: `M${x(0)} ${y(0)}L${path}` }),
    s("text", { x: left + 6, y: 14, class: "side-label" }, `luck favours the ${play.nameOf(first)}`), s("text", { x: left + 6, y: height - 6, class: "side-label" }, `luck favours the ${play.nameOf(play.title.sides.find((side) => side !== first))}`),
    ...top(line).map(({ at, letter }) => s("g", { class: "turning", transform: `translate(${x(at + 1)} ${y(line[at].sum)})` }, s("circle", { r: 10 }), s("text", { y: 4.5, "text-anchor": "middle" }, letter))));
  return h("section", { class: "luck-box" }, h("div", { class: "row spread" }, h("h2", null, "Luck"), h("span", { class: "mut" }, "results against the exact odds, added up; shaded: nine games in ten lie inside")), svg, h("p", null, h("b", null, `Luck gave the ${play.nameOf(sum >= 0 ? first : play.title.sides.find((side) => side !== first))} ${Math.abs(Math.round(sum * 10) / 10)} results.`), ` ${Math.abs(sum) < (line.at(-1)?.band ?? 0) / 2 ? "Chance does as much in most games." : "That is more than usual."}`));
}

/** The rolls that mattered most, in order. @param {LuckPoint[]} line */
function top(line) {
  return line.map((each, at) => ({ at, by: Math.abs(each.luck) })).sort((a, b) => b.by - a.by).slice(0, 5).sort((a, b) => a.at - b.at).map(({ at }, index) => ({ at, letter: "ABCDE"[index] }));
}

/** @param {Play} play @param {LuckPoint[]} points */
function turning(play, points) {
  return h("section", null, h("h2", null, "Turning points"), h("ol", { class: "turns" }, top(points).map(({ at, letter }) => h("li", null, h("span", { class: "letter fig" }, letter), h("span", { class: "grow" }, points[at].turn ? h("b", null, `${points[at].turn}. `) : null, points[at].text ?? ""), iconButton("play", "Show it", () => { document.querySelector(".report")?.remove(); play.scrubber.go(points[at].seq); })))));
}

/** How each side's dice fell. @param {Play} play @param {string[]} sides */
function diceBars(play, sides) {
  const faces = /** @type {Record<string, number[]>} */ (Object.fromEntries(sides.map((side) => [side, []])));
  for (const line of play.log) {
    if (line.kind !== "Rolled") continue;
    const after = line.text.split(":").slice(1).join(":");
    const found = (after || line.text).match(/\b\d{1,2}\b/g) ?? [];
    const by = line.by && sides.includes(line.by) ? (line.text.toLowerCase().includes("axis") ? sides.find((side) => side === "axis") ?? line.by : line.text.toLowerCase().includes("all") ? sides.find((side) => side === "allied") ?? line.by : line.by) : null;
    if (by) faces[by].push(...found.map(Number).filter((n) => n <= 10));
  }
  if (sides.every((side) => !faces[side].length)) return h("span");
  const most = Math.max(6, ...sides.flatMap((side) => faces[side]));
  return h("section", { class: "dice-bars" }, h("h2", null, "Dice"), h("div", { class: "row wrap top-align" }, sides.map((side) => {
    const rolled = faces[side];
    const counts = Array.from({ length: most }, (_, at) => rolled.filter((n) => n === at + 1).length);
    const high = Math.max(1, ...counts);
    return h("figure", null, h("figcaption", { class: "row" }, h("span", { class: "side" }, mark(side), play.nameOf(side)), h("span", { class: "mut" }, `${rolled.length} dice${rolled.length ? `, mean ${(rolled.reduce((a, b) => a + b, 0) / rolled.length).toFixed(2)}` : ""}`)), h("div", { class: "columns", role: "img", "aria-label": counts.map((count, at) => `${at + 1}: ${count}`).join(", ") }, counts.map((count, at) => h("span", null, h("i", { class: camp(side), style: { height: `${(70 * count) / high}px` } }), h("b", null, at + 1)))));
  })));
}

/** Losses by side from the sentences of the log. @param {Play} play */
function lossesFromLog(play) {
  /** @type {Record<string, Record<string, number>>} */
  const losses = {};
  let turn = "1";
  const sideOf = (/** @type {string} */ text) => play.view.pieces?.find((piece) => text.startsWith(`${piece.id} `))?.side ?? null;
  for (const line of play.log) {
    if (/TurnBegan/.test(line.kind ?? "")) turn = line.text.replace(/ begins.*$/, "").replace(/\.$/, "");
    if (!/^(Reduced|Eliminated|StepLost|LostStep|Destroyed|Lost)/.test(line.kind ?? "")) continue;
    const side = sideOf(line.text);
    if (!side) continue;
    losses[turn] ??= Object.fromEntries(play.title.sides.map((each) => [each, 0]));
    losses[turn][side] += 1;
  }
  return losses;
}

/** @param {Play} play @param {Record<string, Record<string, number>>} losses */
function lossBars(play, losses) {
  const turns = Object.entries(losses);
  if (!turns.length) return h("span");
  const most = Math.max(1, ...turns.flatMap(([, by]) => Object.values(by)));
  return h("section", { class: "loss-bars" }, h("h2", null, "Steps lost by turn"), h("div", { class: "columns pairs" }, turns.map(([turn, by]) => h("span", null, h("span", { class: "pair" }, play.title.sides.map((side) => h("span", { class: "one" }, h("em", { class: "fig" }, by[side]), h("i", { class: camp(side), style: { height: `${(80 * by[side]) / most}px` } })))), h("b", null, turn)))));
}
