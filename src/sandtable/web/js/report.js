// How it ended: the score line by line, luck against the exact odds, losses, dice anyone can check.

import { button, camp, h, icon, iconButton, mark, put, signed, toast } from "./dom.js";
import { api, gameUrl, shortName } from "./api.js";
import { players } from "./frame.js";
import { copy } from "./around.js";
import { combatTable, luckPlot, outlookPlot, turningPoints } from "./luck.js";

/** @typedef {import("./play.js").Play} Play */

function closeReport() {
  document.querySelector(".report")?.remove();
}

/** @param {Play} play */
export function openReport(play) {
  closeReport();
  const outcome = play.state.outcome;
  if (!outcome) return;
  const winner = outcome.winner ? play.nameOf(outcome.winner) : null;
  const level = outcome.level && outcome.level !== "none" ? outcome.level : "";
  const by = /^(resignation|agreement|time|forfeit)/.test(level);
  const how = by ? ` victory by ${level}` : /victory/i.test(level) && level !== "victory" ? `: ${level}` : ` ${level === "victory" ? "" : level} victory`.replace("  ", " ");
  const rolls = play.log.filter((line) => line.kind === "Rolled").length;
  const more = h("div", { class: "report-more" }, h("p", { class: "mut" }, "Reading the dice …"));
  const check = h(
    "div",
    { class: "check-box" },
    h(
      "div",
      { class: "row" },
      h("b", { class: "grow" }, "The dice can be checked"),
      h("span", { class: "mut" }, "checking …"),
    ),
  );
  const where = h("div", { class: "where-ended" });
  const head = h("h1", { tabindex: "-1" }, winner ? winner + how : "A draw");
  const box = h(
    "div",
    { class: "report", role: "dialog", "aria-label": "Report", "aria-modal": "false" },
    h(
      "div",
      { class: "top" },
      h("a", { class: "wordmark", href: "#/" }, "Sandtable"),
      h("span", { class: "sep" }),
      h("h2", { class: "game-name" }, shortName(play.title.name)),
      h("span", { class: "scenario" }, play.title.scenarios.find((each) => each.id === play.view.scenario)?.name ?? ""),
      h("span", { class: "grow" }),
      h("span", { class: "players" }, players(play)),
      iconButton("x", "Close the report", closeReport),
    ),
    h(
      "div",
      { class: "report-body" },
      h(
        "div",
        { class: "report-main" },
        h("p", { class: "lab" }, `${play.view.turn} · ${rolls} rolls`),
        head,
        h("p", { class: "lead" }, outcome.text, " ", play.rule(outcome.rule)),
        ladder(play),
        scoreTable(play),
      ),
      h(
        "div",
        { class: "report-side" },
        where,
        h("p", { class: "mut" }, `Where it ended, ${play.view.turn}`),
        buttons(play),
        check,
      ),
      more,
    ),
  );
  document.body.append(box);
  head.focus();
  picture(play, where);
  verify(play, check, rolls);
  fill(play, more);
}

/** The levels of victory, with the one that was reached. @param {Play} play */
function ladder(play) {
  const { outcome, ladder: rungs } = play.state;
  const reached = (/** @type {import("./types.js").Rung} */ rung) => rung.winner === outcome?.winner && rung.name === outcome?.level;
  if (!rungs?.some(reached)) return null;
  const group = (/** @type {string|null} */ winner) => {
    const own = rungs.filter((rung) => rung.winner === winner);
    const rung = (/** @type {import("./types.js").Rung} */ each) =>
      h("li", { class: reached(each) && "reached", "aria-current": reached(each) && "true" }, h("b", { class: "fig" }, each.score), h("span", null, each.name.replace(/ victory$/i, "")));
    return h(
      "li",
      { class: winner ? camp(winner) : "nobody", style: { flexGrow: own.length } },
      h("b", { class: "lab" }, winner ? `${play.nameOf(winner)} victory` : "\u00a0"),
      h("ol", null, own.map(rung)),
    );
  };
  const order = [...new Set(rungs.map((rung) => rung.winner))];
  return h("ol", { class: "ladder", "aria-label": "Levels of victory" }, order.map(group));
}

/** The score line by line, and what it comes to. @param {Play} play */
function scoreTable(play) {
  const score = play.state.outcome?.score?.length ? play.state.outcome.score : (play.state.view.score ?? []);
  if (!score.length) return null;
  const total = score.reduce((all, line) => all + line.value, 0);
  const line = (/** @type {import("./types.js").Points} */ each) =>
    h(
      "tr",
      { class: each.value ? "" : "none" },
      h("th", { scope: "row" }, each.text),
      h("td", null, play.rule(each.rule)),
      h("td", { class: "fig" }, each.value < 0 ? signed(each.value) : each.value),
    );
  return h(
    "table",
    { class: "score" },
    h("caption", { class: "sr" }, "Score"),
    h(
      "tbody",
      null,
      score.map(line),
      h("tr", { class: "total" }, h("th", { scope: "row" }, "Total"), h("td"), h("td", { class: "fig" }, total < 0 ? signed(total) : total)),
    ),
  );
}

