// What lights up on the map: rings, reach with its costs, the way of a move, arrows of an attack.

import { s } from "./dom.js";
import { costShort, inside, isSpace, outline, ringPath, shrink, spline } from "./geometry.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./types.js").BoardSpace} BoardSpace */
/** @typedef {import("./board.js").Lights} Lights */

/** @param {Board} board @param {Lights} lights */
export function light(board, lights) {
  const units = new Set(lights.units ?? []);
  const chosen = new Set(lights.chosen ?? []);
  const lit = [...board.layers.counters.querySelectorAll(".unit"), ...board.layers.fan.querySelectorAll(".unit")];
  for (const el of lit) {
    const id = /** @type {SVGElement} */ (el).dataset.unit ?? "";
    const here = board.areas || el.closest(".fan") ? [id] : (board.stacks.get(board.pieces.get(id)?.space ?? "") ?? []).map((each) => each.id);
    el.classList.toggle("lit", here.some((each) => units.has(each)));
    const on = here.some((each) => chosen.has(each));
    el.classList.toggle("chosen", on);
    if (on && board.areas) el.parentElement?.append(el);
  }
  const rings = [];
  const inSet = lights.reach ? Object.keys(lights.reach) : [];
  const threats = new Set(lights.threats ?? []);
  const reach = [];
  /** @type {SVGElement[]} */
  const beads = [];
  const set = [...new Set([...inSet, ...(lights.spaces ?? [])])].filter((id) => !threats.has(id)).map((id) => board.spaces.get(id)).filter(isSpace);
  const own = (lights.chosen ?? []).map((id) => board.spaces.get(board.pieces.get(id)?.space ?? "")).filter(isSpace);
  if (set.length) {
    const bright = [...new Set([...set, ...own, ...[...threats].map((id) => board.spaces.get(id)).filter(isSpace)])];
    const w = board.data.width;
    const height = board.data.height;
    reach.push(s("path", { class: "scrim", "fill-rule": "evenodd", d: `M${-w} ${-height}h${3 * w}v${3 * height}h${-3 * w}Z${bright.map((space) => ringPath(space.polygon)).join("")}` }));
    // Areas keep their borders; hexes melt into one outline.
    const d = board.areas ? set.map((space) => ringPath(space.polygon)).join("") : outline(set);
    reach.push(s("path", { class: "glow wide", d }), s("path", { class: "glow", d }), s("path", { class: "edge-line", d }));
    for (const space of set) {
      const cost = lights.reach?.[space.id];
      if (cost === undefined) continue;
      const busy = board.stacks.has(space.id) || board.areas;
      (busy ? beads : reach).push(costMark(board, space, costShort(cost), busy, lights.stops?.[space.id]));
    }
  }
  for (const id of threats) {
    const space = board.spaces.get(id);
    if (space) rings.push(...ring(board, space, "threat"));
    // Who may be attacked by going there: what that costs, in the colour of an attack.
    const cost = lights.reach?.[id];
    if (space && cost !== undefined) {
      const bead = costMark(board, space, costShort(cost), true, undefined);
      bead.classList.add("threat");
      beads.push(bead);
    }
  }
  for (const space of new Set([...own, ...(lights.chosenSpaces ?? []).map((id) => board.spaces.get(id)).filter(isSpace)])) rings.push(...ring(board, space, "chosen"));
  for (const id of lights.warned ?? []) {
    const space = board.spaces.get(id);
    if (space) rings.push(...ring(board, space, "warned"));
  }
  for (const [from, to] of lights.arrows ?? []) rings.push(...arrow(board, from, to));
  board.layers.reach.replaceChildren(...reach);
  board.layers.beads.replaceChildren(...beads);
  board.layers.rings.replaceChildren(...rings);
  drawPath(board, lights.path ?? null);
  if (lights.trail?.length) drawTrail(board, lights.trail);
}

