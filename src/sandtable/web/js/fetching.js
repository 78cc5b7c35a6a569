// What a game needs from the server beside its state: the map, counters, and what this browser keeps of it.

import { api, cached, keepSeat, mySeats, theme, titleInfo } from "./api.js";
import { drawOverview } from "./looking.js";
import { drawTop } from "./frame.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Piece} Piece */

/** All that the map needs; asked for at once where the title is known. @param {string} id */
export function fetchMap(id) {
  return /** @type {const} */ ([
    titleInfo(id),
    cached(`titles/${id}/board`),
    cached(`titles/${id}/board.svg?theme=${theme()}`),
  ]);
}

/** @param {Play} play */
export function remember(play) {
  const known = mySeats().find((each) => each.game === play.id);
  const mine =
    play.state.you === "both" ? Object.keys(play.state.players ?? {}) : play.state.you ? [play.state.you] : [];
  if (!mine.length && known?.mode !== "watch") return;
  keepSeat({
    game: play.id,
    title: play.state.view.title,
    mode: known?.mode ?? (play.state.you === "both" ? "hotseat" : "link"),
    at: Date.now(),
    over: !!play.state.outcome,
    levels: play.title.sides.flatMap((side) => play.state.players?.[side]?.level ?? []),
    seats: { ...known?.seats, ...Object.fromEntries(mine.map((side) => [side, known?.seats?.[side] ?? play.seat])) },
  });
}

/** @param {Play} play @param {Piece[]} pieces */
export async function fetchArt(play, pieces) {
  const keys = [
    ...new Set(pieces.map((piece) => piece.art ?? "").filter((key) => key && !play.board.known.has(key))),
  ];
  if (!keys.length) return;
  const title = play.state?.view.title;
  try {
    play.board.learn(await api(`art/${title}`, { keys }));
  } catch (error) {
    console.warn("counters", error);
  }
}

/** @param {Play} play */
export async function drawGround(play) {
  if (!play.title) return;
  play.board.setGround(await cached(`titles/${play.title.id}/board.svg?theme=${theme()}`));
  drawOverview(play, true);
  drawTop(play);
}