/** @param {Play} play */
function buttons(play) {
  const replay = () => {
    closeReport();
    play.scrubber.go(0).then(() => play.scrubber.toggle());
  };
  const record = () => window.open(`/api/games/${play.id}/record${play.seat ? `?seat=${play.seat}` : ""}`);
  const share = () => copy(`${location.origin}/${gameUrl(play.id)}`);
  return h(
    "div",
    { class: "row wrap" },
    play.state.you ? button("Play again", () => rematch(play), { cls: "primary" }) : null,
    button("Replay", replay, { icon: "play" }),
    button("Record", record, { icon: "dl" }),
    iconButton("share", "Copy a link to this game", share, { class: "btn" }),
  );
}

/** @param {Play} play */
async function rematch(play) {
  try {
    const answer = await play.live.ask("offer", { what: "rematch" });
    if (answer.rematch) {
      closeReport();
      location.hash = gameUrl(answer.rematch, play.seat);
    } else toast("A rematch is offered. It begins when the other side accepts.");
  } catch (error) {
    play.refused(error);
  }
}

/** The part of the map where the places that count lie; all of it where they are few or everywhere. @param {Play} play @returns {[number, number, number, number]} */
function worthSeeing(play) {
  const { width, height, spaces } = play.board.data;
  const counted = spaces.filter((space) => space.vp && !space.off_map);
  if (play.board.areas || counted.length < 2) return [0, 0, width, height];
  const around = 2.6 * play.board.hex;
  const most = 24 * play.board.hex;
  const span = (/** @type {number[]} */ all, /** @type {number} */ most) => [Math.max(0, Math.min(...all) - around), Math.min(most, Math.max(...all) + around)];
  const [x0, x1] = span(counted.map((space) => space.x), width);
  const [y0, y1] = span(counted.map((space) => space.y), height);
  const wide = Math.min(width, Math.max(x1 - x0, (y1 - y0) * 1.3));
  const high = Math.min(height, Math.max(y1 - y0, wide / 1.6));
  if (wide > most) {
    // Too wide to make anything out: what is worth most stands in the middle.
    const sum = counted.reduce((all, space) => all + (space.vp ?? 0), 0);
    const middle = (/** @type {"x"|"y"} */ axis) => counted.reduce((all, space) => all + space[axis] * (space.vp ?? 0), 0) / sum;
    const [w, h] = [most, Math.min(height, most / 1.3)];
    return [Math.max(0, Math.min(middle("x") - w / 2, width - w)), Math.max(0, Math.min(middle("y") - h / 2, height - h)), w, h];
  }
  return [Math.max(0, Math.min(x0 - (wide - x1 + x0) / 2, width - wide)), Math.max(0, Math.min(y0, height - high)), wide, high];
}

/** The map as it stands, small. @param {Play} play @param {HTMLElement} where */
function picture(play, where) {
  const svg = /** @type {SVGElement} */ (play.board.svg.cloneNode(true));
  const ground = play.board.ground.firstElementChild?.cloneNode(true);
  const [left, top, width, height] = worthSeeing(play);
  const passing = ".layer-reach, .layer-rings, .layer-beads, .layer-path, .layer-tags, .layer-fan, .layer-cursor";
  for (const layer of svg.querySelectorAll(passing)) layer.replaceChildren();
  const wrap = h("div", { class: "mini", style: { aspectRatio: `${width} / ${height}` } });
  for (const each of [ground, svg]) {
    if (!(each instanceof SVGElement)) continue;
    each.removeAttribute("style");
    for (const [key, value] of Object.entries({ width: "100%", height: "100%", viewBox: `${left} ${top} ${width} ${height}` }))
      each.setAttribute(key, value);
    wrap.append(each);
  }
  where.append(wrap);
}

