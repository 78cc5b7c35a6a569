// Luck by combat: what the exact odds led one to expect against what was lost, added up over the game.

import { h, iconButton, mark, percent, s, signed } from "./dom.js";

/** @typedef {import("./play.js").Play} Play */
/**
 * @typedef {{seq: number, turn: string, by: string, place?: string, text: string, chance: number, expected: Record<string, number>,
 *   lost: Record<string, number>, luck: number, variance: number}} Combat
 * @typedef {{luck: Combat[], sums: Record<string, {expected: number, lost: number, luck: number}>, measure: string,
 *   dice: Record<string, number[]>, losses: Record<string, Record<string, number>>, first: string,
 *   outlook: {seq: number, turn: string, chance: number}[]}} Report
 */

const [WIDTH, HEIGHT, LEFT] = [720, 230, 44];

/** @param {number} value */
function short(value) {
  return String(Math.round(value * 10) / 10);
}

/** @param {Play} play @param {Report} report */
export function luckPlot(play, report) {
  const { first } = report;
  const second = play.title.sides.find((side) => side !== first) ?? "";
  let sum = 0;
  let variance = 0;
  const line = report.luck.map((combat) => {
    sum += combat.luck;
    variance += combat.variance;
    return { sum, band: 1.645 * Math.sqrt(variance), turn: combat.turn };
  });
  const most = Math.max(1, ...line.map((each) => Math.max(Math.abs(each.sum), each.band)));
  const x = (/** @type {number} */ at) => LEFT + ((WIDTH - LEFT - 20) * at) / Math.max(1, line.length);
  const y = (/** @type {number} */ value) => HEIGHT / 2 - (value / most) * (HEIGHT / 2 - 18);
  const along = (/** @type {(each: {sum: number, band: number}) => number} */ pick) =>
    line.map((each, at) => `${x(at + 1).toFixed(1)} ${y(pick(each)).toFixed(1)}`);
  const start = `M${x(0)} ${y(0)}L`;
  const area = (/** @type {(a: number, b: number) => number} */ side) =>
    `${start}${along((each) => side(0, each.sum)).join("L")}L${x(line.length)} ${y(0)}Z`;
  const band = `${start}${along((each) => each.band).join("L")}L${along((each) => -each.band)
    .reverse()
    .join("L")}Z`;
  const step = Math.max(1, Math.round(most / 1.5));
  const grid = (/** @type {number} */ at) =>
    s(
      "g",
      null,
      s("path", { class: at ? "grid" : "zero", d: `M${LEFT} ${y(at)}H${WIDTH - 8}` }),
      s("text", { x: LEFT - 8, y: y(at) + 4, "text-anchor": "end" }, signed(at)),
    );
  const turns = line.flatMap(({ turn }, at) =>
    at && turn === line[at - 1].turn
      ? []
      : [s("path", { class: "grid turn-line", d: `M${x(at)} 16V${HEIGHT - 16}` }), s("title", null, turn)],
  );
  const letters = top(report.luck).map(({ at, letter }) =>
    s(
      "g",
      { class: "turning", transform: `translate(${x(at + 1)} ${y(line[at].sum)})` },
      s("circle", { r: 10 }),
      s("text", { y: 4.5, "text-anchor": "middle" }, letter),
    ),
  );
  const said = `Luck by combat: at the end ${signed(Number(short(sum)))} for the ${play.nameOf(first)}`;
  const svg = s(
    "svg",
    { class: "luck", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": said },
    s("path", { class: "band", d: band }),
    ...[-step, 0, step].map(grid),
    ...turns,
    s("path", { class: "area up", d: area(Math.max) }),
    s("path", { class: "area down", d: area(Math.min) }),
    s("path", { class: "luck-line", d: start + along((each) => each.sum).join("L") }),
    s("text", { x: LEFT + 6, y: 14, class: "side-label" }, `luck favours the ${play.nameOf(first)}`),
    s("text", { x: LEFT + 6, y: HEIGHT - 6, class: "side-label" }, `luck favours the ${play.nameOf(second)}`),
    ...letters,
  );
  return h(
    "section",
    { class: "luck-box" },
    h(
      "div",
      { class: "row spread" },
      h("h2", null, "Luck"),
      h(
        "span",
        { class: "mut" },
        "losses spared against the exact odds, added up; shaded: nine games in ten lie inside",
      ),
    ),
    svg,
    play.title.sides.map((side) => sideLine(play, report, side)),
    h("p", { class: "mut" }, `${often(sum, variance)} Counted in ${report.measure}.`),
  );
}

/** The chance to win when each turn began, and at the end. @param {Play} play @param {Report} report */
export function outlookPlot(play, { first, outlook }) {
  const x = (/** @type {number} */ at) => LEFT + ((WIDTH - LEFT - 20) * at) / Math.max(1, outlook.length - 1);
  const y = (/** @type {number} */ chance) => HEIGHT - 34 - chance * (HEIGHT - 52);
  const points = outlook.map((each, at) => `${x(at).toFixed(1)} ${y(each.chance).toFixed(1)}`).join("L");
  const level = (/** @type {number} */ chance) =>
    s("g", null, s("path", { class: chance === 0.5 ? "zero" : "grid", d: `M${LEFT} ${y(chance)}H${WIDTH - 8}` }), s("text", { x: LEFT - 6, y: y(chance) + 4, "text-anchor": "end" }, percent(chance)));
  // Where turns are many, every second or third is named.
  const apart = Math.ceil(outlook.length / 9);
  const when = (/** @type {number} */ at) => (!at ? "start" : at === outlook.length - 1 ? "end" : outlook[at].turn);
  const turns = outlook.map((_, at) =>
    at % apart ? null : s("text", { x: x(at), y: HEIGHT - 12, "text-anchor": at ? "middle" : "start" }, when(at)),
  );
  const side = play.nameOf(first);
  const said = outlook.map((each, at) => `${at ? when(at) : "at the start"} ${percent(each.chance)}`).join(", ");
  return h(
    "section",
    { class: "outlook" },
    h("h2", null, "How it stood"),
    h("p", { class: "mut" }, `The chance of the ${side} to win at the start of each turn and at the end, by how games of opponents from like positions ended.`),
    s(
      "svg",
      { class: "luck", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Chance of the ${side} to win: ${said}` },
      ...[0, 0.5, 1].map(level),
      s("path", { class: "luck-line", d: `M${points}` }),
      ...turns,
    ),
  );
}

/** One honest figure for a side. @param {Play} play @param {Report} report @param {string} side */
function sideLine(play, report, side) {
  const { expected, lost, luck } = report.sums[side];
  const verdict =
    Math.abs(luck) < 0.05
      ? "just as the odds said"
      : luck > 0
        ? `${short(luck)} spared by luck`
        : `${short(-luck)} more by bad luck`;
  return h(
    "p",
    { class: "side-luck", data: { side } },
    h("span", { class: "side" }, mark(side), h("b", null, `${play.nameOf(side)}: ${verdict}.`)),
    ` To lose by the odds ${short(expected)}, lost ${short(lost)}.`,
  );
}

/** How often chance alone strays as far. @param {number} sum @param {number} variance */
function often(sum, variance) {
  if (variance <= 0) return "Chance had no say.";
  const z = Math.abs(sum) / Math.sqrt(variance);
  // Abramowitz and Stegun 7.1.26.
  const t = 1 / (1 + 0.3275911 * (z / Math.SQRT2));
  const poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const share = Math.min(1, poly * Math.exp((-z * z) / 2));
  return share > 0.95
    ? "Chance does as much in nearly every game."
    : `Chance does as much or more in ${share < 0.1 ? `${gamesOf(share * 100)} of a hundred` : `${gamesOf(share * 10)} of ten`}.`;
}

/** @param {number} count */
function gamesOf(count) {
  const whole = Math.max(1, Math.round(count));
  return whole === 1 ? "one game" : `${whole} games`;
}

/** The combats that mattered most, in order. @param {Combat[]} combats */
function top(combats) {
  const most = combats.map((each, at) => ({ at, by: Math.abs(each.luck) })).sort((a, b) => b.by - a.by);
  return most
    .slice(0, 5)
    .sort((a, b) => a.at - b.at)
    .map(({ at }, index) => ({ at, letter: "ABCDE"[index] }));
}

/** Leave the report and look at a line. @param {Play} play @param {number} seq */
function lookAt(play, seq) {
  document.querySelector(".report")?.remove();
  play.scrubber.go(seq);
}

/** @param {Play} play @param {Combat} combat */
function placeOf(play, combat) {
  return combat.place ? play.spaceName(combat.place) : "";
}

/** @param {Play} play @param {Combat[]} combats */
export function turningPoints(play, combats) {
  return h(
    "section",
    null,
    h("h2", null, "Turning points"),
    h(
      "ol",
      { class: "turns" },
      top(combats).map(({ at, letter }) =>
        h(
          "li",
          null,
          h("span", { class: "letter fig" }, letter),
          h("span", { class: "grow" }, h("b", null, `${combats[at].turn}, ${placeOf(play, combats[at])}. `), play.sentence(combats[at].text, true)),
          iconButton("play", `Show turning point ${letter}`, () => lookAt(play, combats[at].seq)),
        ),
      ),
    ),
  );
}

/** Every combat: what was to be lost and what was. @param {Play} play @param {Report} report */
export function combatTable(play, report) {
  const { sides } = play.title;
  const row = (/** @type {Combat} */ combat) =>
    h(
      "tr",
      null,
      h(
        "th",
        { scope: "row" },
        h(
          "button",
          { type: "button", class: "link", onclick: () => lookAt(play, combat.seq) },
          `${combat.turn}, ${placeOf(play, combat)}. ${combat.text}`,
        ),
      ),
      sides.map((side) => h("td", { class: "fig" }, `${short(combat.expected[side])} → ${short(combat.lost[side])}`)),
    );
  return h(
    "details",
    { class: "combats" },
    h("summary", null, `All ${report.luck.length} combats: to be lost → lost`),
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, "Combat"),
          sides.map((side) => h("th", { scope: "col" }, play.nameOf(side))),
        ),
      ),
      h("tbody", null, report.luck.map(row)),
    ),
  );
}
