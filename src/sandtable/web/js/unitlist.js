// All units by side and formation: the formation that acts lies open, the others show their counters in a strip.

import { h, mark } from "./dom.js";
import { counterPicture } from "./board.js";
import { goTo } from "./looking.js";
import { formationThatActs } from "./tracks.js";
import { nationName } from "./words.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Piece} Piece */

/** What was opened or closed by hand. @type {Map<string, boolean>} */
const opened = new Map();

/** @param {Play} play */
export function unitList(play) {
  const sides = [...play.title.sides].sort((a, b) => Number(b === play.me) - Number(a === play.me));
  const lead = (play.piece(play.picks.units[0] ?? play.looked ?? "") ?? formationThatActs(play))?.formation;
  return h(
    "div",
    { class: "roster" },
    sides.map((side) => {
      const own = (play.view.pieces ?? []).filter((piece) => piece.side === side);
      const here = own.filter((piece) => piece.space).length;
      return own.length
        ? h(
            "section",
            null,
            h("h3", { class: "row" }, mark(side), h("span", { class: "grow" }, play.nameOf(side)), h("span", { class: "mut small" }, `${here} of ${own.length} on the map`)),
            [...groups(own)].sort(([a], [b]) => Number(b === lead) - Number(a === lead) || a.localeCompare(b)).map(([name, pieces]) => formation(play, side, name, pieces, name === lead)),
          )
        : null;
    }),
  );
}

/** @param {Piece[]} pieces @returns {Map<string, Piece[]>} */
function groups(pieces) {
  /** @type {Map<string, Piece[]>} */
  const found = new Map();
  for (const piece of pieces) {
    const name = piece.formation || (nationName(piece) || "Other");
    found.set(name, [...(found.get(name) ?? []), piece]);
  }
  return found;
}

/** @param {Play} play @param {string} side @param {string} name @param {Piece[]} pieces @param {boolean} acts */
function formation(play, side, name, pieces, acts) {
  const key = `${play.title.id} ${side} ${name}`;
  const colour = play.board.formationColour(name);
  const here = pieces.filter((piece) => piece.space);
  return h(
    "details",
    { open: opened.get(key) ?? acts, ontoggle: /** @param {Event} event */ (event) => { opened.set(key, /** @type {HTMLDetailsElement} */ (event.target).open); } },
    h(
      "summary",
      null,
      colour && h("i", { class: "swatch", style: { background: colour }, "aria-hidden": "true" }),
      h("b", null, name),
      h("span", { class: "mut" }, here.length === pieces.length ? `${pieces.length}` : `${here.length} of ${pieces.length}`),
      h("span", { class: "roster-strip", "aria-hidden": "true" }, here.slice(0, 7).map((piece) => counterPicture(piece, 26))),
    ),
    h("ul", { class: "unit-list" }, pieces.map((piece) => entry(play, piece))),
  );
}

/** @param {Play} play @param {Piece} piece */
function entry(play, piece) {
  const values = Object.entries(piece.ratings ?? {}).map(([label, value]) => `${label} ${value}`).join(" · ");
  return h(
    "li",
    null,
    h(
      "button",
      { type: "button", class: "unit-card", onclick: () => { if (piece.space) goTo(play, piece.space, piece.id); } },
      counterPicture(piece, 42),
      h(
        "span",
        { class: "grow" },
        h("b", null, piece.name || piece.id),
        ` ${piece.space ? `in ${play.spaceName(piece.space)}` : (piece.place ?? "")}`,
        h("span", { class: "mut line" }, values),
        piece.states?.length ? h("span", { class: "states" }, piece.states.map((state) => h("span", { class: "state" }, state))) : null,
      ),
    ),
  );
}
