// The way a move will take: asked of the server, which goes the same way when the move is made.

import { costShort } from "./geometry.js";
import { overlayGroup } from "./overlays.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Action} Action */
/** @typedef {import("./types.js").Leg} Leg */

const REST = 40;

/** The way of an action, asked for once in a position. @param {Play} play @param {Action} action @returns {Promise<Leg[]>} */
function ask(play, action) {
  if (play.waysAt !== play.state.seq) {
    play.ways.clear();
    play.waysAt = play.state.seq;
  }
  const known = play.ways.get(action.text);
  if (known) return known;
  const asked = play.live.ask("way", { action: action.text }).then(
    (answer) => /** @type {Leg[]} */ (answer.way ?? []),
    () => [],
  );
  play.ways.set(action.text, asked);
  return asked;
}

/** The move to a space that the picks allow, if there is only one sort of it. @param {Play} play @param {string|null} space */
export function moveTo(play, space) {
  if (!space || !play.mayAct || !play.choices().spaces.has(space)) return null;
  const fits = play.choices().fits.filter((action) => action.spaces.length === 1 && action.spaces[0] === space);
  if (!play.picks.units.length && fits.some((action) => action.units.length)) return null;
  return fits[0] ?? null;
}

/** Draw the way of an action as soon as it is known, unless something else is pointed at by then. @param {Play} play @param {Action|null} action */
export function showWay(play, action) {
  if (action && play.aimed === action.text) return;
  clearTimeout(play.aimTimer);
  play.board.drawPath(null);
  play.aimed = action?.text ?? "";
  if (!action?.spaces.length) return;
  play.aimTimer = window.setTimeout(async () => {
    const legs = await ask(play, action);
    if (play.aimed === action.text && legs.length > 1) play.board.drawPath(drawn(play, action, legs));
  }, REST);
}

/** What a unit has in all, where that is printed and not exceeded. @param {string|undefined} printed @param {string} spent */
function limit(printed, spent) {
  return printed && /^\d+$/.test(printed) && parseFloat(spent) <= Number(printed) && !/ of /.test(spent) ? ` of ${printed}` : "";
}

/** Where enemies stand whose zones the way enters: next to a step that the zones of the other side cover. @param {Play} play @param {Leg[]} legs */
function touched(play, legs) {
  const { board, me } = play;
  const zones = (play.view.overlays ?? []).filter((overlay) => overlayGroup(overlay.id) === "zones" && overlay.side !== me);
  const held = new Set(zones.flatMap((overlay) => overlay.spaces ?? []));
  const near = legs.slice(1).filter((leg) => held.has(leg.space)).flatMap((leg) => Object.values(board.spaces.get(leg.space)?.neighbours ?? {}));
  return [...new Set(near)].filter((id) => board.stacks.get(id)?.some((piece) => piece.side !== me));
}

/** @param {Play} play @param {Action} action @param {Leg[]} legs */
function drawn(play, action, legs) {
  const unit = action.units[0] ?? play.picks.units[0] ?? Object.keys(play.view.reach ?? {})[0];
  const last = legs[legs.length - 1].cost;
  const ratings = play.piece(unit ?? "")?.ratings;
  const most = ratings?.MF;
  const word = /[A-Z]/.test(last) ? "" : " MP";
  const halts = play.view.stops?.[unit ?? ""]?.[legs[legs.length - 1].space] ? ", must stop" : "";
  return {
    spaces: legs.map((leg) => leg.space),
    touched: touched(play, legs),
    costs: Object.fromEntries(legs.map((leg) => [leg.space, leg.cost])),
    ghost: unit,
    tag: (most && /^\d+$/.test(most) ? `${parseFloat(last)} of ${most} MF` : `${costShort(last)}${limit(ratings?.movement, last)}${word}`) + halts,
  };
}
