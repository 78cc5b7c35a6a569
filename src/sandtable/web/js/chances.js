// Chances: each effect in plain words, what each face of the die does, and all outcomes in one strip.

import { camp, h, percent } from "./dom.js";
import { drawSign, signs } from "./signs.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Odds} Odds */
/** @typedef {import("./types.js").Sheet} Sheet */
/** @typedef {import("./types.js").Force} Force */
/** @typedef {import("./types.js").Chance} Chance */

/** Each effect on either side with its chance, the likeliest first. @param {Play} play @param {Odds} odds @param {Sheet} sheet */
export function effects(play, odds, sheet) {
  const list = chancesOf(play, odds, sheet).slice(0, 6);
  const harmless = new Set(sheet.results.filter((each) => !each.attacker?.length && !each.defender?.length).map((each) => each.text));
  const idle = odds.outcomes.filter((each) => harmless.has(each.text));
  const nothing = idle.reduce((sum, each) => sum + Number(each.probability), 0);
  return h(
    "div",
    { class: "bars" },
    list.map(([text, { chance, tone }]) => bar(text, chance, tone)),
    nothing ? bar("Nothing happens", nothing, "even") : null,
  );
}

/** @param {Play} play @param {Odds} odds @param {Sheet} sheet @returns {[string, {chance: number, tone: string, sign: string}][]} */
export function chancesOf(play, odds, sheet) {
  const results = new Map(sheet.results.map((result) => [result.text, result]));
  /** @type {Map<string, {chance: number, tone: string, sign: string}>} */
  const found = new Map();
  for (const outcome of odds.outcomes) {
    const result = results.get(outcome.text);
    for (const force of [sheet.attacker, sheet.defender]) {
      const words = (force === sheet.attacker ? result?.attacker : result?.defender) ?? [];
      for (const effect of words) {
        const subject = who(play, force.side, sheet);
        const key = `${subject} ${play.me ? effect.many : effect.one}`;
        const known = found.get(key)?.chance ?? 0;
        const tone = !play.me ? "even" : force.side === play.me ? "bad" : "good";
        found.set(key, { chance: known + Number(outcome.probability), tone, sign: effect.sign });
      }
    }
  }
  return [...found].sort(([, a], [, b]) => b.chance - a.chance);
}

/** @param {Play} play @param {string} side @param {Sheet} sheet */
function who(play, side, sheet) {
  if (play.me) return side === play.me ? "You" : "They";
  return side === sheet.attacker.side ? "The attacker" : "The defender";
}

/** @param {Play} play @param {Odds} odds */
export function outcomes(play, odds) {
  return h(
    "div",
    { class: "bars" },
    odds.outcomes.map((each) => bar(each.text, Number(each.probability), tone(play, each))),
  );
}

/** @param {string} text @param {number} chance @param {string} tone */
function bar(text, chance, tone) {
  return h(
    "div",
    { class: "bar" },
    h("div", { class: "row" }, h("span", { class: "grow" }, text), h("b", { class: "fig" }, percent(chance))),
    h(
      "span",
      { class: "meter big", "aria-hidden": "true" },
      h("span", { class: tone, style: { width: `${chance * 100}%` } }),
    ),
  );
}

/** @param {Play} play @param {Chance} each */
export function tone(play, each) {
  return !each.favours ? "even" : each.favours === play.me ? "good" : "bad";
}

/** What each face of the die does to either side. @param {Play} play @param {Sheet} sheet */
export function faces(play, sheet) {
  const results = new Map(sheet.results.map((result) => [result.text, result]));
  const both = [sheet.attacker, sheet.defender];
  if (sheet.defender.side === play.me) both.reverse();
  /** @param {Force} force @param {import("./types.js").Sheet["faces"]} some */
  const row = (force, some) =>
    h(
      "tr",
      null,
      h("th", { scope: "row" }, who(play, force.side, sheet).replace(/^The (.)/, (_, letter) => letter.toUpperCase())),
      some.map((face) => {
        const result = results.get(face.result);
        const words = (force === sheet.attacker ? result?.attacker : result?.defender) ?? [];
        return h("td", { class: words.length ? `hit ${camp(force.side)}` : "", title: face.result }, signs(words));
      }),
    );
  // A phone is too narrow for ten faces in a row: they stand in two.
  const all = sheet.faces;
  const wide = innerWidth <= 700 && all.length > 8 ? Math.ceil(all.length / Math.ceil(all.length / 6)) : all.length;
  const parts = all.flatMap((_, at) => (at % wide ? [] : [all.slice(at, at + wide)]));
  return h(
    "section",
    { class: "die-faces" },
    h("div", { class: "row" }, h("b", null, sheet.faces.some((face) => /[+−]/.test(face.face)) ? "What each difference brings" : "What each face of the die does"), h("span", { class: "sign-key mut" }, signKey(sheet))),
    h(
      "div",
      { class: "faces-scroll", tabindex: "0", role: "group", "aria-label": "What each face does" },
      parts.map((some) =>
        h(
          "table",
          { class: some.length > 8 ? "many" : "" },
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              h("th", { scope: "col" }, sheet.faces.some((face) => /[+−]/.test(face.face)) ? "Dice" : "Die"),
              some.map((face) => h("th", { scope: "col", class: "fig" }, face.face)),
            ),
          ),
          h("tbody", null, both.map((force) => row(force, some))),
        ),
      ),
    ),
  );
}

/** What the signs mean that these faces show. @param {Sheet} sheet */
function signKey(sheet) {
  /** @type {Map<string, string>} */
  const used = new Map();
  const shown = new Set(sheet.faces.map((face) => face.result));
  for (const result of sheet.results)
    if (shown.has(result.text))
      for (const effect of [...(result.attacker ?? []), ...(result.defender ?? [])])
        if (!used.has(effect.sign)) used.set(effect.sign, effect.key);
  return [...used].map(([sign, words]) => h("span", null, drawSign(sign, 15), words));
}

/** All outcomes in one strip, worst to best. @param {Play} play @param {Odds} odds @param {Sheet|null} sheet */
export function distribution(play, odds, sheet) {
  const worth = (/** @type {Chance} */ each) => ({ bad: -1, even: 0, good: 1 })[tone(play, each)] ?? 0;
  const order = [...odds.outcomes].sort((a, b) => worth(a) - worth(b));
  // Nothing for or against anybody: the bars above say it all.
  if (sheet?.columns || (!sheet && order.every((each) => tone(play, each) === "even"))) return null;
  const said = order.map((each) => `${each.text}: ${percent(Number(each.probability))}`).join("; ");
  const swatch = (/** @type {string} */ cls, /** @type {string} */ word) => [h("i", { class: `sw ${cls}` }), word];
  return h(
    "div",
    { class: "spread-box" },
    h(
      "div",
      { class: "row" },
      h("b", { class: "grow" }, "What may come of it"),
      h("span", { class: "keys mut" }, swatch("bad", "against you"), swatch("even", "even"), swatch("good", "for you")),
    ),
    h(
      "div",
      { class: "strip", role: "img", "aria-label": said },
      order.map((each) => {
        const p = Number(each.probability);
        const style = { flexGrow: String(Math.max(0.004, p)) };
        return h(
          "span",
          { class: tone(play, each), title: `${each.text}: ${percent(p)}`, style },
          p > 0.06 ? percent(p) : "",
        );
      }),
    ),
    sheet
      ? h("p", { class: "mut" }, order.map((each) => `${each.text} ${percent(Number(each.probability))}`).join(" · "))
      : null,
  );
}
