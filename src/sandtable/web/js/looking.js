// Looking: the first sight of the map, the overview, and going to a place.

import { $, camp, dialog, h, put, s } from "./dom.js";
import { theme } from "./api.js";
import { readCursor } from "./pointing.js";
import { namedPlaces, pieceLine, spaceLine } from "./words.js";

/** @typedef {import("./play.js").Play} Play */

/** @param {Play} play */
export function firstLook(play) {
  const board = play.board;
  // The whole map where it can be read as a whole.
  const readable = board.areas || board.fitScale() * board.hex >= 50;
  if ((readable && innerWidth >= 700) || !board.el.clientWidth) {
    board.fit();
    return;
  }
  const me = play.me;
  const { units, spaces } = play.choices();
  const focus = [...units]
    .map((unit) => play.spaceOf(unit))
    .concat([...spaces])
    .map((id) => board.spaces.get(id ?? ""))
    .filter((space) => !!space);
  const own = (play.view.pieces ?? [])
    .filter((piece) => piece.space && (!me || piece.side === me))
    .map((piece) => board.spaces.get(piece.space ?? ""))
    .filter((space) => !!space);
  const list = focus.length ? focus : own;
  const H = innerWidth < 700 ? 54 : innerWidth > 2200 ? 74 : 60;
  const scale = Math.max(H / board.hex, board.fitScale());
  if (!list.length) {
    board.centre(board.data.width / 2, board.data.height / 2, scale);
    return;
  }
  const middle = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
  board.centre(middle(list.map((space) => space.x)), middle(list.map((space) => space.y)), scale);
}

/** The prompt of a phone may grow over what was tapped: a fanned stack and a chosen unit stay in sight. @param {Play} play */
export function keepInSight(play) {
  const board = play.board;
  const place = board.fanned ?? play.spaceOf(play.picks.units[0] ?? play.looked ?? "");
  const at = place ? board.spaces.get(place) : null;
  if (innerWidth > 700 || play.armed || !at || !board.el.clientHeight) return;
  const half = board.fanned ? Math.min(5, board.stacks.get(board.fanned)?.length ?? 1) * 0.57 * board.counter * board.scale : 0;
  const { x } = board.toScreen(at.x, at.y);
  if (board.outOfSight(at.x, at.y, 48) || x < half || x > board.el.clientWidth - half) board.bring(at.x, at.y);
}

/** @param {Play} play */
export function look(play) {
  if (play.overview.hidden) return;
  const a = play.board.toBoard(0, 0);
  const b = play.board.toBoard(play.board.el.clientWidth, play.board.el.clientHeight);
  for (const each of play.overview.querySelectorAll(".window"))
    for (const [key, value] of Object.entries({ x: a.x, y: a.y, width: b.x - a.x, height: b.y - a.y }))
      each.setAttribute(key, String(value));
  const all = a.x <= 0 && a.y <= 0 && b.x >= play.board.data.width && b.y >= play.board.data.height;
  play.overview.classList.toggle("useless", all);
}

/** @param {Play} play @param {boolean} [anew] */
export function drawOverview(play, anew = false) {
  const box = play.overview;
  if (play.board.areas || innerWidth < 700) return;
  box.hidden = false;
  const { width, height } = play.board.data;
  if (!box.firstChild || anew) {
    const size = { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "xMidYMid meet" };
    const relief = `/api/titles/${play.title.id}/relief.webp?theme=${theme()}`;
    // Two drawings: the window moves with every frame, the ground below it stays.
    const ground = s("svg", size, s("image", { href: relief, width, height, preserveAspectRatio: "none" }));
    for (const name of ["coast", "minefields", "escarpments", "tracks", "roads"]) {
      const layer = play.board.ground.querySelector(`svg > .${name}`);
      if (layer) ground.append(layer.cloneNode(true));
    }
    const window = { class: "window", fill: "none" };
    put(box, ground, s("svg", { ...size, class: "over" }, s("g", { class: "dots" }), s("rect", { ...window, class: "window back" }), s("rect", window)));
    box.style.aspectRatio = `${width} / ${height}`;
  }
  const dots = /** @type {Element} */ (box.querySelector(".dots"));
  const r = Math.max(width, height) / 62;
  dots.innerHTML = [...play.board.stacks]
    .map(([id, stack]) => {
      const space = play.board.spaces.get(id);
      return space
        ? `<rect x="${space.x - r / 2}" y="${space.y - r / 2}" width="${r}" height="${r}" rx="${stack[0].side === "axis" ? 0 : r / 2}" class="${camp(stack[0].side)}"/>`
        : "";
    })
    .join("");
  look(play);
}

/** @param {Play} play @param {MouseEvent} event */
export function jump(play, event) {
  const box = play.overview.getBoundingClientRect();
  if (!box || !event.clientX) {
    play.board.fit();
    return;
  }
  play.board.centre(
    ((event.clientX - box.left) / box.width) * play.board.data.width,
    ((event.clientY - box.top) / box.height) * play.board.data.height,
  );
}

