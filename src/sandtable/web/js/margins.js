// Where dice of both sides are compared: every difference with its chance, in bands of what it means.

import { h, percent, s, signed } from "./dom.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Odds} Odds */
/** @typedef {import("./types.js").Sheet} Sheet */
/** @typedef {{name: string, chance: number, tone: string, bars: [number, number, string][]}} Band */

const [HIGH, WIDE] = [88, 10];

/** @param {Play} play @param {Odds} odds @param {Sheet} sheet */
export function histogram(play, odds, sheet) {
  const all = odds.margins ?? [];
  const found = bands(play, odds, sheet);
  const most = Math.max(...all.map(([, chance]) => chance));
  const first = all[0][0];
  const width = all.length * WIDE;
  const bar = (/** @type {string} */ tone, /** @type {[number, number, string]} */ [value, chance, outcome]) => {
    const tall = Math.max(0.8, (chance / most) * HIGH);
    return s("rect", { class: tone, x: (value - first) * WIDE + 0.6, y: HIGH - tall, width: WIDE - 1.2, height: tall, rx: 1 }, s("title", null, `${signed(value)}: ${outcome}, ${percent(chance)}`));
  };
  const ticks = all.map(([value]) => value).filter((value) => value % 3 === 0);
  const said = found.map((band) => `${band.name}, ${percent(band.chance)}`).join("; ");
  return h(
    "div",
    { class: "margins" },
    h("b", null, "Attack less defence, with the dice of both"),
    s(
      "svg",
      { class: "histogram", viewBox: `0 0 ${width} ${HIGH + 16}`, role: "img", "aria-label": `Differences from ${signed(first)} to ${signed(all[all.length - 1][0])}. ${said}` },
      found.map((band) => band.bars.map((each) => bar(band.tone, each))),
      s("path", { class: "base", d: `M0 ${HIGH}h${width}` }),
      ticks.map((value) => s("text", { x: (value - first + 0.5) * WIDE, y: HIGH + 12 }, signed(value))),
    ),
    h(
      "div",
      { class: "strip", "aria-hidden": "true" },
      found.map((band) => h("span", { class: band.tone, title: band.name, style: { flexGrow: String(Math.max(0.004, band.chance)) } }, band.chance > 0.055 ? percent(band.chance) : "")),
    ),
    h(
      "ul",
      { class: "bands" },
      found.map((band) => h("li", null, h("i", { class: `sw ${band.tone}`, "aria-hidden": "true" }), h("span", { class: "grow" }, play.sentence(band.name)), h("b", { class: "fig" }, percent(band.chance)))),
    ),
  );
}

/** Differences side by side that mean the same; the second band in a player's favour is the better one. @param {Play} play @param {Odds} odds @param {Sheet} sheet @returns {Band[]} */
function bands(play, odds, sheet) {
  const names = new Map(sheet.results.map((result) => [result.text, result.band || result.text]));
  const favours = new Map(odds.outcomes.map((outcome) => [outcome.text, outcome.favours]));
  const viewer = play.me ?? sheet.attacker.side;
  /** @type {Band[]} */
  const found = [];
  for (const each of odds.margins ?? []) {
    const name = names.get(each[2]) ?? each[2];
    let band = found.at(-1);
    if (band?.name !== name) {
      const side = favours.get(each[2]);
      const tone = !side ? "even" : side === viewer ? "good" : "bad";
      band = { name, chance: 0, tone: found.some((other) => other.tone === tone) ? `${tone} more` : tone, bars: [] };
      found.push(band);
    }
    band.chance += each[1];
    band.bars.push(each);
  }
  return found;
}
