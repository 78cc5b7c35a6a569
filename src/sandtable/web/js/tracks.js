// The tracks beside the map: turns and points as boxes, the formation that acts, levels by formation, chits in hand.

import { capital, h, icon, mark, put } from "./dom.js";
import { keep, recall } from "./api.js";
import { counterPicture } from "./board.js";
import { overlayGroup } from "./overlays.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Track} Track */
/** @typedef {import("./types.js").Piece} Piece */

/** @param {Play} play @param {Element} el */
export function drawTracks(play, el) {
  const tracks = play.view.tracks ?? [];
  const sort = (/** @type {Track} */ track) => track.id.split("-")[0];
  const many = new Set(tracks.map(sort).filter((name, _, all) => all.filter((each) => each === name).length >= 4));
  const listed = tracks.filter((track) => many.has(sort(track)));
  const lead = formationThatActs(play);
  const points = lead && tracks.find((track) => track.id === `ap-${lead.side}`);
  const alone = tracks.filter((track) => !listed.includes(track) && track !== points);
  // Several things that lie there with names; one alone is a fact.
  const named = alone.filter((track) => (track.cards?.length ?? 0) > 1);
  const cells = alone.filter((track) => !named.includes(track) && isNumber(track) && (track.maximum ?? 0) <= 20);
  const rest = alone.filter((track) => !cells.includes(track) && !named.includes(track));
  // What tells the time first, then who acts, levels, points left, and everything else.
  const boxed = cells.filter((track) => !inPips(track));
  const box = (/** @type {Track[]} */ some) => some.length > 0 && h("div", { class: "cells" }, some.map((track) => cellTrack(play, track)));
  const listings = (/** @type {boolean} */ levels) => [...many].filter((name) => (name === "level") === levels).map((name) => listing(play, name, listed.filter((track) => sort(track) === name)));
  put(
    el,
    box(boxed),
    lead && formationCard(play, lead, points),
    listings(true),
    box(cells.filter(inPips)),
    named.map((track) => h("div", { class: "card-track" }, h("span", { class: "lab" }, play.sentence(track.name)), cards(track), track.detail && h("p", { class: "mut" }, track.detail))),
    rest.length > 0 && h("dl", { class: "facts" }, rest.map((track) => fact(play, track))),
    listings(false),
  );
}

/** What is spent is shown as pips, unless it is named. @param {Track} track */
function inPips(track) {
  return !!track.spent && !track.cards?.length;
}

/** Chits and air units as they lie there. @param {Track} track */
function cards(track) {
  return h("ul", { class: "chits" }, (track.cards ?? []).map(({ name, note, state }) =>
    h("li", { class: `chit ${state ?? ""} ${name ? "" : "none"}`, "aria-label": name ? null : "still to come" }, track.sign === "air" && icon("plane", 17), h("b", null, name ?? ""), (note || state) && h("span", null, note || state))));
}

/** @param {Track} track */
function isNumber(track) {
  return track.number !== null && track.number !== undefined && !!track.maximum;
}

/** The headquarters of the one formation whose units may act now. @param {Play} play @returns {Piece|null} */
export function formationThatActs(play) {
  if (!play.mayAct) return null;
  // While a stack is on the move only places are chosen: those whose reach is shown are acting.
  const lit = [...play.choices().units];
  const units = (lit.length ? lit : Object.keys(play.view.reach ?? {})).map((id) => play.piece(id));
  const names = new Set(units.map((piece) => piece?.formation ?? ""));
  const [name] = names;
  if (names.size !== 1 || !name) return null;
  return (play.view.pieces ?? []).find((piece) => piece.formation === name && piece.side === units[0]?.side && piece.kind === "hq") ?? null;
}

/** @param {Play} play @param {Piece} lead @param {Track|null|undefined} points */
function formationCard(play, lead, points) {
  const level = (play.view.tracks ?? []).find((track) => track.id.startsWith("level-") && track.name.startsWith(`${lead.formation} `));
  const supply = (play.view.overlays ?? []).find((overlay) => overlayGroup(overlay.id) === "supply" && overlay.formation === lead.formation);
  const said = [...(lead.states ?? []).map((state) => play.sentence(capital(state), true).join("")), supply && (supply.cut ? "no supply path" : "in supply"), level && `activation level ${level.value} of ${level.maximum}`].filter(Boolean).join(", ");
  return h(
    "div",
    { class: "acts" },
    counterPicture(lead, 56),
    h(
      "div",
      { class: "grow" },
      h("h2", null, lead.name || lead.formation),
      h("p", { class: "mut" }, said),
      points && h("div", { class: "row" }, h("span", { class: "lab" }, play.sentence("Action points")), pips(points)),
    ),
  );
}

/** @param {Track} track */
function pips(track) {
  const count = track.maximum ?? 0;
  return h(
    "span",
    { class: "pips", role: "img", "aria-label": `${track.name}: ${track.value} of ${count}` },
    Array.from({ length: count }, (_, at) => h("i", { class: at < (track.number ?? 0) ? "on" : "" })),
    h("b", { class: "fig" }, track.value),
  );
}

/** @param {Play} play @param {Track} track */
function cellTrack(play, track) {
  const count = track.maximum ?? 0;
  const now = track.number ?? 0;
  if (inPips(track))
    return h("div", { class: `track ${count > 6 ? "wide" : ""}` }, h("span", { class: "lab" }, h("span", null, play.sentence(track.name))), pips(track));
  const first = now === 0 || track.boxes ? 0 : 1;
  return h(
    "div",
    { class: `track ${count > 8 ? "wide" : ""}` },
    h("span", { class: "lab" }, h("span", null, play.sentence(track.name)), !/^\d+$/.test(track.value) && h("span", { class: "track-value" }, track.value)),
    h(
      "span",
      { class: "row-cells", role: "img", "aria-label": `${track.name}: ${track.value}, ${now} of ${count}` },
      Array.from({ length: count + 1 - first }, (_, at) => at + first).map((n) =>
        h("i", { class: n === now ? "on" : n < now ? "gone" : "" }, track.boxes?.[n] ?? n),
      ),
    ),
  );
}

