// How to read a counter of a title: an example with its parts named, every state, the nations.

import { dialog, h, s } from "./dom.js";
import { cached } from "./api.js";

/** @typedef {{name: string, note: string, x: number, y: number}} Part */
/** @typedef {{name: string, note?: string, svg: string}} Sample */

/** How counters look without some colours, as matrices in linear light. @type {[string, string, string][]} */
const LENSES = [
  ["lens-green", "deuteranopia", ".367 .861 -.228 0 0 .280 .673 .047 0 0 -.012 .043 .969 0 0 0 0 0 1 0"],
  ["lens-grey", "greyscale", ".213 .715 .072 0 0 .213 .715 .072 0 0 .213 .715 .072 0 0 0 0 0 1 0"],
];

/** @param {{id: string, name: string}} title */
export async function readCounters(title) {
  /** @type {{svg: string, name: string, parts: Part[], states: Sample[], nations: Sample[]}} */
  const found = await cached(`titles/${title.id}/counters`);
  dialog(
    "How to read a counter",
    h(
      "div",
      { class: "reading" },
      h("p", { class: "mut" }, "Square corners, light figures: Axis, Italians with a white edge. Round corners, dark figures: Allied."),
      example(found),
      h("h3", null, "States"),
      h("p", { class: "mut" }, "Each has a shape of its own; colour only helps."),
      h("ul", { class: "samples" }, found.states.map((each) => sample(each))),
      h("h3", null, "National colours"),
      h("ul", { class: "samples" }, found.nations.map((each) => sample(each))),
      h("h3", null, "Without red and green, and without colour"),
      h("p", { class: "mut" }, "The same counters as others see them: corners, light or dark figures and the shapes of the states still tell them apart."),
      s("svg", { width: 0, height: 0, "aria-hidden": "true", class: "lenses" }, LENSES.map(([id, , values]) => s("filter", { id, "color-interpolation-filters": "linearRGB" }, s("feColorMatrix", { type: "matrix", values })))),
      LENSES.map(([id, name]) => h("div", { class: "lens" }, h("div", { class: "strip-of", style: { filter: `url(#${id})` } }, [...found.nations, ...found.states.slice(1, 5)].map((each) => picture(each, 46))), h("span", { class: "mut" }, name))),
    ),
    { cls: "wide" },
  );
}

/** @param {{svg: string, name: string, parts: Part[]}} found */
function example(found) {
  const left = found.parts.filter((part) => part.x < 50);
  const right = found.parts.filter((part) => part.x >= 50);
  // Names stand in two columns beside the counter; a line leads from each to its part.
  const [size, top, x0] = [128, 26, 196];
  const step = (/** @type {Part[]} */ list) => (size + 34) / Math.max(list.length, 1);
  const callout = (/** @type {Part} */ part, /** @type {number} */ y, /** @type {boolean} */ west) => {
    const [x, px, py] = [west ? x0 - 22 : x0 + size + 22, x0 + (part.x / 100) * size, top + (part.y / 100) * size];
    const anchor = west ? "end" : "start";
    return [
      s("path", { class: "leader", d: `M${x + (west ? 4 : -4)} ${y - 4}H${west ? x0 - 8 : x0 + size + 8}L${px} ${py}` }),
      s("circle", { class: "leader", cx: px, cy: py, r: 2.6 }),
      s("text", { x, y, "text-anchor": anchor }, part.name),
      part.note && s("text", { class: "mut", x, y: y + 14, "text-anchor": anchor }, part.note),
    ];
  };
  const drawing = new DOMParser().parseFromString(found.svg, "image/svg+xml").documentElement;
  const counter = s("svg", { x: x0, y: top, width: size, height: size, viewBox: "0 0 100 100", overflow: "visible" });
  counter.append(...[...drawing.childNodes].map((node) => document.importNode(node, true)));
  return s(
    "svg",
    { class: "example", viewBox: "-44 0 610 190", role: "img", "aria-label": `${found.name}: ${found.parts.map((part) => [part.name, part.note].filter(Boolean).join(", ")).join("; ")}` },
    counter,
    left.flatMap((part, at) => callout(part, 24 + at * step(left), true)),
    right.flatMap((part, at) => callout(part, 24 + at * step(right), false)),
  );
}

/** @param {Sample} each @param {number} size */
function picture(each, size) {
  const drawing = new DOMParser().parseFromString(each.svg, "image/svg+xml").documentElement;
  const drawn = s("svg", { width: size, height: size, viewBox: "-6 -6 112 112", "aria-hidden": "true" });
  drawn.append(...[...drawing.childNodes].map((node) => document.importNode(node, true)));
  return drawn;
}

/** @param {Sample} each */
function sample(each) {
  return h("li", null, picture(each, 62), h("b", null, each.name), each.note && h("span", { class: "mut" }, each.note));
}
