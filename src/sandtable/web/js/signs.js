// Signs for what a combat does to a side: a step lost, disruption, retreat, hits. Each has a shape of its own and its words.

import { h, s } from "./dom.js";

/** @typedef {import("./types.js").Effect} Effect */

/** Shapes round the origin, 20 units wide, drawn in the ink of their cell. @type {Record<string, string>} */
const SHAPES = {
  step: '<path d="M-7-7H7V7H-7Z" fill="none" stroke="currentColor" stroke-width="1.8"/><path d="M-7 7 7-7V7Z" fill="currentColor"/>',
  disrupted: '<path d="M0-9.5 2.2-6.9 5.6-7.7 6.1-4.3 9.3-3 7.7 0 9.3 3 6.1 4.3 5.6 7.7 2.2 6.9 0 9.5-2.2 6.9-5.6 7.7-6.1 4.3-9.3 3-7.7 0-9.3-3-6.1-4.3-5.6-7.7-2.2-6.9Z" fill="currentColor"/><path d="M-2.3-4H.4A3.6 4 0 0 1 .4 4H-2.3Z" class="cut"/>',
  retreat: '<path d="M-9 0-2-6.5V-2.6H8.5V2.6H-2V6.5Z" fill="currentColor"/>',
  gone: '<path d="M-6.5-6.5 6.5 6.5M6.5-6.5-6.5 6.5" fill="none" stroke="currentColor" stroke-width="3.6" stroke-linecap="round"/>',
  hit: '<path d="M0-9 2-3.4 7.6-5.8 4.6-.5 9 3.2 3.3 3.3 2.2 9-1.1 4.2-6.6 6.6-4.5 1.4-9-1.7-3.4-2.3Z" fill="currentColor"/>',
  check: '<circle r="7.6" fill="none" stroke="currentColor" stroke-width="1.9"/><path d="M-2.6-2.2C-2.4-5.6 3-5.4 2.7-2.2 2.5-.6 0-.4 0 1.8" fill="none" stroke="currentColor" stroke-width="1.9" stroke-linecap="round"/><circle cy="4.6" r="1.2" fill="currentColor"/>',
};

/** @param {string} sign @param {number} [size] */
export function drawSign(sign, size = 17) {
  const svg = s("svg", { class: "sign", width: size, height: size, viewBox: "-10 -10 20 20", "aria-hidden": "true" });
  svg.innerHTML = SHAPES[sign] ?? "";
  return svg;
}

/** The effects of a result on one side as signs. @param {Effect[]} effects */
export function signs(effects) {
  if (!effects.length) return h("span", { class: "none" }, "none");
  const words = effects.map((effect) => effect.text).join(", ");
  return h(
    "span",
    { class: "signs", role: "img", "aria-label": words, title: words },
    effects.map((effect) => h("span", { class: "effect" }, drawSign(effect.sign), effect.count && h("b", { class: "fig" }, effect.count))),
  );
}
