// Units, places and clocks in words.

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Piece} Piece */

/** A unit in one line. @param {Piece} piece */
export function pieceLine(piece) {
  const ratings = Object.entries(piece.ratings ?? {})
    .map(([label, value]) => `${label} ${value}`)
    .join(", ");
  const steps = piece.full_steps ? `${piece.steps ?? 0} of ${piece.full_steps} steps` : "";
  return [
    piece.name && piece.name !== piece.id ? `${piece.id} ${piece.name}` : piece.id,
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