/** What it costs to go to a place, with a red square where one must stop. @param {Board} board @param {BoardSpace} space @param {string} text @param {boolean} small @param {string|undefined} stop the rule that stops */
function costMark(board, space, text, small, stop) {
  const H = board.hex;
  const halt = (/** @type {number} */ x, /** @type {number} */ y) => stop && s("rect", { class: "stop", x: x - H * 0.07, y: y - H * 0.07, width: H * 0.14, height: H * 0.14 }, s("title", null, `must stop, rule ${stop}`));
  if (!small) {
    const wide = text.length * H * 0.07;
    return s("g", null, s("text", { class: "cost", x: space.x - (stop ? H * 0.08 : 0), y: space.y + H * 0.11, "font-size": H * 0.3 }, text), halt(space.x + wide + H * 0.12, space.y));
  }
  const spot = board.areas ? badgeSpot(board, space) : { x: space.x + H * 0.44, y: space.y - H * 0.41 };
  const r = board.areas ? H * 0.24 : H * 0.155;
  return s("g", { class: "cost-bead", transform: `translate(${spot.x.toFixed(1)} ${spot.y.toFixed(1)})` }, s("circle", { r }), s("text", { y: r * 0.48, "font-size": r * inBead(text) }, text), halt(r * 0.9, -r * 0.75));
}

/** How large a figure is set in a bead, to its radius: a long fraction smaller. @param {string} text */
function inBead(text) {
  return Math.min(1.35, 4.6 / text.length);
}

/** A free place in an area for a figure: away from its counters. @param {Board} board @param {BoardSpace} space */
function badgeSpot(board, space) {
  // A box round the map has its name on the left.
  if (space.off_map) {
    const [xs, ys] = [0, 1].map((axis) => space.polygon.map((p) => p[axis]));
    return { x: Math.max(...xs) - board.hex * 0.34, y: Math.min(...ys) + board.hex * 0.34 };
  }
  const spots = (board.stacks.get(space.id) ?? []).map((piece) => board.spots.get(piece.id)).filter((spot) => spot !== undefined);
  // The identifier stands above the markers, and the name beside it.
  const [ix, iy] = space.off_map ? [0, -1e6] : space.marks ?? [0, -1e6];
  for (const step of [0, 1, 2, 3, 4]) spots.push({ x: ix + step * 24, y: iy - 26, size: 0 });
  const tries = [[space.x, space.y]];
  const cx = space.polygon.reduce((sum, p) => sum + p[0], 0) / space.polygon.length;
  const cy = space.polygon.reduce((sum, p) => sum + p[1], 0) / space.polygon.length;
  for (const by of [0, 0.3, 0.5, 0.65]) for (const [x, y] of space.polygon) tries.push([cx + (x - cx) * by, cy + (y - cy) * by]);
  let best = tries[0];
  let far = -1;
  for (const [x, y] of tries) {
    if (!inside(space.polygon, x, y)) continue;
    const free = Math.min(...spots.map((spot) => Math.max(Math.abs(spot.x - x), Math.abs(spot.y - y))), Math.hypot(space.x - x, space.y - y) * 0.9, board.hex * 1.2);
    if (free > far) { far = free; best = [x, y]; }
  }
  return { x: best[0], y: best[1] };
}

/** @param {Board} board @param {BoardSpace} space @param {string} kind */
export function ring(board, space, kind) {
  const d = ringPath(shrink(space.polygon, board.areas ? 0.985 : 0.97));
  return [s("path", { class: `ring soft ${kind}`, d }), s("path", { class: "ring white", d }), s("path", { class: `ring ${kind}`, d })];
}

