// The map: one drawing of the ground, one of what changes on it, moved and scaled together.

import { button, camp, h, icon, s } from "./dom.js";
import { reducedMotion } from "./api.js";
import { inside, isSpace, ringPath, shrink } from "./geometry.js";
import { listen } from "./gestures.js";
import { drawPath, light, ring } from "./glow.js";
import { furnish, setOverlays } from "./overlays.js";
import { drawFan, drawStack } from "./stacks.js";

/** @typedef {import("./types.js").BoardData} BoardData */
/** @typedef {import("./types.js").BoardSpace} BoardSpace */
/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").Overlay} Overlay */
/** @typedef {import("./types.js").Marker} Marker */

/**
 * @typedef {{x: number, y: number, size: number}} Spot
 * @typedef {{unit: (id: string, how: {touch: boolean, shift: boolean, x: number, y: number}) => void,
 *   space: (id: string, how: {touch: boolean, shift: boolean, x: number, y: number}) => void,
 *   drop: (unit: string, space: string) => void, hover: (unit: string|null, space: string|null, x: number, y: number) => void,
 *   mayDrag: (unit: string) => boolean, look: () => void}} Handlers
 * @typedef {{units?: Iterable<string>, spaces?: Iterable<string>, threats?: Iterable<string>, chosen?: string[], chosenSpaces?: string[],
 *   reach?: Record<string, string>|null, path?: {spaces: string[], touched?: string[], costs: Record<string, string>, tag?: string, ghost?: string}|null,
 *   warned?: string[], arrows?: [string, string][], trail?: string[], stops?: Record<string, string>|null}} Lights
 */

