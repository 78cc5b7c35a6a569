// The odds before you commit: who fights, the sum line by line, what may come of it.

import { $, button, h, iconButton, mark, percent, put, signed } from "./dom.js";
import { counterPicture } from "./board.js";
import { siblings } from "./choices.js";
import { verb } from "./prompt.js";
import { clear, closeSheet, commit, consider } from "./choosing.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Action} Action */
/** @typedef {import("./types.js").Odds} Odds */
/** @typedef {import("./types.js").Chance} Chance */

/** @param {Play} play @param {Action} action @param {Odds} odds */
export function showOdds(play, action, odds) {
  const sheet = play.sheet;
  if (!sheet) return;
  const place = action.spaces.at(-1) ?? battlePlace(play);
  const sheetHead = h("div", { class: "sheet-head" }, h("div", { class: "grow" }, h("h2", null, action.label), h("p", { class: "mut" }, play.state.view.prompt, " ", play.rule(play.state.view.rule))), iconButton("x", "Close the odds", () => closeSheet(play)));
  put(sheet, sheetHead,
    forces(play, action, place),
    choicesBar(play, action, odds),
    h("div", { class: "sheet-two" }, sums(play, odds), bars(play, odds)),
    odds.assumes?.length ? h("div", { class: "assumes" }, odds.assumes.map((line) => h("p", null, line))) : null,
    distribution(play, odds),
    h("div", { class: "sheet-foot" }, button("Back", () => clear(play), { key: "Esc" }), button(verb(play, action), () => commit(play, action), { cls: "primary", icon: "dice", key: "Enter", data: { action: action.text } })));
  sheet.hidden = false;
  play.el.classList.add("with-sheet");
  const at = place ? play.board.spaces.get(place) : null;
  requestAnimationFrame(() => { play.board.apply(); if (at) play.board.reveal(at.x, at.y); });
}

/** Where the fight is, if the action does not say: the contested or named space of the prompt. @param {Play} play */
function battlePlace(play) {
  const found = /\(([A-Z0-9]{1,5})\)/.exec(play.state.view.prompt)?.[1] ?? /\b(\d{4})\b/.exec(play.state.view.prompt)?.[1];
  return found && play.board.spaces.has(found) ? found : null;
}

/** @param {Play} play @param {Action} action @param {string|null} place */
function forces(play, action, place) {
  const here = place ? play.board.stacks.get(place) ?? [] : [];
  const named = action.units.map((id) => play.piece(id)).filter((piece) => !!piece);
  const sides = play.title.sides.map((side) => {
    const own = [...new Set([...named, ...here])].filter((piece) => piece?.side === side);
    return { side, own };
  });
  if (sides.every(({ own }) => !own.length)) return null;
  const me = play.me;
  sides.sort((a) => (a.side === me ? -1 : 1));
  return h("div", { class: "forces" }, sides.map(({ side, own }) => h("div", null, h("div", { class: "row" }, h("span", { class: "side" }, mark(side), play.nameOf(side))),
    h("div", { class: "force" }, own.length ? own.map((piece) => piece && h("figure", null, counterPicture(piece, 54), h("figcaption", null, action.units.includes(piece.id) ? "leads" : Object.values(piece.ratings ?? {})[0] ?? ""))) : h("span", { class: "mut" }, "nobody there")))));
}

/** The same attack another way: intensities, yes or no. @param {Play} play @param {Action} action @param {Odds} odds */
function choicesBar(play, action, odds) {
  const others = siblings(play.state.actions, action);
  if (others.length < 2 || others.length > 4) return null;
  const row = h("div", { class: "ways", role: "group", "aria-label": "Ways to do it" });
  for (const other of others) {
    const card = h("button", { type: "button", class: `way-card ${other === action ? "on" : ""}`, "aria-pressed": String(other === action), onclick: () => consider(play, other, true) }, h("b", null, other.label.length > 30 ? other.text.split(" ").at(-1) : other.label), h("span", { class: "mut" }, "…"));
    const fill = (/** @type {Odds|null|undefined} */ found) => { put(card.lastElementChild, found ? summary(play, found) : "no dice"); };
    if (other === action) fill(odds);
    else play.live.ask("odds", { action: other.text }).then((answer) => fill(answer.odds), () => fill(null));
    row.append(card);
  }
  return row;
}

/** @param {Play} play @param {Odds} odds */
function summary(play, odds) {
  const me = play.me;
  const good = sum(odds.outcomes.filter((each) => each.favours === me));
  const bad = sum(odds.outcomes.filter((each) => each.favours && each.favours !== me));
  return `good for you ${percent(good)}, bad ${percent(bad)}`;
}

/** @param {Chance[]} chances */
function sum(chances) {
  return chances.reduce((total, each) => total + Number(each.probability), 0);
}

/** @param {Play} play @param {Odds} odds */
function sums(play, odds) {
  if (!odds.modifiers.length) return h("div", { class: "sums" }, h("p", { class: "mut" }, "Nothing modifies this roll."));
  const total = odds.modifiers.reduce((all, each) => all + each.value, 0);
  return h("div", { class: "sums" }, h("table", null, h("caption", { class: "sr" }, "What counts"), h("tbody", null,
    odds.modifiers.map((each) => h("tr", { class: each.value ? "" : "none" }, h("th", { scope: "row" }, each.name), h("td", null, play.rule(each.rule)), h("td", { class: "fig" }, signed(each.value)))),
    h("tr", { class: "total" }, h("th", { scope: "row" }, "Together"), h("td"), h("td", { class: "fig" }, signed(total))))));
}

/** @param {Play} play @param {Odds} odds */
function bars(play, odds) {
  return h("div", { class: "bars" }, odds.outcomes.map((each) => h("div", { class: "bar" }, h("div", { class: "row" }, h("span", { class: "grow" }, each.text), h("b", { class: "fig" }, percent(Number(each.probability)))),
    h("span", { class: "meter big", "aria-hidden": "true" }, h("span", { class: tone(play, each), style: { width: `${Number(each.probability) * 100}%` } })))));
}

/** @param {Play} play @param {Chance} each */
function tone(play, each) {
  return !each.favours ? "even" : each.favours === play.me ? "good" : "bad";
}

/** All outcomes in one strip, worst to best. @param {Play} play @param {Odds} odds */
function distribution(play, odds) {
  const worth = (/** @type {Chance} */ each) => ({ bad: -1, even: 0, good: 1 })[tone(play, each)] ?? 0;
  const order = [...odds.outcomes].sort((a, b) => worth(a) - worth(b));
  const strip = h("div", { class: "strip", role: "img", "aria-label": order.map((each) => `${each.text}: ${percent(Number(each.probability))}`).join("; ") }, order.map((each) => h("span", { class: tone(play, each), title: each.text, style: { flexGrow: String(Math.max(0.004, Number(each.probability))) } }, Number(each.probability) > 0.06 ? percent(Number(each.probability)) : "")));
  const faces = odds.outcomes.filter((each) => each.faces?.length === 1);
  return h("div", { class: "spread-box" }, h("div", { class: "row" }, h("b", { class: "grow" }, "What may come of it"), h("span", { class: "keys mut" }, h("i", { class: "sw bad" }), "against you", h("i", { class: "sw even" }), "even", h("i", { class: "sw good" }), "for you")), strip,
    faces.length > 1 && faces.length === odds.outcomes.length ? null : null);
}

export { $ };
