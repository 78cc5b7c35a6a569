// Counters that share a place: a stack in a hex, rows in an area, and a stack fanned out.

import { camp, s } from "./dom.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./board.js").Spot} Spot */
/** @typedef {import("./types.js").BoardSpace} BoardSpace */
/** @typedef {import("./types.js").Piece} Piece */

/** @param {Board} board @param {string} id @param {Piece[]} stack */
export function drawStack(board, id, stack) {
  const space = /** @type {BoardSpace} */ (board.spaces.get(id));
  const group = s("g", { class: "stack", data: { space: id } });
  if (board.areas) {
    const spots = rows(board, space, stack);
    stack.forEach((piece, at) => {
      board.spots.set(piece.id, spots[at]);
      group.append(board.drawPiece(piece, spots[at]));
    });
    // Where counters hide each other it says how many there are.
    const last = spots.reduce((best, spot) => (spot.x + spot.y > best.x + best.y ? spot : best));
    if (spots.some((spot) => spots.some((other) => other !== spot && other.y === spot.y && Math.abs(other.x - spot.x) < spot.size * 0.6))) group.append(badge(last, stack.length, board.counter * 0.15));
    return group;
  }
  const spot = { x: space.x, y: space.y + board.hex * 0.055, size: board.counter };
  const edges = Math.min(stack.length - 1, 3);
  for (let edge = edges; edge > 0; edge--) {
    const under = stack[Math.min(edge, stack.length - 1)];
    const by = edge * board.counter * 0.045;
    group.append(s("rect", { class: `edge ${camp(under.side)}`, x: spot.x - spot.size / 2 + by, y: spot.y - spot.size / 2 - by, width: spot.size, height: spot.size, rx: spot.size * (under.side === "axis" ? 0.03 : 0.13) }));
  }
  for (const piece of stack) board.spots.set(piece.id, spot);
  group.append(board.drawPiece(stack[0], spot));
  if (stack.length > 1) group.append(badge(spot, stack.length, board.counter * 0.15));
  return group;
}

/** How many counters there are. @param {Spot} spot @param {number} many @param {number} r */
function badge(spot, many, r) {
  return s("g", { class: "count", transform: `translate(${spot.x + spot.size * 0.47} ${spot.y + spot.size * 0.47})` }, s("circle", { r }), s("text", { y: r * 0.55, "font-size": r * 1.65 }, many));
}

/** How small counters of a crowded area may be drawn before they overlap: their figures can still be read. */
const LEAST = 0.74;

/** Counters of an area side by side, a row for each side where there is room; smaller where many share it. @param {Board} board @param {BoardSpace} space @param {Piece[]} stack @returns {Spot[]} */
function rows(board, space, stack) {
  const full = board.counter;
  const room = Math.max(space.slot?.w ?? full * 3.2, full);
  const deep = Math.max(1, Math.floor((space.slot?.h ?? full) / full));
  const sides = [...new Set(stack.map((piece) => piece.side))].map((side) => stack.filter((piece) => piece.side === side));
  const ordered = sides.flat();
  const half = Math.ceil(ordered.length / 2);
  const apart = sides.length > 1 && (deep > 1 || (!space.off_map && ordered.length > 3));
  const lines = apart ? sides : deep > 1 && ordered.length > room / (full * 0.9) ? [ordered.slice(0, half), ordered.slice(half)] : [ordered];
  const longest = Math.max(...lines.map((line) => line.length));
  const squeezed = lines.length > deep;
  // On open ground a crowd may stand a little wider than a row usually does.
  const wide = space.off_map ? room : Math.min(Math.max(room, longest * (full * LEAST + 1)), room * 1.35);
  const size = squeezed ? full * LEAST : Math.min(full, Math.max(full * LEAST, (wide - 2 * (longest - 1)) / longest));
  const top = squeezed ? space.y - ((lines.length - 1) * (size + 2)) / 2 : space.y;
  /** @type {Map<string, Spot>} */
  const spots = new Map();
  lines.forEach((line, row) => {
    const step = line.length > 1 ? Math.min(size + 2, (wide - size) / (line.length - 1)) : 0;
    line.forEach((piece, at) => spots.set(piece.id, { x: space.x - ((line.length - 1) * step) / 2 + at * step, y: top + row * (size + (squeezed ? 2 : 4)), size }));
  });
  return stack.map((piece) => /** @type {Spot} */ (spots.get(piece.id)));
}

/** @param {Board} board */
export function drawFan(board) {
  const parts = [];
  const space = board.fanned ? board.spaces.get(board.fanned) : null;
  const stack = board.fanned ? board.stacks.get(board.fanned) ?? [] : [];
  if (space && stack.length > 1) {
    const size = board.counter * 1.04;
    const perRow = Math.min(5, stack.length);
    const rows = Math.ceil(stack.length / perRow);
    const gap = size * 0.1;
    const width = perRow * (size + gap) + gap;
    const height = rows * (size + gap) + gap;
    const x = Math.min(Math.max(space.x, width / 2), board.data.width - width / 2);
    const y = Math.min(Math.max(space.y, height / 2), board.data.height - height / 2);
    parts.push(s("rect", { class: "fan-plate", x: x - width / 2, y: y - height / 2, width, height, rx: 12 }));
    stack.forEach((piece, at) => {
      const spot = { x: x - width / 2 + gap + size / 2 + (at % perRow) * (size + gap), y: y - height / 2 + gap + size / 2 + Math.floor(at / perRow) * (size + gap), size };
      const el = board.drawPiece(piece, spot, "fan");
      if (at < 9) el.append(s("g", { class: "digit", transform: `translate(${-size / 2 + 2} ${-size / 2 + 2})` }, s("circle", { r: size * 0.14 }), s("text", { y: size * 0.075, "font-size": size * 0.21 }, at + 1)));
      parts.push(el);
    });
  }
  board.layers.fan.replaceChildren(...parts);
}