/** A sign that helps to find a fact again; shown where facts are cards. @param {Track} track */
function signOf(track) {
  const found = /** @type {Record<string, string>} */ ({ weather: "sun", supply: "supply", air: "plane", points: "flag", losses: "x", marker: "shield" })[track.sign ?? ""];
  return found ? icon(found, 17) : null;
}

/** @param {Play} play @param {Track} track */
function fact(play, track) {
  const side = play.title.sides.find((each) => each === track.value || play.nameOf(each) === track.value);
  const share = isNumber(track) ? Math.min(100, (100 * Math.max(0, track.number ?? 0)) / (track.maximum ?? 1)) : null;
  const long = track.name.length + track.value.length > 24;
  return h(
    "div",
    { class: long ? "long" : "", title: track.detail || null },
    h("dt", null, signOf(track), play.sentence(track.name)),
    h(
      "dd",
      { class: "fig" },
      share !== null && h("span", { class: "meter", "aria-hidden": "true" }, h("span", { style: { width: `${share}%` } })),
      side ? h("span", { class: "side" }, mark(side), play.nameOf(side)) : capital(track.value),
    ),
    track.detail && h("dd", { class: "detail" }, track.detail),
  );
}

/** Many tracks of one kind: levels of formations, what is assigned to them, or one side's chits. @param {Play} play @param {string} name @param {Track[]} tracks */
function listing(play, name, tracks) {
  if (name !== "level") return folded(name, sentence(play, name), h("ul", null, tracks.map((track) => row(play, track))), name !== "assigned" && (play.title.sides.every((side) => side !== name) || name === play.me));
  const sideOf = (/** @type {Track} */ track) => (play.view.pieces ?? []).find((piece) => piece.formation === shortName(track))?.side ?? "";
  return play.title.sides
    .map((side) => ({ side, own: tracks.filter((track) => sideOf(track) === side) }))
    .filter(({ own }) => own.length)
    .sort((a, b) => Number(b.side === play.me) - Number(a.side === play.me))
    .map(({ side, own }) =>
      folded(`level.${side}`, `${play.nameOf(side)} formations: activation level`, h("ul", { class: "levels" }, own.map((track) => row(play, track))), side === play.me || innerWidth >= 2200),
    );
}

/** @param {Play} play @param {string} name */
function sentence(play, name) {
  const side = play.title.sides.find((each) => each === name);
  return side ? `${play.nameOf(side)} actions and chits` : name === "assigned" ? "Assigned units" : name;
}

/** @param {string} name @param {string} words @param {HTMLElement} content @param {boolean} open */
function folded(name, words, content, open) {
  return h(
    "details",
    { class: "formation-tracks", open: recall(`tracks.${name}`, open), ontoggle: /** @param {Event} event */ (event) => keep(`tracks.${name}`, /** @type {HTMLDetailsElement} */ (event.target).open) },
    h("summary", { class: "lab" }, words),
    content,
  );
}

/** @param {Track} track */
function shortName(track) {
  return track.name.replace(/^(activation )?level( of)? /i, "").replace(/^assigned (to )?/i, "").replace(/,? activation level$/i, "");
}

/** @param {Play} play @param {Track} track */
function row(play, track) {
  const short = shortName(track);
  if (track.cards?.length) return h("li", { class: "chit-row" }, h("span", { class: "lab" }, short), cards(track));
  const colour = track.id.startsWith("level-") ? play.board.formationColour(short) : "";
  return h(
    "li",
    null,
    colour && h("i", { class: "swatch", style: { background: colour }, "aria-hidden": "true" }),
    h("span", { class: "grow" }, short),
    colour && supplyOf(play, short),
    h("b", { class: "fig" }, track.value, track.maximum ? `/${track.maximum}` : ""),
    isNumber(track) && h("span", { class: "steps-bar", "aria-hidden": "true" }, Array.from({ length: track.maximum ?? 0 }, (_, at) => h("i", { class: at < (track.number ?? 0) ? "on" : "" }))),
  );
}

/** Whether a formation is in supply, if the map knows its path. @param {Play} play @param {string} name */
function supplyOf(play, name) {
  const found = (play.view.overlays ?? []).find((overlay) => overlayGroup(overlay.id) === "supply" && overlay.formation === name);
  if (!found?.text) return null;
  const { cut } = found;
  return h("span", { class: `in-supply ${cut ? "cut" : ""}`, title: found.text }, cut ? "no path" : "supplied");
}

/** What a player has in hand and has left, over the map while the combat sheet lies on the tracks. @param {Play} play */
export function handCard(play) {
  const { me } = play;
  play.hand.hidden = play.sheet.hidden || !me;
  if (play.hand.hidden) return;
  const tracks = play.view.tracks ?? [];
  const mine = tracks.filter((track) => [`ap-${me}`, `${me}-actions`, `${me}-hand`].includes(track.id) && (track.cards?.length || (track.spent && isNumber(track))));
  play.hand.hidden = !mine.length;
  put(
    play.hand,
    mine.map((track) => h("div", { class: track.id.endsWith("hand") ? "own" : "" }, h("span", { class: "lab" }, track.name), track.cards?.length ? cards(track) : pips(track))),
  );
}
