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

const HEX = "M-40 0-20-34.6H20L40 0 20 34.6H-20Z";

/** What lights up round a counter or in a place, as the map draws it. @type {[string, string, (counter: (dx?: number, dy?: number) => SVGElement) => (SVGElement|null)[]][]} */
const SIGNS = [
  ["Stack", "how many there are", (counter) => [s("rect", { class: "edge axis", x: -21, y: -26, width: 46, height: 46, rx: 2 }), s("rect", { class: "edge axis", x: -22, y: -24.5, width: 46, height: 46, rx: 2 }), counter(), disc("3")]],
  ["May act", "bright edge", (counter) => [s("rect", { class: "sample-lit", x: -25.5, y: -25.5, width: 51, height: 51, rx: 4 }), counter()]],
  ["Chosen", "solid ring", (counter) => [s("path", { class: "ring soft chosen", d: HEX }), s("path", { class: "ring white", d: HEX }), s("path", { class: "ring chosen", d: HEX }), counter()]],
  ["May go here", "and what it costs", () => [s("path", { class: "edge-line", d: HEX }), s("text", { class: "cost", y: 8, "font-size": 24 }, "2½")]],
  ["Must stop", "red square", () => [s("path", { class: "edge-line", d: HEX }), s("text", { class: "cost", x: -5, y: 8, "font-size": 24 }, "3½"), s("rect", { class: "stop", x: 14, y: -5, width: 10, height: 10 })]],
  ["May be attacked", "solid red ring", (counter) => [s("path", { class: "ring soft threat", d: HEX }), s("path", { class: "ring white", d: HEX }), s("path", { class: "ring threat", d: HEX }), counter()]],
  ["Its zone is entered", "broken red ring", (counter) => [s("path", { class: "ring white", d: HEX }), s("path", { class: "ring threat touched", d: HEX }), counter()]],
  ["Will be here", "ghost", (counter) => [s("g", { opacity: 0.6 }, counter())]],
];

/** @param {string} many */
function disc(many) {
  return s("g", { class: "count", transform: "translate(22 22)" }, s("circle", { r: 8 }), s("text", { y: 4.2, "font-size": 13 }, many));
}

/** @param {(typeof SIGNS)[number][2]} draw @param {string} svg of a counter */
function hexSample(draw, svg) {
  const counter = () => {
    const drawing = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    const drawn = s("svg", { x: -23, y: -23, width: 46, height: 46, viewBox: "0 0 100 100", overflow: "visible" });
    drawn.append(...[...drawing.childNodes].map((node) => document.importNode(node, true)));
    return drawn;
  };
  return s("svg", { class: "live sign-sample", width: 100, height: 84, viewBox: "-50 -42 100 84", "aria-hidden": "true", style: { "--H": "69" } }, s("path", { class: "sample-hex", d: HEX }), draw(counter));
}

/** @param {{id: string, name: string}} title */
export async function readCounters(title) {
  /** @type {{svg: string, name: string, parts: Part[], others: string[], told: string, states: Sample[], nations: Sample[]}} */
  const found = await cached(`titles/${title.id}/counters`);
  dialog(
    "How to read a counter",
    h(
      "div",
      { class: "reading" },
      h("p", { class: "mut" }, "Square corners, light figures: Axis, Italians with a white edge. Round corners, dark figures: Allied."),
      example(found),
      h("div", { class: "row others" }, found.others.map((svg) => picture({ name: "", svg }, 58)), h("span", { class: "mut" }, found.told)),
      h("h3", null, "States"),
      h("p", { class: "mut" }, "Each has a shape of its own; colour only helps."),
      h("ul", { class: "samples" }, found.states.map((each) => sample(each))),
      h("h3", null, "On the map"),
      h("p", { class: "mut" }, "Click a stack once, or hold it on glass, to fan it out: the top counter is first; shift adds, 1 to 9 choose."),
      h("ul", { class: "samples on-hex" }, SIGNS.map(([name, note, draw]) => h("li", null, hexSample(draw, found.svg), h("b", null, name), h("span", { class: "mut" }, note)))),
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
      // From the middle of the lower edge the line runs below the counter, not across its figures.
      s("path", { class: "leader", d: part.y > 75 && part.x > 35 && part.x < 65 ? `M${x + (west ? 4 : -4)} ${y - 4}H${west ? x0 - 8 : x0 + size + 8}L${px} ${top + size + 3}V${py + 8}` : `M${x + (west ? 4 : -4)} ${y - 4}H${west ? x0 - 8 : x0 + size + 8}L${px} ${py}` }),
      s("circle", { class: "leader", cx: px, cy: part.y > 75 && part.x > 35 && part.x < 65 ? py + 8 : py, r: 2.6 }),
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