/** @param {Play} play @param {HTMLElement} check @param {number} rolls */
async function verify(play, check, rolls) {
  try {
    const found = await api(`games/${play.id}/verify`);
    const verdict = found.ok
      ? h("span", { class: "good-check row" }, icon("check", 18), `${rolls} of ${rolls} agree`)
      : h("span", { class: "bad-check" }, found.text ?? "they do not agree");
    const hash = String(found.hash ?? "");
    const seed = String(found.seed ?? "");
    put(
      check,
      h("div", { class: "row" }, h("b", { class: "grow" }, "The dice can be checked"), verdict),
      h(
        "p",
        { class: "mono" },
        hash ? `promised ${hash.slice(0, 16)} … ${hash.slice(-4)}` : "",
        h("br"),
        seed ? `seed ${seed.length > 40 ? `${seed.slice(0, 32)} …` : seed}` : "",
      ),
    );
  } catch (error) {
    put(check, h("p", { class: "mut" }, error instanceof Error ? error.message : "The dice could not be checked now."));
  }
}

/** @param {Play} play @param {HTMLElement} where */
async function fill(play, where) {
  try {
    /** @type {import("./luck.js").Report} */
    const found = await api(`games/${play.id}/report${play.seat ? `?seat=${play.seat}` : ""}`);
    put(
      where,
      found.luck.length
        ? luckPlot(play, found)
        : h(
            "section",
            null,
            h("h2", null, "Luck"),
            h("p", null, "No combat was fought, so there is no luck to tell of."),
          ),
      found.luck.length ? turningPoints(play, found.luck) : h("span"),
      outlookPlot(play, found),
      lossBars(play, found.losses),
      h("div", null, found.luck.length ? combatTable(play, found) : null, diceBars(play, found.dice)),
    );
  } catch (error) {
    play.refused(error);
    put(where);
  }
}

/** How each side's dice fell. @param {Play} play @param {Record<string, number[]>} dice */
function diceBars(play, dice) {
  const { sides } = play.title;
  const all = sides.flatMap((side) => dice[side]);
  if (!all.length) return h("span");
  const least = Math.min(1, ...all);
  const most = Math.max(6, ...all);
  return h(
    "section",
    { class: "dice-bars" },
    h("h2", null, "Dice"),
    h("div", { class: "row wrap top-align" }, sides.map((side) => diceFigure(play, side, dice[side], least, most))),
  );
}

/** @param {Play} play @param {string} side @param {number[]} rolled @param {number} least @param {number} most */
function diceFigure(play, side, rolled, least, most) {
  const counts = Array.from({ length: most - least + 1 }, (_, at) => rolled.filter((n) => n === at + least).length);
  const high = Math.max(1, ...counts);
  const mean = rolled.length ? `, mean ${(rolled.reduce((a, b) => a + b, 0) / rolled.length).toFixed(2)}` : "";
  const said = counts.map((count, at) => `${at + least}: ${count}`).join(", ");
  return h(
    "figure",
    null,
    h(
      "figcaption",
      { class: "row" },
      h("span", { class: "side" }, mark(side), play.nameOf(side)),
      h("span", { class: "mut" }, `${rolled.length} dice${mean}`),
    ),
    h(
      "div",
      { class: "columns", role: "img", "aria-label": `${said}; even dice would fall ${(rolled.length / counts.length).toFixed(1)} times on each face`, style: { "--even": `${(70 * rolled.length) / counts.length / high}px` } },
      counts.map((count, at) =>
        h(
          "span",
          null,
          h("i", { class: camp(side), style: { height: `${(70 * count) / high}px` } }),
          h("b", null, at + least),
        ),
      ),
    ),
  );
}

/** @param {Play} play @param {Record<string, Record<string, number>>} losses */
function lossBars(play, losses) {
  const turns = Object.entries(losses);
  const most = Math.max(0, ...turns.flatMap(([, by]) => Object.values(by)));
  const sum = (/** @type {string} */ side) => turns.reduce((all, [, by]) => all + (by[side] ?? 0), 0);
  const total = play.title.sides.map((side) => `${play.nameOf(side)} ${sum(side)}`).join(", ");
  if (!most)
    return h(
      "section",
      { class: "loss-bars" },
      h("h2", null, "Strength lost by turn"),
      h("p", null, "Nobody lost a step."),
    );
  const bar = (/** @type {string} */ side, /** @type {number} */ lost) =>
    h(
      "span",
      { class: "one" },
      h("em", { class: "fig" }, lost),
      h("i", { class: camp(side), style: { height: `${(80 * lost) / most}px` } }),
    );
  return h(
    "section",
    { class: "loss-bars" },
    h("h2", null, "Strength lost by turn"),
    h("p", { class: "mut" }, `Together: ${total}.`),
    h(
      "div",
      { class: "columns pairs" },
      turns.map(([turn, by]) =>
        h(
          "span",
          null,
          h(
            "span",
            { class: "pair" },
            play.title.sides.map((side) => bar(side, by[side] ?? 0)),
          ),
          h("b", null, turn.replace(/^(Game )?Turn (\d+).*$/, "$2")),
        ),
      ),
    ),
  );
}