export class Board {
  /** @param {Handlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    /** @type {BoardData} */
    this.data = { width: 100, height: 100, spaces: [] };
    /** @type {Map<string, BoardSpace>} */
    this.spaces = new Map();
    /** @type {Map<string, Spot>} */
    this.spots = new Map();
    /** @type {Map<string, Piece[]>} */
    this.stacks = new Map();
    /** @type {Map<string, Piece>} */
    this.pieces = new Map();
    /** @type {Map<string, {look: string, el: SVGElement, spots: [string, Spot][]}>} */
    this.drawn = new Map();
    this.hex = 60;
    this.counter = 47;
    this.areas = false;
    this.scale = 1;
    this.tx = 0;
    this.ty = 0;
    /** @type {string|null} */
    this.fanned = null;
    /** @type {string|null} */
    this.cursor = null;
    this.ground = h("div", { class: "ground" });
    this.layers = Object.fromEntries(["water", "overlays", "reach", "rings", "counters", "beads", "marks", "path", "tags", "fan", "cursor"].map((name) => [name, s("g", { class: `layer-${name}` })]));
    this.defs = s("defs", null,
      pattern("hatch-threat", "var(--threat)"), pattern("hatch-legal", "var(--legal)"), dots("dots-allied"));
    this.svg = s("svg", { class: "live", "aria-hidden": "true" }, this.defs, ...Object.values(this.layers));
    this.stage = h("div", { class: "stage" }, this.ground, this.svg);
    this.bar = h("div", { class: "scale-card", "aria-hidden": "true" });
    this.key = h("section", { class: "map-key on-map", "aria-label": "Key of the map", hidden: true });
    this.el = h("div", { class: "map", tabindex: "0", role: "application", "aria-label": "Map", "aria-roledescription": "map" }, this.stage, this.bar, this.key);
    /** @type {Set<string>} */
    this.known = new Set();
    listen(this);
    new ResizeObserver(() => {
      if (!this.el.clientWidth || !this.data.spaces.length) return;
      // Who sees the whole map goes on seeing it when a notice or a longer prompt takes some room.
      const whole = Math.abs(this.scale - this.whole) < 1e-6 && this.el.clientWidth === this.wide;
      if (!this.placed || whole) this.fit();
      else this.apply();
    }).observe(this.el);
    this.placed = false;
  }

  /** @param {BoardData} data @param {string} svgText */
  load(data, svgText) {
    this.data = data;
    this.spaces = new Map(data.spaces.map((space) => [space.id, space]));
    this.areas = data.kind === "areas";
    this.el.classList.toggle("areas", this.areas);
    const sample = data.spaces[0]?.polygon ?? [[0, 0], [60, 60]];
    const ys = sample.map((p) => p[1]);
    this.hex = data.unit ?? Math.max(...ys) - Math.min(...ys);
    this.counter = data.counter ?? this.hex * 0.78;
    for (const el of [this.stage, this.svg]) Object.assign(el.style, { width: `${data.width}px`, height: `${data.height}px` });
    this.svg.setAttribute("viewBox", `0 0 ${data.width} ${data.height}`);
    this.svg.style.setProperty("--H", String(this.hex));
    this.setGround(svgText);
  }

  /** @param {string} svgText */
  setGround(svgText) {
    const parsed = new DOMParser().parseFromString(svgText, "image/svg+xml").documentElement;
    if (parsed.nodeName !== "svg") return;
    const svg = document.importNode(parsed, true);
    svg.setAttribute("width", String(this.data.width));
    svg.setAttribute("height", String(this.data.height));
    svg.setAttribute("aria-hidden", "true");
    this.ground.replaceChildren(svg);
  }

  /** What fills the symbol box of a formation's counters. @param {string} name */
  formationColour(name) {
    const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
    return (this.data.formations ?? []).find(([start]) => plain.startsWith(start))?.[1] ?? "";
  }

  /** What each sign of the map means. @param {string} name of the game @param {boolean} shown @param {() => void} counters */
  showKey(name, shown, counters) {
    this.key.hidden = !shown;
    if (!shown) return;
    const long = this.data.kilometres ?? 0;
    this.key.replaceChildren(
      h("h3", null, name),
      h("p", { class: "mut" }, this.areas ? "Real ground under a lens: the corner by Sollum is twice as large." : `One hex is ${String(long).replace(".", "·")} km.`),
      h("ul", null, (this.data.key ?? []).map(([kind, words]) => h("li", null, s("svg", { width: 48, height: 22, viewBox: "0 0 56 26", "aria-hidden": "true" }, s("use", { href: `#${this.data.title}-key-${kind}`, width: 56, height: 26 })), words))),
      h("p", { class: "mut note" }, "Drawn from the survey of places; spaces marked ", h("b", null, "known"), " come from the rulebook, all others are reconstructed."),
      button("How to read a counter", counters, { cls: "small" }));
  }

  /** The scale that fits the map as it is now. */
  drawScale() {
    const hex = this.hex * this.scale;
    const count = this.areas || !this.data.kilometres ? 0 : [1, 2, 5, 10, 20].find((each) => each * hex >= 84) ?? 20;
    this.bar.hidden = !count;
    if (!count || this.bar.dataset.at === `${count} ${hex.toFixed(1)}`) return;
    this.bar.dataset.at = `${count} ${hex.toFixed(1)}`;
    const far = (count * (this.data.kilometres ?? 0)).toFixed(1).replace(/\.0$/, "").replace(".", "·");
    this.bar.replaceChildren(h("i", { style: { width: `${(count * hex).toFixed(0)}px` } }), h("span", null, "0"), h("span", null, `${far} km · ${count === 1 ? "1 hex" : `${count} hexes`}`));
  }

  /** Art that came from the server, kept as symbols. @param {Record<string, string>} art */
  learn(art) {
    for (const [key, text] of Object.entries(art)) {
      if (this.known.has(key)) continue;
      const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
      if (parsed.nodeName !== "svg") continue;
      const symbol = s("symbol", { id: `art-${key}`, viewBox: parsed.getAttribute("viewBox") ?? "0 0 100 100", overflow: "visible" });
      symbol.append(...[...parsed.childNodes].map((node) => document.importNode(node, true)));
      this.defs.append(symbol);
      this.known.add(key);
    }
  }

  // Where things are.

  /** @param {Piece[]} pieces */
  setPieces(pieces) {
    this.pieces = new Map(pieces.map((piece) => [piece.id, piece]));
    this.stacks = new Map();
    for (const piece of pieces) {
      if (!piece.space || !this.spaces.has(piece.space)) continue;
      const stack = this.stacks.get(piece.space);
      if (stack) stack.push(piece); else this.stacks.set(piece.space, [piece]);
    }
    this.spots = new Map();
    const order = [...this.stacks.keys()].sort((a, b) => (this.spaces.get(a)?.y ?? 0) - (this.spaces.get(b)?.y ?? 0));
    // Stacks that look as before keep their elements: most moves change one or two.
    /** @type {Map<string, {look: string, el: SVGElement, spots: [string, Spot][]}>} */
    const now = new Map();
    const drawn = [];
    for (const id of order) {
      const stack = this.stacks.get(id) ?? [];
      const look = stack.map((piece) => `${piece.id} ${piece.art}`).join("|");
      const known = this.drawn.get(id);
      if (known?.look === look) {
        for (const [unit, spot] of known.spots) this.spots.set(unit, spot);
        now.set(id, known);
        drawn.push(known.el);
        continue;
      }
      const el = drawStack(this, id, stack);
      now.set(id, { look, el, spots: stack.map((piece) => [piece.id, /** @type {Spot} */ (this.spots.get(piece.id))]) });
      drawn.push(el);
    }
    this.drawn = now;
    const children = this.layers.counters.children;
    if (drawn.length !== children.length || drawn.some((el, at) => el !== children[at])) this.layers.counters.replaceChildren(...drawn);
    if (this.fanned && !this.stacks.has(this.fanned)) this.fanned = null;
    drawFan(this);
  }

  /** @param {Piece} piece @param {Spot} spot @param {string} [cls] */
  drawPiece(piece, spot, cls = "") {
    const { x, y, size } = spot;
    const round = piece.side === "axis" ? 0.03 : 0.13;
    return s("g", { class: `unit ${camp(piece.side)} ${cls}`, data: { unit: piece.id }, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` },
      s("g", { class: "lift" },
        s("rect", { class: "halo", x: -size / 2 - 2.5, y: -size / 2 - 2.5, width: size + 5, height: size + 5, rx: size * round + 2.5 }),
        s("use", { href: `#art-${piece.art ?? ""}`, x: -size / 2, y: -size / 2, width: size, height: size }),
        s("rect", { class: "chip", x: -size * 0.38, y: -size * 0.38, width: size * 0.76, height: size * 0.76, rx: size * (piece.side === "axis" ? 0.04 : 0.3) })));
  }

  /** Counters of a crowded area overlap: the one that is pointed at comes to the front. @param {string} unit */
  raise(unit) {
    const el = this.areas ? this.layers.counters.querySelector(`[data-unit="${CSS.escape(unit)}"]`) : null;
    if (el && el.parentElement?.lastElementChild !== el) el.parentElement?.append(el);
  }

  // What lights up, and what is laid over the map.

  /** @param {Lights} lights */
  light(lights) {
    light(this, lights);
  }

  /** @param {Lights["path"]} path */
  drawPath(path) {
    drawPath(this, path);
  }

  /** @param {Overlay[]} overlays @param {Record<string, string>|null} control @param {Marker[]} markers @param {string|null} me */
  setOverlays(overlays, control, markers, me) {
    setOverlays(this, overlays, control, markers, me);
  }

  /** @param {{tracks?: import("./types.js").Track[], control?: Record<string, string>}} view */
  furnish(view) {
    furnish(this, view);
  }

  // Stacks that fan out.

  /** @param {string|null} space */
  fan(space) {
    this.fanned = space && (this.stacks.get(space)?.length ?? 0) > 1 ? space : null;
    drawFan(this);
  }

  // The keyboard's place on the map.

  /** @param {string|null} id */
  setCursor(id) {
    this.cursor = id;
    const space = id ? this.spaces.get(id) : null;
    this.layers.cursor.replaceChildren(...(space ? [s("path", { class: "cursor case", d: ringPath(shrink(space.polygon, 0.94)) }), s("path", { class: "cursor", d: ringPath(shrink(space.polygon, 0.94)) })] : []));
    if (space) this.reveal(space.x, space.y);
  }

  /** The space next to the cursor in a direction. @param {number} dx @param {number} dy */
  walk(dx, dy) {
    const here = this.cursor ? this.spaces.get(this.cursor) : null;
    if (!here) {
      const middle = this.toBoard(this.el.clientWidth / 2, this.el.clientHeight / 2);
      this.setCursor(this.at(middle.x, middle.y) ?? this.data.spaces[0]?.id ?? null);
      return;
    }
    let best = null;
    let least = Infinity;
    const near = new Set(Object.values(here.neighbours ?? {}));
    // Rows of hexes zigzag: a walk keeps to the line it began on.
    const axis = dx ? "y" : "x";
    if (this.course.axis !== axis || this.course.space !== here.id) this.course = { axis, at: here[axis], space: here.id };
    for (const space of this.data.spaces) {
      if (space === here) continue;
      const [x, y] = [space.x - here.x, space.y - here.y];
      const along = x * dx + y * dy;
      if (along <= 1) continue;
      const across = Math.abs(x * dy - y * dx);
      if (across > along * 1.9) continue;
      const cost = Math.hypot(x, y) + across * 0.9 - (near.has(space.id) ? this.hex * 0.2 : 0) + Math.abs(space[axis] - this.course.at) * 0.3;
      if (cost < least) { least = cost; best = space; }
    }
    if (!best) return;
    this.course.space = best.id;
    this.setCursor(best.id);
  }

  /** The scale at which the whole map was seen at its last size. */
  whole = 0;
  /** How wide it was then: a sheet beside the map makes nothing smaller. */
  wide = 0;

  /** The line the keyboard walks along. @type {{axis: "x"|"y", at: number, space: string}} */
  course = { axis: "x", at: 0, space: "" };

  // Looking.

  /** @param {number} x @param {number} y pixels inside the element */
  toBoard(x, y) {
    return { x: (x - this.tx) / this.scale, y: (y - this.ty) / this.scale };
  }

  /** Where a point of the board is, in pixels of the element. @param {number} x @param {number} y */
  toScreen(x, y) {
    return { x: x * this.scale + this.tx, y: y * this.scale + this.ty };
  }

  /** @param {number} x @param {number} y @returns {string|null} */
  at(x, y) {
    if (this.areas) return this.data.spaces.find((space) => inside(space.polygon, x, y))?.id ?? null;
    let best = null;
    let least = this.hex * 0.62;
    for (const space of this.data.spaces) {
      const d = Math.hypot(space.x - x, space.y - y);
      if (d < least) { least = d; best = space.id; }
    }
    return best;
  }

  fitScale() {
    return Math.min(this.el.clientWidth / this.data.width, this.el.clientHeight / this.data.height);
  }

  fit() {
    if (!this.el.clientWidth || !this.data.spaces.length) return;
    this.placed = true;
    this.scale = this.whole = this.fitScale();
    this.wide = this.el.clientWidth;
    this.centre(this.data.width / 2, this.data.height / 2);
  }

  /** @param {number} x @param {number} y @param {number} [scale] @param {number} [shade] what is covered at the top */
  centre(x, y, scale = this.scale, shade = 0) {
    this.placed = true;
    this.scale = scale;
    this.tx = this.el.clientWidth / 2 - x * scale;
    this.ty = (this.el.clientHeight + shade) / 2 - y * scale;
    this.apply();
  }

  /** Move only if the point is near the edge or outside. @param {number} x @param {number} y */
  reveal(x, y) {
    if (this.outOfSight(x, y)) this.bring(x, y);
  }

  /** To the middle of what can be seen. @param {number} x @param {number} y */
  bring(x, y) {
    this.centre(x, y, this.scale, this.shade());
  }

  /** How far down a phone's guide covers the map. */
  shade() {
    const guide = innerWidth <= 700 ? /** @type {HTMLElement|null} */ (this.el.querySelector(".guide:not([hidden], .folded)")) : null;
    return guide ? guide.offsetTop + guide.offsetHeight : 0;
  }

  /** How far apart two spaces are on the map. @param {string} from @param {string} to */
  distance(from, to) {
    const [a, b] = [this.spaces.get(from), this.spaces.get(to)];
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : Infinity;
  }

  /** Whether a point of the map is off the screen, near its edge or under the overview. @param {number} x @param {number} y @param {number} [margin] */
  outOfSight(x, y, margin = Math.min(80, this.el.clientWidth / 5)) {
    const p = this.toScreen(x, y);
    const under = !this.areas && innerWidth >= 700 && p.x < 230 && p.y > this.el.clientHeight - 200;
    return under || p.x < margin || p.y < Math.max(margin, this.shade() + 24) || p.x > this.el.clientWidth - margin || p.y > this.el.clientHeight - margin;
  }

  /** @param {number} by @param {number} [x] @param {number} [y] pixels that stay where they are */
  zoom(by, x = this.el.clientWidth / 2, y = this.el.clientHeight / 2) {
    const least = Math.min(this.fitScale() * 0.8, 1);
    const scale = Math.min(Math.max(this.scale * by, least), Math.max(170 / this.hex, 2));
    const at = this.toBoard(x, y);
    this.scale = scale;
    this.tx = x - at.x * scale;
    this.ty = y - at.y * scale;
    this.moving();
    this.apply();
  }

  /** @param {number} dx @param {number} dy */
  pan(dx, dy) {
    this.tx += dx;
    this.ty += dy;
    this.moving();
    this.apply();
  }

  /** While the map moves it is one picture for the compositor; at rest it is drawn sharp. */
  moving() {
    this.stage.classList.add("moving");
    clearTimeout(this.rest);
    this.rest = window.setTimeout(() => this.stage.classList.remove("moving"), 180);
  }

  /** @type {number|undefined} */
  rest;

  apply() {
    const w = this.data.width * this.scale;
    const height = this.data.height * this.scale;
    // The overview lies on the lower left: that corner can be moved out from under it.
    this.tx = hold(this.tx, w, this.el.clientWidth, this.areas || innerWidth < 700 ? 28 : 216);
    this.ty = hold(this.ty, height, this.el.clientHeight);
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.stage.style.transform = `translate(${this.tx.toFixed(2)}px, ${this.ty.toFixed(2)}px) scale(${this.scale.toFixed(4)})`;
      const H = this.hex * this.scale;
      this.el.classList.toggle("far", H < 34 && !this.areas);
      this.el.classList.toggle("chips", H < 26 && !this.areas);
      this.drawScale();
      this.handlers.look();
    });
  }

  frame = 0;

  // Showing what happened.

  /**
   * Let a counter run along spaces; the caller then draws the position as it is.
   * @param {string} unit @param {string[]} ids @param {number} ms
   */
  async run(unit, ids, ms) {
    const points = ids.map((id) => this.spaces.get(id)).filter(isSpace);
    const piece = this.pieces.get(unit);
    if (!piece || points.length < 2 || ms <= 0 || reducedMotion()) return;
    const el = this.drawPiece(piece, { x: 0, y: 0, size: this.counter }, "running");
    el.removeAttribute("data-unit");
    const start = this.spots.get(unit);
    const old = this.areas ? this.layers.counters.querySelector(`[data-unit="${CSS.escape(unit)}"]`) : null;
    old?.classList.add("away");
    this.layers.tags.append(el);
    const line = points.map((space, at) => (at === 0 && start ? [start.x, start.y] : [space.x, space.y + (this.areas ? 0 : this.hex * 0.055)]));
    const moves = line.map(([x, y]) => ({ transform: `translate(${x}px, ${y}px)` }));
    const animation = el.animate(moves, { duration: ms, easing: "cubic-bezier(.2,.7,.3,1)", fill: "forwards" });
    this.running.add(animation);
    await animation.finished.catch(() => {});
    this.running.delete(animation);
    el.remove();
    old?.classList.remove("away");
  }

  /** @type {Set<Animation>} */
  running = new Set();

  hurry() {
    for (const animation of this.running) animation.finish();
  }

  /** A short ring round a space where something happened. @param {string} id @param {string} kind */
  flash(id, kind = "chosen") {
    const space = this.spaces.get(id);
    if (!space) return;
    const parts = ring(this, space, kind);
    this.layers.tags.append(...parts);
    setTimeout(() => parts.forEach((part) => part.remove()), 700);
  }
}

/** Keep the map in sight: no empty table beyond a small margin. @param {number} at @param {number} size @param {number} room @param {number} [before] */
function hold(at, size, room, before = 28) {
  const margin = 28;
  if (size <= room) return Math.min(Math.max(at, 0), room - size) === at && size < room * 0.6 ? at : (room - size) / 2;
  return Math.min(Math.max(at, room - size - margin), before);
}

/** @param {string} id @param {string} colour */
function pattern(id, colour) {
  return s("pattern", { id, width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, s("path", { d: "M0 0v8", stroke: colour, "stroke-width": 2.4 }));
}

/** @param {string} id */
function dots(id) {
  return s("pattern", { id, width: 7, height: 7, patternUnits: "userSpaceOnUse" }, s("circle", { cx: 2, cy: 2, r: 1.1, fill: "#8F6B31" }));
}

/** The art of a counter outside the map. @param {Piece} piece @param {number} size */
export function counterPicture(piece, size) {
  return s("svg", { class: "counter", width: size, height: size, viewBox: "-4 -4 108 108", "aria-hidden": "true" }, s("use", { href: `#art-${piece.art ?? ""}`, width: 100, height: 100 }));
}

export { icon };
