// Pointing: what lies under the mouse, and walking the map with the keyboard.

import { $, announce, dialog, h } from "./dom.js";
import { counterPicture } from "./board.js";
import { choose, NOTHING, pickUnit } from "./choices.js";
import { moveTo, showWay } from "./ways.js";
import { clickSpace, closeSheet, commit, consider, openChoices, pick } from "./choosing.js";
import { reachOf } from "./lights.js";
import { pieceLine, spaceLine } from "./words.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Piece} Piece */

/** @param {Play} play @param {string|null} unit @param {string|null} space @param {number} x @param {number} y */
export function hover(play, unit, space, x, y) {
  clearTimeout(play.hoverTimer);
  play.tip.hidden = true;
  if (!play.armed) showWay(play, moveTo(play, space));
  if (!unit && !space) return;
  if (unit) play.board.raise(unit);
  play.hoverTimer = window.setTimeout(() => {
    // Who is chosen is told beside the map: a line would lie over where it may go.
    if (!play.state || !play.title || play.armed || !play.menu.hidden || (unit && play.picks.units.includes(unit))) return;
    const piece = unit ? play.piece(unit) : null;
    play.tip.textContent = piece ? pieceLine(piece) : spaceLine(play, space ?? "");
    play.tip.hidden = false;
    // Where a move would end its ghost stands: the line keeps clear of it.
    const off = play.aimed ? Math.max(30, play.board.counter * play.board.scale * 0.62) : 0;
    play.tip.style.left = `${Math.min(x + 14 + off, play.board.el.clientWidth - play.tip.offsetWidth - 8)}px`;
    play.tip.style.top = `${Math.min(y + 16 + off, play.board.el.clientHeight - play.tip.offsetHeight - 8)}px`;
  }, 250);
}

/** The next unit or space that can act. @param {Play} play @param {number} by */
export function nextUnit(play, by) {
  if (!play.mayAct) return;
  const { units, spaces } = choose(play.state.actions, NOTHING, play.spaceOf);
  const list = [...units].filter((unit) => play.spaceOf(unit) || true);
  if (!list.length) {
    const places = [...spaces];
    if (!places.length) {
      $(".prompt .btn:not(.quiet, .leave, [disabled])", play.el)?.focus();
      return;
    }
    const at = places.indexOf(play.board.cursor ?? "");
    play.board.setCursor(places[(at + by + places.length) % places.length]);
    readCursor(play);
    return;
  }
  const now = list.indexOf(play.picks.units[0] ?? play.looked ?? "");
  const unit = list[(now + by + list.length) % list.length];
  play.picks = NOTHING;
  play.armed = null;
  closeSheet(play);
  play.picks = { units: [unit], spaces: [] };
  play.looked = unit;
  const space = play.spaceOf(unit);
  if (space) play.board.setCursor(space);
  play.refresh();
  const piece = play.piece(unit);
  announce(
    `${piece ? pieceLine(piece) : unit}${space ? `, in ${play.spaceName(space)}` : ""}. ${whatItCan(play)}`,
  );
}

/** The few things the chosen unit can do, or how many. @param {Play} play */
function whatItCan(play) {
  const { fits, spaces } = play.choices();
  if (fits.length <= 4) return `It can: ${fits.map((action) => action.label).join("; ")}.`;
  return spaces.size ? `${spaces.size} places to go to; the arrow keys lead there.` : `${fits.length} actions, B leads to them.`;
}

/** @param {Play} play */
export function readCursor(play) {
  const id = play.board.cursor;
  if (!id) return;
  const stack = play.board.stacks.get(id) ?? [];
  const { spaces } = play.choices();
  if (!play.armed) showWay(play, moveTo(play, id));
  const unit = play.picks.units[0];
  const cost = reachOf(play, unit)?.[id];
  announce(
    `${spaceLine(play, id, true)}. ${stack.length ? stack.map((piece) => pieceLine(piece)).join("; ") : "Empty"}. ${spaces.has(id) ? `May be chosen${cost ? `, ${/[a-z]/i.test(cost) ? cost : `costs ${cost}`}` : ""}.` : ""}`,
  );
}

/** @param {Play} play */
export function enter(play) {
  if (play.armed) {
    commit(play, play.armed.action);
    return;
  }
  const id = play.board.cursor;
  if (!id) {
    play.board.walk(0, 0);
    readCursor(play);
    return;
  }
  const space = play.board.spaces.get(id);
  const at = play.board.toScreen(space?.x ?? 0, space?.y ?? 0);
  const { exact, fits, spaces, units } = play.choices();
  const how = { touch: false, shift: false, ...at };
  const here = play.picks.units.length > 0 && play.spaceOf(play.picks.units[0]) === id;
  // One order is left for the unit that N went to, such as that of its whole formation.
  if (here && fits.length === 1 && !fits[0].spaces.length) {
    consider(play, fits[0], true);
    return;
  }
  // The unit that N went to is chosen already: Enter asks what it shall do.
  if (exact.length && !spaces.has(id) && here) {
    if (exact.length > 1) openChoices(play, exact, at);
    else consider(play, exact[0], true);
    return;
  }
  if (spaces.has(id)) {
    clickSpace(play, id, how);
    return;
  }
  const stack = play.board.stacks.get(id) ?? [];
  const lit = stack.filter((piece) => units.has(piece.id));
  if (lit.length > 1) {
    chooseUnit(play, lit);
    return;
  }
  if (lit.length) {
    play.looked = lit[0].id;
    const next = pickUnit(play.state.actions, play.picks, lit[0].id, play.spaceOf);
    if (next) pick(play, next, how);
    return;
  }
  clickSpace(play, id, how);
}

/** Several units to act in one space. @param {Play} play @param {Piece[]} pieces */
export function chooseUnit(play, pieces) {
  const box = dialog(
    "Which unit?",
    h(
      "div",
      { class: "choice-list" },
      pieces.map((piece, at) =>
        h(
          "button",
          {
            type: "button",
            class: "choice",
            data: { digit: at + 1 },
            onclick: () => {
              box.close();
              play.board.el.focus();
              play.looked = piece.id;
              const next = pickUnit(play.state.actions, play.picks, piece.id, play.spaceOf);
              if (next) pick(play, next, { touch: false, shift: false, x: 40, y: 40 });
            },
          },
          counterPicture(piece, 40),
          h("span", { class: "grow" }, pieceLine(piece)),
          h("kbd", null, at + 1),
        ),
      ),
    ),
  );
}
