// Everything by keyboard.

import { $, dialog, h } from "./dom.js";
import { change, theme } from "./api.js";
import { textView, toggle } from "./frame.js";
import { clear, clickUnitCard, consider, oddsNow, undo } from "./choosing.js";
import { enter, nextUnit, readCursor } from "./pointing.js";
import { find } from "./looking.js";
import { closeAdvice, hint } from "./advice.js";

/** @typedef {import("./play.js").Play} Play */

/** @type {[string, string][]} */
const KEYS = [["Arrows", "walk the map"], ["N, shift N", "next or previous unit that can act"], ["Enter", "choose, then do it"], ["Esc", "leave, or back to now"], ["1 to 9", "choose from a menu or a stack"], ["B", "to the buttons of the prompt"], ["U", "take back"], ["O", "odds"], ["H", "ask for advice"], ["L", "log"], ["R S Z C M V G K", "reach, supply, zones, command, more, control, names, key of the map"], ["F", "find a unit or place"], ["T", "text view"], ["+ − 0", "closer, farther, whole map"], [", .", "one line back or on"], ["D", "day or night"], ["?", "these keys"]];

export function keysHelp() {
  dialog("Keys", h("dl", { class: "keys" }, KEYS.map(([key, what]) => [h("dt", null, h("kbd", null, key)), h("dd", null, what)])));
}

/** @param {Play} play @returns {() => void} */
export function keyboard(play) {
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const box = $("dialog[open]");
    if (box) {
      if (/^[1-9]$/.test(event.key) && !/INPUT|TEXTAREA|SELECT/.test(target.tagName)) { box.querySelectorAll(".choice-list .choice")[Number(event.key) - 1]?.click(); event.preventDefault(); }
      const list = /** @type {HTMLElement[]} */ ([...box.querySelectorAll(".choice-list .choice")]);
      if (/^Arrow(Up|Down)$/.test(event.key) && list.includes(target)) { list[(list.indexOf(target) + (event.key === "ArrowDown" ? 1 : -1) + list.length) % list.length].focus(); event.preventDefault(); }
      return;
    }
    if (/INPUT|TEXTAREA|SELECT/.test(target.tagName)) { if (event.key === "Escape") target.blur(); return; }
    if (!play.title || play.el.classList.contains("as-text")) return;
    if (play.state.you || event.key === "Escape") play.playback.hurry();
    const onButton = /BUTTON|A|SUMMARY/.test(target.tagName);
    const done = () => event.preventDefault();
    if (/^[1-9]$/.test(event.key)) {
      const at = Number(event.key) - 1;
      if (play.options[at]) { consider(play, play.options[at]); done(); return; }
      const stack = play.board.fanned ? play.board.stacks.get(play.board.fanned) ?? [] : play.looked ? play.board.stacks.get(play.spaceOf(play.looked) ?? "") ?? [] : [];
      if (stack[at]) { clickUnitCard(play, stack[at].id); done(); }
      return;
    }
    /** @type {Record<string, () => void>} */
    const table = {
      ArrowLeft: () => walk(-1, 0), ArrowRight: () => walk(1, 0), ArrowUp: () => walk(0, -1), ArrowDown: () => walk(0, 1),
      n: () => nextUnit(play, 1), N: () => nextUnit(play, -1), Enter: () => enter(play), " ": () => enter(play), Escape: () => escape(), u: () => undo(play), o: () => oddsNow(play), h: () => hint(play),
      l: () => play.panels.open("log"), r: () => toggle(play, "reach"), s: () => toggle(play, "supply"), z: () => toggle(play, "zones"), c: () => toggle(play, "command"), v: () => toggle(play, "control"), g: () => toggle(play, "names"), k: () => toggle(play, "key"),
      f: () => find(play), t: () => textView(play, true), "+": () => play.board.zoom(1.3), "=": () => play.board.zoom(1.3), "-": () => play.board.zoom(1 / 1.3), 0: () => play.board.fit(),
      ",": () => play.scrubber.step(-1), ".": () => play.scrubber.step(1), "?": () => keysHelp(), d: () => change({ theme: theme() === "day" ? "night" : "day" }),
      b: () => ($(".prompt .primary", play.el) ?? $(".prompt .btn:not(.quiet, .leave, [disabled])", play.el) ?? $(".prompt .btn:not([disabled])", play.el))?.focus(), m: () => toggle(play, "other"),
    };
    if (onButton && (event.key === "Enter" || event.key === " ")) return;
    if (onButton && event.key.startsWith("Arrow") && target.closest(".menu, .prompt")) {
      const list = [...(target.closest(".menu, .prompt")?.querySelectorAll(".btn:not([disabled]), .menu button") ?? [])];
      const by = event.key === "ArrowDown" || event.key === "ArrowRight" ? 1 : -1;
      /** @type {HTMLElement} */ (list[(list.indexOf(target) + by + list.length) % list.length])?.focus();
      done();
      return;
    }
    const act = table[event.key];
    if (act) { act(); done(); }
  };
  /** @param {number} dx @param {number} dy */
  const walk = (dx, dy) => {
    play.board.el.focus({ preventScroll: true });
    play.board.walk(dx, dy);
    play.panels.drawChosen();
    readCursor(play);
  };
  const escape = () => {
    if (play.past) { play.scrubber.go(null); return; }
    if (play.advice) { closeAdvice(play); return; }
    clear(play);
    play.board.el.focus({ preventScroll: true });
  };
  addEventListener("keydown", press);
  return () => removeEventListener("keydown", press);
}
