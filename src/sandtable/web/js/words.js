// Units, places and clocks in words.

import { capital } from "./dom.js";
import { costShort } from "./geometry.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").Sheet} Sheet */

/** Letters and digits alone: 18.Flak and 18 Flak are one. @param {string} text */
export function bare(text) {
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
    .replace(/\b\d+\.(25|5|75|33|67|17|83|08|42|58|92|2|4|6|8)(?= (Movement|MPs?\b|MFs?\b|of \d))/g, (figure) => costShort(figure));
}

/** A unit in one line. @param {Piece} piece */
export function pieceLine(piece) {
  const ratings = Object.entries(piece.ratings ?? {})
    .map(([label, value]) => `${label} ${value}`)
    .join(", ");
  const steps = piece.full_steps && piece.steps !== undefined ? `${piece.steps} of ${piece.full_steps} steps` : "";
  return [
    pieceName(piece),
    ratings,
    steps,
    (piece.states ?? []).join(", "),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** A place in one line. @param {Play} play @param {string} id @param {boolean} [brief] without where its values come from */
export function spaceLine(play, id, brief = false) {
  const space = play.board.spaces.get(id);
  if (!space) return id;
  const held = play.view.control?.[id];
  return [
    play.spaceName(id),
    [[space.terrain ?? []].flat().join(", "), space.status === "reconstructed" && !brief ? "as reconstructed" : ""].filter(Boolean).join(", "),
    space.vp ? `${space.vp} victory point${space.vp > 1 ? "s" : ""}` : "",
    held ? `held by ${play.nameOf(held)}` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/** The places a question names: of hexes by number, of areas in brackets. @param {Play} play @param {string} [text] */
export function namedPlaces(play, text = play.view.prompt) {
  const named = text.matchAll(play.board.areas ? /\((\w+)\)/g : /\b([A-Z]\d{1,2}|\d{4})\b/g);
  return [...named].map((found) => found[1]).filter((id) => play.board.spaces.has(id));
}

/** @type {Record<string, string>} */
const WAYS = { N: "north", NE: "north-east", E: "east", SE: "south-east", S: "south", SW: "south-west", W: "west", NW: "north-west" };

/** A direction as a word, if it is one. @param {string} way */
export function wayWord(way) {
  return WAYS[way] ?? "";
}

/** What runs to or along the sides of a place: "trail north-west and south". @param {Play} play @param {string} id */
export function sideWords(play, id) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const [way, what] of Object.entries(play.board.spaces.get(id)?.sides ?? {}))
    for (const each of [what].flat()) if (wayWord(way)) found.set(each, [...(found.get(each) ?? []), wayWord(way)]);
  return [...found].map(([what, ways]) => `${what.replaceAll("-", " ").replaceAll("_", " ")} ${ways.length > 1 ? `${ways.slice(0, -1).join(", ")} and ${ways.at(-1)}` : ways[0]}`).join("; ");
}

/** A path in a sentence: where it begins, how many spaces it runs which way, where it bends and ends. @param {Play} play @param {string[]} line */
export function pathWords(play, line) {
  /** @type {{way: string, many: number, end: string}[]} */
  const runs = [];
  line.slice(1).forEach((id, at) => {
    const near = play.board.spaces.get(line[at])?.neighbours ?? {};
    const way = wayWord(Object.keys(near).find((key) => near[key] === id) ?? "");
    const last = runs.at(-1);
    if (last && way && last.way === way) Object.assign(last, { many: last.many + 1, end: id });
    else runs.push({ way, many: 1, end: id });
  });
  // A row of hexes due west runs north-west and south-west by turns.
  for (let at = 0; at < runs.length; at += 1) {
    const [a, b] = [runs[at].way, runs[at + 1]?.way];
    let end = at;
    while (end < runs.length && runs[end].many === 1 && runs[end].way === ((end - at) % 2 ? b : a)) end += 1;
    const due = /^(?:north|south)-(west|east) (?:north|south)-\1$/.exec(`${a} ${b}`)?.[1];
    if (due && end - at > 2) runs.splice(at, end - at, { way: due, many: end - at, end: runs[end - 1].end });
  }
  return `from ${play.spaceName(line[0])}${runs.map(({ way, many, end }) => ` ${way ? `${many} ${way} ` : ""}to ${play.spaceName(end)}`).join(",")}`;
}

/** Kinds of units as one says them. @type {Record<string, string>} */
const KINDS = { hq: "headquarters", at: "anti-tank guns", armor: "armour", "heavy armor": "heavy armour", recon: "reconnaissance" };

/** @param {Piece} piece */
export function kindWord(piece) {
  return KINDS[piece.kind ?? ""] ?? piece.kind ?? "";
}

/** German, Free French. @param {Piece} piece */
export function nationName(piece) {
  return (piece.nation ?? "").replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** A unit in sentences, as it is read aloud. @param {Piece} piece */
export function pieceWords(piece) {
  const kind = kindWord(piece);
  const what = [`${nationName(piece)} ${kind}`.trim() || "not identified", piece.formation].filter(Boolean).join(", ");
  const ratings = Object.entries(piece.ratings ?? {}).map(([label, value]) => `${label} ${value}`);
  const steps = piece.full_steps && piece.steps !== undefined && piece.steps !== piece.full_steps ? [`${piece.steps} of ${piece.full_steps} steps`] : [];
  const values = [...ratings, ...steps].join(", ");
  const states = (piece.states ?? []).join(", ");
  return [what, values, states].filter(Boolean).map((part) => part.replace(/^./, (letter) => letter.toUpperCase())).join(". ");
}

/** The Axis decides, the Allies decide. @param {string} side */
export function decides(side) {
  return `${side} decide${/[^i]s$/.test(side) ? "" : "s"}`;
}

/** "general:5" thinks five seconds for a plan. @param {string|undefined} level */
export function levelName(level) {
  const [name, seconds] = (level || "opponent").split(":");
  return `${capital(name)}${seconds ? `, ${seconds} s` : ""}`;
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

/** @param {import("./types.js").Effect[]} effects */
function effectWords(effects) {
  return effects.map((effect) => effect.text).join(", ");
}

/** What comes of a combat in words rather than the code of its table. @param {Sheet|null|undefined} sheet @param {string} text */
export function outcomeWords(sheet, text) {
  const found = sheet?.results.find((result) => result.text === text);
  if (!found) return text;
  const both = [found.attacker?.length ? `attacker ${effectWords(found.attacker)}` : "", found.defender?.length ? `defender ${effectWords(found.defender)}` : ""];
  return both.filter(Boolean).join("; ") || "no effect";
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
    const words = (/** @type {import("./types.js").Effect[]|undefined} */ each) => effectWords(each ?? []) || "nothing";
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
