// Fingers, mouse and wheel on the map.

/** @typedef {import("./board.js").Board} Board */

/** @param {Board} board */
export function listen(board) {
  const el = board.el;
  /** @type {Map<number, {x: number, y: number}>} */
  const down = new Map();
  /** @type {{x: number, y: number, unit: string|null, touch: boolean, moved: boolean, drag: boolean, shift: boolean}|null} */
  let press = null;
  let pinch = 0;
  /** @type {SVGElement|null} */
  let ghost = null;
  const local = /** @param {PointerEvent|WheelEvent} event */ (event) => {
    const box = el.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const unitOf = /** @param {Event} event */ (event) => /** @type {SVGElement|null} */ (/** @type {Element} */ (event.target).closest?.("[data-unit]"))?.dataset.unit ?? null;

  el.addEventListener("pointerdown", (event) => {
    if (/** @type {Element} */ (event.target).closest("button, .on-map")) return;
    // Who points needs no place marked for the keyboard.
    if (board.cursor) board.setCursor(null);
    const p = local(event);
    down.set(event.pointerId, p);
    el.setPointerCapture(event.pointerId);
    if (down.size === 2) {
      const [a, b] = [...down.values()];
      pinch = Math.hypot(a.x - b.x, a.y - b.y);
      if (press) press.moved = true;
      return;
    }
    const unit = unitOf(event);
    press = { ...p, unit, touch: event.pointerType !== "mouse", moved: false, drag: !!unit && board.handlers.mayDrag(unit), shift: event.shiftKey };
  });
  el.addEventListener("pointermove", (event) => {
    const p = local(event);
    const last = down.get(event.pointerId);
    if (!last) {
      if (/** @type {Element} */ (event.target).closest(".on-map")) board.handlers.hover(null, null, 0, 0);
      else if (event.pointerType === "mouse") {
        const at = board.toBoard(p.x, p.y);
        board.handlers.hover(unitOf(event), board.at(at.x, at.y), p.x, p.y);
      }
      return;
    }
    down.set(event.pointerId, p);
    if (down.size === 2) {
      const [a, b] = [...down.values()];
      const now = Math.hypot(a.x - b.x, a.y - b.y);
      if (pinch > 0) board.zoom(now / pinch, (a.x + b.x) / 2, (a.y + b.y) / 2);
      pinch = now;
      board.pan((p.x - last.x) / 2, (p.y - last.y) / 2);
      return;
    }
    if (!press) return;
    if (!press.moved && Math.hypot(p.x - press.x, p.y - press.y) < (press.touch ? 10 : 5)) return;
    if (!press.moved && press.drag && press.unit && !press.touch) {
      const piece = board.pieces.get(press.unit);
      if (piece) {
        board.handlers.unit(press.unit, { touch: false, shift: false, x: p.x, y: p.y });
        ghost = board.drawPiece(piece, { x: 0, y: 0, size: board.counter }, "ghost");
        ghost.removeAttribute("data-unit");
        board.layers.cursor.append(ghost);
      }
    }
    press.moved = true;
    if (ghost) {
      const at = board.toBoard(p.x, p.y);
      ghost.setAttribute("transform", `translate(${at.x} ${at.y})`);
      board.handlers.hover(null, board.at(at.x, at.y), p.x, p.y);
    } else board.pan(p.x - last.x, p.y - last.y);
  });
  const up = /** @param {PointerEvent} event */ (event) => {
    const p = local(event);
    if (!down.delete(event.pointerId) || !press) return;
    const was = press;
    if (down.size) return;
    press = null;
    const at = board.toBoard(p.x, p.y);
    if (ghost) {
      ghost.remove();
      ghost = null;
      const space = board.at(at.x, at.y);
      if (space && was.unit && event.type === "pointerup") board.handlers.drop(was.unit, space);
      return;
    }
    if (was.moved || event.type !== "pointerup" || event.button > 0) return;
    const how = { touch: was.touch, shift: was.shift, x: p.x, y: p.y };
    if (was.unit) board.handlers.unit(was.unit, how);
    else {
      const space = board.at(at.x, at.y);
      if (space) board.handlers.space(space, how);
    }
  };
  el.addEventListener("pointerup", up);
  el.addEventListener("pointercancel", up);
  // What a tap opens under the finger must not take the click that browsers send after it.
  el.addEventListener("touchend", (event) => {
    if (event.cancelable && !(/** @type {Element} */ (event.target).closest("button, .on-map"))) event.preventDefault();
  });
  el.addEventListener("pointerleave", () => board.handlers.hover(null, null, 0, 0));
  el.addEventListener("wheel", (event) => {
    event.preventDefault();
    const p = local(event);
    if (event.ctrlKey || !event.shiftKey) board.zoom(Math.exp(-Math.max(-120, Math.min(120, event.deltaY)) * (event.ctrlKey ? 0.01 : 0.0022)), p.x, p.y);
    else board.pan(-event.deltaY, -event.deltaX);
  }, { passive: false });
  el.addEventListener("dblclick", (event) => event.preventDefault());
}