/** @param {Play} play */
export function find(play) {
  const results = h("div", { class: "choice-list" });
  const field = h("input", {
    type: "text",
    placeholder: "Unit or place",
    "aria-label": "Unit or place",
    oninput: () => search(),
  });
  const search = () => {
    const wanted = field.value.trim().toLowerCase();
    const found = wanted
      ? [
          ...(play.view.pieces ?? [])
            .filter(
              (piece) =>
                piece.space &&
                `${piece.id} ${piece.name ?? ""} ${piece.formation ?? ""}`.toLowerCase().includes(wanted),
            )
            .map((piece) => ({
              text: `${pieceLine(piece)}, ${play.spaceName(piece.space ?? "")}`,
              space: piece.space ?? "",
              unit: piece.id,
            })),
          ...play.board.data.spaces
            .filter((space) => `${space.id} ${space.name ?? ""}`.toLowerCase().includes(wanted))
            .map((space) => ({ text: spaceLine(play, space.id, true), space: space.id, unit: null })),
        ].slice(0, 12)
      : [];
    put(
      results,
      ...found.map((each) =>
        h(
          "button",
          {
            type: "button",
            class: "choice",
            onclick: () => {
              box.close();
              goTo(play, each.space, each.unit);
            },
          },
          each.text,
        ),
      ),
    );
  };
  const box = dialog("Find", h("div", null, field, results));
  field.focus();
  field.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter") $(".choice", results)?.click();
  });
}

/** @param {Play} play @param {string} space @param {string|null} [unit] */
export function goTo(play, space, unit = null) {
  const at = play.board.spaces.get(space);
  if (!at) return;
  play.board.centre(at.x, at.y, Math.max(play.board.scale, Math.min(54 / play.board.hex, 2)));
  play.board.setCursor(space);
  play.looked = unit ?? play.looked;
  play.refresh();
  play.board.el.focus();
  readCursor(play);
}

/** Nothing that may be chosen is in sight: bring the nearest of it there, once for each position. @param {Play} play */
export function bringChoices(play) {
  const decides = play.mayAct ? play.state.view.actor : null;
  if (!play.board.el.clientWidth || play.brought === play.state.seq || play.past) return;
  const begins = decides && play.decided !== undefined && play.decided !== decides;
  play.decided = decides;
  if (!decides) return;
  play.brought = play.state.seq;
  const { board } = play;
  const { units, spaces } = play.choices();
  const lit = [...spaces, ...[...units, ...play.picks.units].map((unit) => play.spaceOf(unit) ?? "")];
  const ids = lit.length ? lit : namedPlaces(play);
  const places = ids.flatMap((id) => board.spaces.get(id) ?? []);
  // A hex that at the very edge is cut off, or lies under the scale: it is not in sight.
  const edge = board.areas || innerWidth < 700 || board.scale <= board.fitScale() * 1.02 ? 16 : Math.max(16, board.hex * board.scale);
  const seen = places.filter(({ x, y }) => !board.outOfSight(x, y, edge)).length;
  if (seen === places.length) return;
  // A phone stands where the other side moved last: who is to decide now sees what most of his choices are.
  if (begins && innerWidth <= 700 && lit.length && seen * 2 < places.length) {
    showMost(board, places);
    return;
  }
  const [xs, ys] = [places.map((each) => each.x), places.map((each) => each.y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const room = 2 * Math.max(40, edge);
  const fits = (right - left) * board.scale < board.el.clientWidth - room && (bottom - top) * board.scale < board.el.clientHeight - board.shade() - room;
  // On a phone the prompt may have grown over some of them: all are shown where they fit.
  if (fits && innerWidth <= 700) {
    board.bring((left + right) / 2, (top + bottom) / 2);
    return;
  }
  if (seen) return;
  const middle = board.toBoard(board.el.clientWidth / 2, board.el.clientHeight / 2);
  const far = (/** @type {{x: number, y: number}} */ { x, y }) => Math.hypot(x - middle.x, y - middle.y);
  const nearest = places.reduce((best, each) => (far(each) < far(best) ? each : best));
  board.centre(nearest.x, nearest.y);
}

/** As many of these places as fit on the screen; from farther away if that is less than half of them, as long as counters can be read. @param {import("./board.js").Board} board @param {{x: number, y: number}[]} places */
function showMost(board, places) {
  const least = Math.max(board.fitScale(), 40 / board.hex);
  const room = 2 * 40;
  for (let scale = board.scale; ; scale = Math.max(least, scale * 0.9)) {
    const [wide, high] = [(board.el.clientWidth - room) / scale, (board.el.clientHeight - board.shade() - room) / scale];
    let best = places.slice(0, 1);
    for (const { x } of places) {
      const column = places.filter((each) => each.x >= x && each.x <= x + wide).sort((a, b) => a.y - b.y);
      for (let from = 0, to = 0; from < column.length; from += 1) {
        while (to < column.length && column[to].y <= column[from].y + high) to += 1;
        if (to - from > best.length) best = column.slice(from, to);
      }
    }
    if (scale > least && best.length * 2 < places.length) continue;
    const middle = (/** @type {number[]} */ values) => (Math.min(...values) + Math.max(...values)) / 2;
    board.centre(middle(best.map((each) => each.x)), middle(best.map((each) => each.y)), scale, board.shade());
    return;
  }
}
