// Units, places and clocks in words.

import { costShort } from "./geometry.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").Sheet} Sheet */

/** Letters and digits alone: 18.Flak and 18 Flak are one. @param {string} text */
function bare(text) {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** What a unit is called, with its short name where that says something else. @param {Piece} piece */
export function pieceName(piece) {
  const name = piece.name || piece.id;
  return bare(name).includes(bare(piece.id)) ? name : `${name} (${piece.id})`;
}

/** Short names that are printed otherwise, by the pieces of a view. @type {WeakMap<Piece[], Map<string, string>>} */
const printed = new WeakMap();

/**
 * A sentence of a title as a player reads it: names as they are printed, real fractions.
 * @param {Play} play @param {string} text
 */
export function tidy(play, text) {
  const pieces = play.view.pieces ?? [];
  let names = printed.get(pieces);
  if (!names) {
    names = new Map();
    for (const { id, name, formation } of pieces) {
      if (name && name !== id && bare(name) === bare(id)) names.set(id, name);
      const short = formation?.replace(/[^A-Za-z0-9]/g, "");
      if (short && formation && short !== formation) names.set(short, formation);
    }
    printed.set(pieces, names);
  }
  const known = names;
  return text
    .replace(/[^\s(),;:]+?(?=\.?(?:[\s(),;:]|$))/g, (word) => known.get(word) ?? word)
    .replace(/\b\d+\.(25|5|75|33|67|17|83)(?= (Movement|MPs?\b|MFs?\b|of \d))/g, (figure) => costShort(figure));
}

/** A unit in one line. @param {Piece} piece */
export function pieceLine(piece) {
  const ratings = Object.entries(piece.ratings ?? {})
    .map(([label, value]) => `${label} ${value}`)
    .join(", ");
  const steps = piece.full_steps ? `${piece.steps ?? 0} of ${piece.full_steps} steps` : "";
  return [
    pieceName(piece),
    ratings,
    steps,
    (piece.states ?? []).join(", "),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** A place in one line. @param {Play} play @param {string} id */
export function spaceLine(play, id) {
  const space = play.board.spaces.get(id);
  if (!space) return id;
  const held = play.view.control?.[id];
  return [
    play.spaceName(id),
    [space.terrain ?? []].flat().join(", "),
    space.vp ? `${space.vp} victory point${space.vp > 1 ? "s" : ""}` : "",
    held ? `held by ${play.nameOf(held)}` : "",
    space.status === "reconstructed" ? "reconstructed" : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/** @param {any} clock */
export function clockText(clock) {
  const ms = typeof clock === "number" ? clock : (clock?.left ?? clock?.ms ?? 0);
  const seconds = Math.max(0, Math.round(ms > 1e6 ? ms / 1000 : ms));
  const days = Math.floor(seconds / 86400);
  if (days > 1) return `${days} days`;
  const hours = Math.floor(seconds / 3600);
  return hours
    ? `${hours}:${String(Math.floor((seconds % 3600) / 60)).padStart(2, "0")} h`
    : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A combat in sentences: who fights, who is left out, the column, what each face does. @param {Play} play @param {Sheet} sheet */
export function sheetWords(play, sheet) {
  const force = (/** @type {import("./types.js").Force} */ each) =>
    `${play.nameOf(each.side)} ${each.total}: ${each.parts.map((part) => `${part.unit} ${part.value ?? ""}`.trim()).join(", ")}.`;
  const left = [...(sheet.attacker.left_out ?? []), ...(sheet.defender.left_out ?? [])];
  const likely = sheet.columns?.columns.filter((column) => column.probability) ?? [];
  const column = sheet.columns
    ? `${sheet.columns.ratio} reads as ${likely.map((each) => each.name).join(" or ")}; ${sheet.columns.next}.`
    : "";
  const results = new Map(sheet.results.map((result) => [result.text, result]));
  const faces = sheet.faces.map(({ face, result }) => {
    const found = results.get(result);
    const words = (/** @type {string[]|undefined} */ each) => each?.join(", ") || "nothing";
    return `${face}: attacker ${words(found?.attacker)}, defender ${words(found?.defender)}`;
  });
  return [
    force(sheet.attacker),
    force(sheet.defender),
    ...left.map((part) => `${part.unit} is left out. ${part.why ?? ""} Rule ${part.rule ?? ""}.`),
    column,
    `${sheet.dice}. ${faces.join("; ")}.`,
  ].filter(Boolean);
}