/** @param {Board} board @param {string} from @param {string} to */
function arrow(board, from, to) {
  const a = board.spaces.get(from);
  const b = board.spaces.get(to);
  if (!a || !b || a === b) return [];
  const H = board.hex;
  const d = Math.hypot(b.x - a.x, b.y - a.y);
  const [ux, uy] = [(b.x - a.x) / d, (b.y - a.y) / d];
  if (board.areas) {
    // From the edge of one row of counters to the edge of the other, gently bent.
    const gap = board.counter * 0.62;
    const [x0, y0, x1, y1] = [a.x + ux * gap, a.y + uy * gap, b.x - ux * gap * 1.5, b.y - uy * gap * 1.5];
    const bend = Math.min(18, d * 0.08);
    const [cx, cy] = [(x0 + x1) / 2 - uy * bend, (y0 + y1) / 2 + ux * bend];
    const line = `M${x0.toFixed(1)} ${y0.toFixed(1)}Q${cx.toFixed(1)} ${cy.toFixed(1)} ${x1.toFixed(1)} ${y1.toFixed(1)}`;
    const head = `M${x1 - uy * 13} ${y1 + ux * 13}L${x1 + ux * 22} ${y1 + uy * 22}L${x1 + uy * 13} ${y1 - ux * 13}Z`;
    return [s("path", { class: "attack-line case", d: line }), s("path", { class: "attack-arrow", d: head }), s("path", { class: "attack-line", d: line })];
  }
  const [mx, my] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
  const [l, w] = [H * 0.14, H * 0.12];
  return [s("path", { class: "attack-arrow", d: `M${mx - ux * l - uy * w} ${my - uy * l + ux * w}L${mx + ux * l * 1.3} ${my + uy * l * 1.3}L${mx - ux * l + uy * w} ${my - uy * l - ux * w}Z` })];
}

/** @param {Board} board @param {Lights["path"]} path */
export function drawPath(board, path) {
  const drawn = [];
  const tags = [];
  if (path && path.spaces.length > 1) {
    const H = board.hex;
    const points = path.spaces.map((id) => board.spaces.get(id)).filter(isSpace).map((space) => [space.x, space.y]);
    const d = spline(points);
    for (const id of path.touched ?? []) {
      const space = board.spaces.get(id);
      if (space) drawn.push(...ring(board, space, "threat touched"));
    }
    drawn.push(s("path", { class: "way case", d }), s("path", { class: "way", d }));
    for (const id of path.spaces.slice(1, -1)) {
      const space = board.spaces.get(id);
      if (!space || path.costs[id] === undefined) continue;
      drawn.push(s("g", { class: "bead", transform: `translate(${space.x} ${space.y})` }, s("circle", { r: H * 0.2 }), s("text", { y: H * 0.085, "font-size": H * 0.185 * inBead(costShort(path.costs[id])) }, costShort(path.costs[id]))));
    }
    const end = points[points.length - 1];
    const ghost = path.ghost && board.pieces.get(path.ghost);
    if (ghost) {
      const spot = { x: end[0], y: end[1] + (board.areas ? 0 : H * 0.055), size: board.counter };
      const el = board.drawPiece(ghost, spot, "ghost");
      el.removeAttribute("data-unit");
      drawn.push(el);
    }
    if (path.tag) tags.push(tag(board, end[0], end[1] - H * 0.72, path.tag));
  }
  board.layers.path.replaceChildren(...drawn);
  board.layers.tags.replaceChildren(...tags);
}

/** @param {Board} board @param {number} x @param {number} y @param {string} text @param {string} [kind] */
export function tag(board, x, y, text, kind = "") {
  const k = Math.max(board.hex / 60, 0.75);
  const width = (text.length * 6.6 + 26) * k;
  return s("g", { class: `tag ${kind}`, transform: `translate(${x} ${y})` }, s("rect", { x: -width / 2, y: -13 * k, width, height: 26 * k, rx: 13 * k }), s("text", { y: 5 * k, "font-size": 14 * k }, text));
}

/** Where something just went, for those who want no motion. @param {Board} board @param {string[]} ids */
function drawTrail(board, ids) {
  const points = ids.map((id) => board.spaces.get(id)).filter(isSpace).map((space) => [space.x, space.y]);
  if (points.length > 1) board.layers.path.append(s("path", { class: "trail", d: spline(points) }));
}
