// Overlays on the map: supply paths, command range, zones, control and victory points, markers; tracks on the water.

import { camp, s } from "./dom.js";
import { markerShape, seaTracks, silent } from "./furniture.js";
import { isSpace, outline, ringPath, shrink, spline } from "./geometry.js";
import { tag } from "./glow.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./types.js").BoardSpace} BoardSpace */
/** @typedef {import("./types.js").Overlay} Overlay */
/** @typedef {import("./types.js").Marker} Marker */

/** Roads and tracks lit where they run through some spaces. @param {Board} board @param {BoardSpace[]} held */
function litWays(board, held) {
  const d = [...board.ground.querySelectorAll(".roads path:first-child, .tracks .track, .tracks .major")].map((way) => way.getAttribute("d") ?? "").join("");
  const clip = s("clipPath", { id: "lit-ways" }, s("path", { d: held.map((space) => ringPath(space.polygon)).join("") }));
  return [clip, s("g", { "clip-path": "url(#lit-ways)" }, s("path", { class: "line thin case", d }), s("path", { class: "line thin", d }))];
}

/** @param {Board} board @param {Overlay[]} overlays @param {Record<string, string>|null} control @param {Marker[]} markers @param {string|null} me */
export function setOverlays(board, overlays, control, markers, me) {
  const drawn = [];
  if (control) {
    for (const side of new Set(Object.values(control))) {
      const held = Object.keys(control).filter((id) => control[id] === side).map((id) => board.spaces.get(id)).filter(isSpace);
      drawn.push(s("path", { class: `control ${camp(side)}`, d: held.map((space) => ringPath(shrink(space.polygon, 0.985))).join("") }));
    }
    for (const space of board.areas ? [] : board.data.spaces) {
      if (space.vp) drawn.push(tag(board, space.x, space.y - board.hex * 0.7, `${space.vp} VP`));
    }
  }
  /** @type {SVGElement[]} */
  const cases = [];
  /** @type {SVGElement[]} */
  const lines = [];
  /** @type {SVGElement[]} */
  const tags = [];
  const commands = overlays.filter((overlay) => overlayGroup(overlay.id) === "command");
  for (const overlay of overlays) {
    const sort = overlayGroup(overlay.id);
    const held = (overlay.spaces ?? []).map((id) => board.spaces.get(id)).filter(isSpace);
    const foe = overlay.side && me && overlay.side !== me ? "foe" : "own";
    if (held.length && overlay.id === "supply-roads") drawn.push(...litWays(board, held));
    else if (held.length) {
      const d = outline(held);
      if (sort === "zones") drawn.push(s("path", { class: `zone-fill ${foe}`, d: held.map((space) => ringPath(space.polygon)).join("") }));
      const colour = sort === "command" ? board.formationColour(overlay.formation ?? "") : "";
      if (sort === "command") drawn.push(s("path", { class: "overlay command case", d }));
      drawn.push(s("path", { class: `overlay ${sort} ${foe}`, d, style: colour ? { stroke: colour } : null }));
      if (sort === "command" && commands.length === 1 && colour) {
        const low = held.reduce((best, space) => (space.y > best.y ? space : best));
        tags.push(tag(board, low.x, low.y + board.hex * 0.5, overlay.name, "range"));
      }
    }
    const cut = overlay.cut ? "cut" : "";
    for (const line of overlay.lines ?? []) {
      const points = line.map((id) => board.spaces.get(id)).filter(isSpace).map((space) => [space.x, space.y]);
      if (points.length < 2) continue;
      const d = spline(relaxed(points));
      cases.push(s("path", { class: `line case ${sort}`, d }));
      lines.push(s("path", { class: `line ${sort} ${cut}`, d }));
      if (!cut) lines.push(s("path", { class: "line ticks", d }));
      // The part off the road is what counts: its length stands beside it.
      const off = overlay.length ?? null;
      const [x, y] = points[off === null ? Math.floor(points.length / 2) : Math.min(Math.ceil(off / 2), points.length - 1)];
      const [dx, dy] = off === null ? [0, 0] : clear(board, x, y);
      if (overlay.text && off !== 0) tags.push(tag(board, x + dx, y + dy, overlay.text.length > 24 ? overlay.name : overlay.text, cut || "path"));
    }
  }
  drawn.push(...cases, ...lines);
  board.layers.marks.replaceChildren(...tags);
  /** @type {Map<string, number>} */
  const used = new Map();
  for (const marker of markers) {
    const here = board.spaces.get(marker.space);
    if (!here || silent(marker, !!control)) continue;
    const there = marker.beside ? board.spaces.get(marker.beside) : null;
    let [x, y] = here.marks ?? [here.x, here.y];
    if (there) [x, y] = [(here.x + there.x) / 2, (here.y + there.y) / 2];
    else if (/breached|eliminated/.test(marker.kind)) [x, y] = [here.x, here.y];
    else if (marker.kind === "victory" && !board.areas) [x, y] = [here.x - ((5 + 6.2 * (marker.text?.length ?? 0)) / 120) * board.hex, here.y - board.hex * 0.5];
    else {
      const at = used.get(here.id) ?? 0;
      used.set(here.id, at + 1);
      x += at * board.hex * (board.areas ? 0.34 : 0.27);
    }
    const el = markerShape(marker, there ? (Math.atan2(there.y - here.y, there.x - here.x) * 180) / Math.PI : undefined);
    el.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${board.areas ? 0.9 : (board.hex / 60).toFixed(2)})`);
    drawn.push(el);
  }
  board.layers.overlays.replaceChildren(...drawn);
}

/** What is always on the map beside counters: tracks on the water, and whose the areas are. @param {Board} board @param {{tracks?: import("./types.js").Track[], control?: Record<string, string>}} view */
export function furnish(board, view) {
  board.layers.water.replaceChildren(...seaTracks(view.tracks ?? [], board.data.tracks));
  if (!board.areas) return;
  const held = new Set(Object.entries(view.control ?? {}).filter(([, side]) => camp(side) === "allied").map(([id]) => id));
  for (const ident of board.ground.querySelectorAll(".ident")) ident.classList.toggle("held", held.has(/** @type {SVGElement} */ (ident).dataset.space ?? ""));
  const rings = board.data.spaces.filter((space) => held.has(space.id) && !space.off_map).map((space) => ringPath(space.polygon)).join("");
  const grid = board.ground.querySelector(".grid");
  const tint = board.ground.querySelector(".held-ground") ?? s("path", { class: "held-ground" });
  tint.setAttribute("d", rings);
  grid?.before(tint);
}

/** How far a tag is moved so that it covers no counter if it can. @param {Board} board @param {number} x @param {number} y */
function clear(board, x, y) {
  const H = board.hex;
  const spots = [...board.stacks.keys()].flatMap((id) => board.spaces.get(id) ?? []);
  const free = (/** @type {number[]} */ [dx, dy]) => spots.every((at) => Math.abs(at.x - x - dx) > H * 0.85 || Math.abs(at.y - y - dy) > H * 0.6);
  const tries = [[0.75, 0], [-0.75, 0], [0, -0.75], [0, 0.75], [1.2, 0.5], [-1.2, 0.5], [1.2, -0.5], [-1.2, -0.5]];
  return tries.map(([dx, dy]) => [dx * H, dy * H]).find(free) ?? [H * 0.75, 0];
}

/** A way through hexes without their zigzag, as the roads run; its ends stay. @param {number[][]} points */
function relaxed(points) {
  for (let times = 0; times < 2; times++) points = points.map((p, at) => (at === 0 || at === points.length - 1 ? p : [0, 1].map((axis) => (points[at - 1][axis] + 2 * p[axis] + points[at + 1][axis]) / 4)));
  return points;
}

/** Which tool an overlay belongs to. @param {string} id */
export function overlayGroup(id) {
  const word = id.toLowerCase();
  if (/^(zoc|zone)/.test(word)) return "zones";
  if (/^(com|hq|range)/.test(word)) return "command";
  if (/^sup/.test(word)) return "supply";
  return "other";
}
