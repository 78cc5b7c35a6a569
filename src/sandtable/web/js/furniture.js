// What lies on the map beside counters: markers, and tracks on free water. The same shapes as `sandtable render` draws.

import { camp, s } from "./dom.js";

/** @typedef {import("./types.js").Marker} Marker */
/** @typedef {import("./types.js").Track} Track */

const STAR = "M0-2 .55-.65 2-.6.9.3 1.25 1.7 0 .9-1.25 1.7-.9.3-2-.6-.55-.65z";
const SWORDS = "M-6-6 6 6M6-6-6 6M-7 3l4 4M7 3l-4 4";
const PLANE = "M0-9l1.6 6L10 2v2.4L1.6 2.2l-.7 5.2L3.6 9v1.6L0 9.6l-3.6 1V9l2.7-1.6-.7-5.2L-10 4.4V2l8.4-5z";
/** Printed on the map already, or shown by the counters. */
const SILENT = new Set(["box", "fort", "minefield", "mines", "village", "depot", "source", "improved defence"]);

/** @param {Marker} marker @param {boolean} control whether victory points are asked for */
export function silent(marker, control) {
  return SILENT.has(marker.kind) || (marker.kind === "victory" && !control);
}

/** A marker round the origin, 60 units to a hex. @param {Marker} marker @param {number} [turn] degrees from this space to the one beside it */
export function markerShape(marker, turn) {
  const words = marker.text || marker.kind;
  const el = s("g", { class: `marker ${camp(marker.side)}` }, s("title", null, `${marker.kind}${marker.text ? `: ${marker.text}` : ""}`));
  const add = (/** @type {(SVGElement|null)[]} */ ...parts) => { el.append(...parts.filter((part) => part !== null)); return el; };
  if (turn !== undefined) {
    el.classList.toggle("begun", marker.kind !== "breach");
    return add(s("g", { transform: `rotate(${turn.toFixed(0)})` }, s("path", { class: "gap", d: "M-15-8h30v16h-30z" }), s("path", { class: "brackets", d: "M-14-11v3h28v-3M-14 11V8h28v3" })));
  }
  switch (marker.kind) {
    case "breached": return add(s("path", { class: "gap", d: "M-27-9h54V9h-54z" }), s("path", { class: "brackets", d: "M-26-13v4h52v-4M-26 13V9h52v4" }));
    case "box eliminated": case "fort eliminated": return add(s("path", { class: "gone case", d: "M-20-20 20 20M20-20-20 20" }), s("path", { class: "gone", d: "M-20-20 20 20M20-20-20 20" }));
    case "contested": return add(s("circle", { class: "plate contest", r: 9.5 }), s("path", { class: "swords", transform: "scale(.72)", d: SWORDS }));
    case "victory": return add(s("rect", { class: "plate vp", x: -10, y: -9, width: 15 + 6.2 * words.length, height: 18, rx: 9 }), s("path", { class: "star", transform: "scale(2.9)", d: STAR }), s("text", { x: 8, y: 4.6, "font-size": 13, style: { textAnchor: "start" } }, words));
    case "air": return add(s("circle", { class: "ground-of", r: 12 }), s("path", { class: "ink-of", transform: "scale(.85)", d: PLANE }));
    case "supply dump": return add(s("path", { class: "ground-of", d: "M-9-1h8v8h-8zM1-1h8v8H1zM-4-9h8v8h-8z" }));
    case "supply blocked": return add(s("rect", { class: "plate warn", x: -10, y: -10, width: 20, height: 20, rx: 4 }), s("path", { class: "struck", d: "M-6 0H5M1-4l4 4-4 4M-7 7 7-7" }));
    case "control": case "tobruk control": return add(s("path", { class: "pole", d: "M-5 10V-11" }), s("path", { class: "ground-of", d: marker.side === "axis" ? "M-5-10H8V0H-5z" : "M-5-10 9-5-5 0z" }));
    default: return add(s("rect", { class: "plate", x: -6, y: -9, width: 10 + 6.2 * words.length, height: 18, rx: 4 }), s("text", { x: -1, y: 4.6, "font-size": 13, style: { textAnchor: "start" } }, words));
  }
}

/** Impulses with their chances and what support is left, where a map has free water for them. @param {Track[]} tracks @param {[number, number, number, number]|null|undefined} box */
export function seaTracks(tracks, box) {
  const known = new Map(tracks.map((track) => [track.id, track]));
  const track = known.get("impulse");
  if (!box || !track?.maximum) return [];
  const [x, y, w] = box;
  const step = w / track.maximum;
  const parts = [s("text", { class: "heading", x, y: y + 9 }, `${track.name}${track.noted ? `, and ${track.noted}` : ""}`.toUpperCase())];
  for (let at = 1; at <= track.maximum; at++) {
    const left = x + (at - 1) * step;
    const middle = left + (step - 2.6) / 2;
    parts.push(s("g", { class: at === track.number ? "now" : at < (track.number ?? 0) ? "past" : "" },
      s("rect", { x: left, y: y + 16, width: step - 2.6, height: track.notes?.length ? 40 : 28, rx: 6 }), s("text", { x: middle, y: y + 36, "font-size": 18 }, at), s("text", { class: "note", x: middle, y: y + 50, "font-size": 12 }, track.notes?.[at - 1] ?? "")));
  }
  /** @type {[string, string, boolean][]} */
  const squares = [];
  const air = known.get("air");
  if (air) squares.push(["allied", "air", air.value === "used"]);
  for (const side of ["allied", "axis"]) {
    const guns = known.get(`${side}-artillery`);
    for (let at = 0; at < (guns?.maximum ?? 0); at++) squares.push([side, "gun", at >= (guns?.number ?? 0)]);
  }
  let left = x + w - squares.length * 43 - 18;
  parts.push(s("text", { class: "heading", x: left, y: y + 75 }, "SUPPORT"));
  squares.forEach(([side, sign, spent], at) => {
    if (at && squares[at - 1][0] !== side) left += 18;
    parts.push(s("g", { class: `support ${side} ${spent ? "spent" : ""}`, transform: `translate(${left + 19} ${y + 102})` },
      s("rect", { class: "ground-of", x: -19, y: -19, width: 38, height: 38, rx: side === "axis" ? 3 : 11 }),
      sign === "air" ? s("path", { class: "ink-of", d: PLANE }) : s("g", { class: "ink-of" }, s("path", { transform: "rotate(-28)", d: "M-2-1.8H13V1.8H-2zM-10-3.4H0V3.4h-10z" }), s("circle", { class: "wheel", cx: -3, cy: 5.5, r: 5 })),
      spent ? s("path", { class: "strike", d: "M-15 15 15-15" }) : null));
    left += 43;
  });
  return parts;
}
