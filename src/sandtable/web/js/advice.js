// Advice: what an opponent would do in the player's place, beside the map that it is about.

import { $, button, capital, h, iconButton, percent, spaced, toast } from "./dom.js";
import { armQuietlyFor } from "./choosing.js";
import { showTab } from "./frame.js";
import { emptiest, light } from "./lights.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Action} Action */
/** @typedef {{el: HTMLElement, action: Action|null, back: Element|null}} Advice */

/** Who may be asked, the quickest first. @type {[string, string][]} */
const ADVISERS = [["officer", "Officer"], ["general", "General"], ["general:5", "General, 5 s"]];

/** An officer, a general. @param {string} level */
function somebody(level) {
  const name = level.split(":")[0];
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
}

/** @param {Play} play @param {string} [level] whom to ask, if not a general */
export async function hint(play, level = "general") {
  if (!play.mayAct) {
    toast("Hints come when it is your decision.");
    return;
  }
  const { seq } = play.live;
  const seconds = level.split(":")[1];
  toast(`Asking ${somebody(level)} for advice${seconds ? `, up to ${seconds} s` : ""} …`, 60000);
  const asked = [...(play.advice?.el.querySelectorAll("[data-adviser]") ?? [])];
  for (const each of asked) each.setAttribute("aria-disabled", "true");
  try {
    const answer = await play.live.ask("hint", { level });
    if (play.live.seq !== seq) {
      toast("The game went on before the advice came. Ask again.");
      return;
    }
    $(".toast")?.remove();
    show(play, answer);
  } catch (error) {
    for (const each of asked) each.removeAttribute("aria-disabled");
    play.refused(error);
  }
}

/** @param {Play} play @param {{action: string, reason: string, chance: number, level: string}} answer */
function show(play, answer) {
  const back = play.advice?.back ?? document.activeElement;
  play.advice?.el.remove();
  const action = play.state.actions.find((each) => each.text === answer.action) ?? null;
  const title = `${capital(somebody(answer.level))} advises`;
  const el = h("section", { class: "advice on-map", role: "dialog", "aria-label": title, "aria-describedby": "advice-words" },
    h("div", { class: "row" }, h("h2", { class: "grow" }, title), iconButton("x", "Close the advice", () => closeAdvice(play), { data: { stay: "advice-x" } })),
    h("div", { id: "advice-words" }, h("p", null, h("b", null, action?.label ?? answer.action)), h("p", null, spaced(answer.reason || "It looks best from here.")),
      h("p", { class: "mut" }, `Your chance to win: ${percent(answer.chance)}, by how games of opponents from like positions ended.`)),
    h("div", { class: "row advisers", role: "group", "aria-label": "Ask again" }, ADVISERS.map(([level, name]) =>
      h("button", { type: "button", class: "btn small", "aria-pressed": String(level === answer.level), data: { adviser: level, stay: level }, onclick: /** @param {Event} event */ (event) => { if (!(/** @type {Element} */ (event.currentTarget)).hasAttribute("aria-disabled")) hint(play, level); } }, name))),
    h("div", { class: "row" }, h("span", { class: "grow" }), button("Close", () => closeAdvice(play)), action && button("Choose it", () => { closeAdvice(play); armQuietlyFor(play, action); }, { cls: "primary", data: { stay: "advice" } })));
  el.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    closeAdvice(play);
  });
  play.advice = { el, action, back };
  light(play);
  if (innerWidth <= 700 && !play.text.on) showTab(play, "map");
  if (play.text.on) {
    play.text.draw();
    el.scrollIntoView({ block: "nearest" });
  } else placeAdvice(play);
  // Who listens hears all of it from the dialog that takes the focus.
  ($(".primary", el) ?? $(".btn", el))?.focus({ preventScroll: true });
}

/** The places that an action is about: where its units stand, and where they go. @param {Play} play @param {Action|null} action */
function placesOf(play, action) {
  const ids = [...(action?.units.map((unit) => play.spaceOf(unit) ?? "") ?? []), ...(action?.spaces ?? [])];
  return [...new Set(ids)].flatMap((id) => play.board.spaces.get(id) ?? []);
}

/** It lies where it hides neither the places it is about nor many counters; what is out of sight comes into sight. @param {Play} play */
export function placeAdvice(play) {
  const { advice, board } = play;
  if (!advice || play.text.on || advice.el.parentElement === board.el) return;
  board.el.append(advice.el);
  const places = placesOf(play, advice.action);
  const last = places.at(-1);
  if (innerWidth <= 700) {
    const tall = advice.el.offsetHeight + 26;
    if (last) board.centre(last.x, last.y, board.scale, -tall);
    // At the lower edge of the map nothing can be moved up.
    const top = !!last && board.toScreen(last.x, last.y).y > board.el.clientHeight - tall;
    advice.el.dataset.corner = top ? "top" : "bottom";
    if (top) board.centre(last.x, last.y, board.scale, tall);
    return;
  }
  if (last && places.some((at) => board.outOfSight(at.x, at.y))) board.bring(last.x, last.y);
  const corners = ["south-east", "east", "west"].filter((corner) => play.guide.el.hidden || corner !== play.guide.corner);
  advice.el.dataset.corner = emptiest(board, advice.el.offsetWidth, advice.el.offsetHeight, corners, places);
}

/** @param {Play} play @param {boolean} [forgotten] the position it was about is gone */
export function closeAdvice(play, forgotten = false) {
  const { advice } = play;
  if (!advice) return;
  const had = advice.el.contains(document.activeElement);
  play.advice = null;
  advice.el.remove();
  if (forgotten) return;
  light(play);
  const back = /** @type {HTMLElement|null} */ (advice.back?.isConnected && advice.back !== document.body ? advice.back : play.text.on ? $(".typed", play.text.el) : play.board.el);
  if (had) back?.focus({ preventScroll: true });
}

/** What it advises, while nothing else is chosen: its units and places are ringed. @param {Play} play */
export function advised(play) {
  const action = play.advice?.action;
  const { units, spaces } = play.picks;
  return action && play.mayAct && !play.armed && !spaces.length && units.every((unit) => action.units.includes(unit)) ? action : null;
}
