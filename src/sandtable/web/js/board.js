// The map: one drawing of the ground, one of what changes on it, moved and scaled together.

import { button, camp, h, icon, s } from "./dom.js";
import { reducedMotion } from "./api.js";
import { markerShape, seaTracks, silent } from "./furniture.js";
import { costShort, inside, outline, ringPath, shrink, spline } from "./geometry.js";

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
 *   reach?: Record<string, string>|null, path?: {spaces: string[], costs: Record<string, string>, tag?: string, ghost?: string}|null,
 *   arrows?: [string, string][], trail?: string[]}} Lights
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
    this.listen();
    new ResizeObserver(() => { if (this.el.clientWidth) { if (!this.placed) this.fit(); else this.apply(); } }).observe(this.el);
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
      const el = this.drawStack(id, stack);
      now.set(id, { look, el, spots: stack.map((piece) => [piece.id, /** @type {Spot} */ (this.spots.get(piece.id))]) });
      drawn.push(el);
    }
    this.drawn = now;
    const children = this.layers.counters.children;
    if (drawn.length !== children.length || drawn.some((el, at) => el !== children[at])) this.layers.counters.replaceChildren(...drawn);
    if (this.fanned && !this.stacks.has(this.fanned)) this.fanned = null;
    this.drawFan();
  }

  /** @param {string} id @param {Piece[]} stack */
  drawStack(id, stack) {
    const space = /** @type {BoardSpace} */ (this.spaces.get(id));
    const group = s("g", { class: "stack", data: { space: id } });
    if (this.areas) {
      const spots = this.rows(space, stack);
      stack.forEach((piece, at) => {
        this.spots.set(piece.id, spots[at]);
        group.append(this.drawPiece(piece, spots[at]));
      });
      return group;
    }
    const spot = { x: space.x, y: space.y + this.hex * 0.055, size: this.counter };
    const edges = Math.min(stack.length - 1, 3);
    for (let edge = edges; edge > 0; edge--) {
      const under = stack[Math.min(edge, stack.length - 1)];
      const by = edge * this.counter * 0.045;
      group.append(s("rect", { class: `edge ${camp(under.side)}`, x: spot.x - spot.size / 2 + by, y: spot.y - spot.size / 2 - by, width: spot.size, height: spot.size, rx: spot.size * (under.side === "axis" ? 0.03 : 0.13) }));
    }
    for (const piece of stack) this.spots.set(piece.id, spot);
    group.append(this.drawPiece(stack[0], spot));
    if (stack.length > 1) {
      const r = this.counter * 0.15;
      group.append(s("g", { class: "count", transform: `translate(${spot.x + spot.size * 0.47} ${spot.y + spot.size * 0.47})` }, s("circle", { r }), s("text", { y: r * 0.55, "font-size": r * 1.65 }, stack.length)));
    }
    return group;
  }

  /** Counters of an area side by side, a row for each side where there is room. @param {BoardSpace} space @param {Piece[]} stack @returns {Spot[]} */
  rows(space, stack) {
    const size = this.counter;
    const wide = Math.max(space.slot?.w ?? size * 3.2, size);
    const deep = Math.max(1, Math.floor((space.slot?.h ?? size) / size));
    const sides = [...new Set(stack.map((piece) => piece.side))].map((side) => stack.filter((piece) => piece.side === side));
    const ordered = sides.flat();
    const half = Math.ceil(ordered.length / 2);
    const rows = deep < 2 ? [ordered] : sides.length > 1 ? sides : ordered.length > wide / (size * 0.9) ? [ordered.slice(0, half), ordered.slice(half)] : [ordered];
    /** @type {Map<string, Spot>} */
    const spots = new Map();
    rows.forEach((row, line) => {
      const step = row.length > 1 ? Math.min(size + 2, (wide - size) / (row.length - 1)) : 0;
      row.forEach((piece, at) => spots.set(piece.id, { x: space.x - ((row.length - 1) * step) / 2 + at * step, y: space.y + line * (size + 4), size }));
    });
    return stack.map((piece) => /** @type {Spot} */ (spots.get(piece.id)));
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

  // What lights up.

  /** @param {Lights} lights */
  light(lights) {
    const units = new Set(lights.units ?? []);
    const chosen = new Set(lights.chosen ?? []);
    const lit = [...this.layers.counters.querySelectorAll(".unit"), ...this.layers.fan.querySelectorAll(".unit")];
    for (const el of lit) {
      const id = /** @type {SVGElement} */ (el).dataset.unit ?? "";
      const here = this.areas || el.closest(".fan") ? [id] : (this.stacks.get(this.pieces.get(id)?.space ?? "") ?? []).map((each) => each.id);
      el.classList.toggle("lit", here.some((each) => units.has(each)));
      const on = here.some((each) => chosen.has(each));
      el.classList.toggle("chosen", on);
      if (on && this.areas) el.parentElement?.append(el);
    }
    const rings = [];
    const inSet = lights.reach ? Object.keys(lights.reach) : [];
    const threats = new Set(lights.threats ?? []);
    const reach = [];
    /** @type {SVGElement[]} */
    const beads = [];
    const set = [...new Set([...inSet, ...(lights.spaces ?? [])])].filter((id) => !threats.has(id)).map((id) => this.spaces.get(id)).filter(isSpace);
    const own = (lights.chosen ?? []).map((id) => this.spaces.get(this.pieces.get(id)?.space ?? "")).filter(isSpace);
    if (set.length) {
      const bright = [...new Set([...set, ...own, ...[...threats].map((id) => this.spaces.get(id)).filter(isSpace)])];
      const w = this.data.width;
      const height = this.data.height;
      reach.push(s("path", { class: "scrim", "fill-rule": "evenodd", d: `M${-w} ${-height}h${3 * w}v${3 * height}h${-3 * w}Z${bright.map((space) => ringPath(space.polygon)).join("")}` }));
      // Areas keep their borders; hexes melt into one outline.
      const d = this.areas ? set.map((space) => ringPath(space.polygon)).join("") : outline(set);
      reach.push(s("path", { class: "glow wide", d }), s("path", { class: "glow", d }), s("path", { class: "edge-line", d }));
      for (const space of set) {
        const cost = lights.reach?.[space.id];
        if (cost === undefined) continue;
        const busy = this.stacks.has(space.id) || this.areas;
        (busy ? beads : reach).push(this.costMark(space, costShort(cost), busy));
      }
    }
    for (const id of threats) {
      const space = this.spaces.get(id);
      if (space) rings.push(...this.ring(space, "threat"));
    }
    for (const space of new Set([...own, ...(lights.chosenSpaces ?? []).map((id) => this.spaces.get(id)).filter(isSpace)])) rings.push(...this.ring(space, "chosen"));
    for (const [from, to] of lights.arrows ?? []) rings.push(...this.arrow(from, to));
    this.layers.reach.replaceChildren(...reach);
    this.layers.beads.replaceChildren(...beads);
    this.layers.rings.replaceChildren(...rings);
    this.drawPath(lights.path ?? null);
    if (lights.trail?.length) this.drawTrail(lights.trail);
  }

  /** @param {BoardSpace} space @param {string} text @param {boolean} small */
  costMark(space, text, small) {
    const H = this.hex;
    if (!small) return s("text", { class: "cost", x: space.x, y: space.y + H * 0.11, "font-size": H * 0.3 }, text);
    const spot = this.areas ? this.badgeSpot(space) : { x: space.x + H * 0.44, y: space.y - H * 0.41 };
    const r = this.areas ? H * 0.24 : H * 0.155;
    return s("g", { class: "cost-bead", transform: `translate(${spot.x.toFixed(1)} ${spot.y.toFixed(1)})` }, s("circle", { r }), s("text", { y: r * 0.48, "font-size": r * 1.35 }, text));
  }

  /** A free place in an area for a figure: away from its counters. @param {BoardSpace} space */
  badgeSpot(space) {
    const spots = (this.stacks.get(space.id) ?? []).map((piece) => this.spots.get(piece.id)).filter((spot) => spot !== undefined);
    // The identifier stands above the markers, and the name beside it.
    const [ix, iy] = space.off_map ? [0, -1e6] : space.marks ?? [0, -1e6];
    for (const step of [0, 1, 2, 3, 4]) spots.push({ x: ix + step * 24, y: iy - 26, size: 0 });
    const tries = [[space.x, space.y]];
    const cx = space.polygon.reduce((sum, p) => sum + p[0], 0) / space.polygon.length;
    const cy = space.polygon.reduce((sum, p) => sum + p[1], 0) / space.polygon.length;
    for (const by of [0, 0.3, 0.5, 0.65]) for (const [x, y] of space.polygon) tries.push([cx + (x - cx) * by, cy + (y - cy) * by]);
    let best = tries[0];
    let far = -1;
    for (const [x, y] of tries) {
      if (!inside(space.polygon, x, y)) continue;
      const free = Math.min(...spots.map((spot) => Math.max(Math.abs(spot.x - x), Math.abs(spot.y - y))), Math.hypot(space.x - x, space.y - y) * 0.9, this.hex * 1.2);
      if (free > far) { far = free; best = [x, y]; }
    }
    return { x: best[0], y: best[1] };
  }

  /** @param {BoardSpace} space @param {string} kind */
  ring(space, kind) {
    const d = ringPath(shrink(space.polygon, this.areas ? 0.985 : 0.97));
    return [s("path", { class: `ring soft ${kind}`, d }), s("path", { class: "ring white", d }), s("path", { class: `ring ${kind}`, d })];
  }

  /** @param {string} from @param {string} to */
  arrow(from, to) {
    const a = this.spaces.get(from);
    const b = this.spaces.get(to);
    if (!a || !b || a === b) return [];
    const H = this.hex;
    const d = Math.hypot(b.x - a.x, b.y - a.y);
    const [ux, uy] = [(b.x - a.x) / d, (b.y - a.y) / d];
    if (this.areas) {
      // From the edge of one row of counters to the edge of the other, gently bent.
      const gap = this.counter * 0.62;
      const [x0, y0, x1, y1] = [a.x + ux * gap, a.y + uy * gap, b.x - ux * gap * 1.5, b.y - uy * gap * 1.5];
      const bend = Math.min(18, d * 0.08);
      const [cx, cy] = [(x0 + x1) / 2 - uy * bend, (y0 + y1) / 2 + ux * bend];
      const line = `M${x0.toFixed(1)} ${y0.toFixed(1)}Q${cx.toFixed(1)} ${cy.toFixed(1)} ${x1.toFixed(1)} ${y1.toFixed(1)}`;
      const head = `M${x1 - uy * 13} ${y1 + ux * 13}L${x1 + ux * 22} ${y1 + uy * 22}L${x1 + uy * 13} ${y1 - ux * 13}Z`;
      return [s("path", { class: "attack-line case", d: line }), s("path", { class: "attack-arrow", d: head }), s("path", { class: "attack-line", d: line })];
    }
    const [mx, my] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
    const [l, w] = [H * 0.14, H * 0.12];
    return [s("path", { class: "attack-arrow", d: `M${mx - ux * l - uy * w} ${my - uy * l + ux * w}L${mx + ux * l * 1.3} ${my + uy * l * 1.3}L${mx - ux * l + uy * w} ${my - uy * l - ux * w}Z` })];
  }

  /** @param {Lights["path"]} path */
  drawPath(path) {
    const drawn = [];
    const tags = [];
    if (path && path.spaces.length > 1) {
      const H = this.hex;
      const points = path.spaces.map((id) => this.spaces.get(id)).filter(isSpace).map((space) => [space.x, space.y]);
      const d = spline(points);
      drawn.push(s("path", { class: "way case", d }), s("path", { class: "way", d }));
      for (const id of path.spaces.slice(1, -1)) {
        const space = this.spaces.get(id);
        if (!space || path.costs[id] === undefined) continue;
        drawn.push(s("g", { class: "bead", transform: `translate(${space.x} ${space.y})` }, s("circle", { r: H * 0.2 }), s("text", { y: H * 0.085, "font-size": H * 0.25 }, costShort(path.costs[id]))));
      }
      const end = points[points.length - 1];
      const ghost = path.ghost && this.pieces.get(path.ghost);
      if (ghost) {
        const spot = { x: end[0], y: end[1] + (this.areas ? 0 : H * 0.055), size: this.counter };
        const el = this.drawPiece(ghost, spot, "ghost");
        el.removeAttribute("data-unit");
        drawn.push(el);
      }
      if (path.tag) tags.push(this.tag(end[0], end[1] - H * 0.72, path.tag));
    }
    this.layers.path.replaceChildren(...drawn);
    this.layers.tags.replaceChildren(...tags);
  }

  /** Roads and tracks lit where they run through some spaces. @param {BoardSpace[]} held */
  litWays(held) {
    const d = [...this.ground.querySelectorAll(".roads path:first-child, .tracks .track, .tracks .major")].map((way) => way.getAttribute("d") ?? "").join("");
    const clip = s("clipPath", { id: "lit-ways" }, s("path", { d: held.map((space) => ringPath(space.polygon)).join("") }));
    return [clip, s("g", { "clip-path": "url(#lit-ways)" }, s("path", { class: "line thin case", d }), s("path", { class: "line thin", d }))];
  }

  /** @param {number} x @param {number} y @param {string} text @param {string} [kind] */
  tag(x, y, text, kind = "") {
    const k = Math.max(this.hex / 60, 0.75);
    const width = (text.length * 6.6 + 26) * k;
    return s("g", { class: `tag ${kind}`, transform: `translate(${x} ${y})` }, s("rect", { x: -width / 2, y: -13 * k, width, height: 26 * k, rx: 13 * k }), s("text", { y: 5 * k, "font-size": 14 * k }, text));
  }

  /** Where something just went, for those who want no motion. @param {string[]} ids */
  drawTrail(ids) {
    const points = ids.map((id) => this.spaces.get(id)).filter(isSpace).map((space) => [space.x, space.y]);
    if (points.length > 1) this.layers.path.append(s("path", { class: "trail", d: spline(points) }));
  }

  /** @param {Overlay[]} overlays @param {Record<string, string>|null} control @param {Marker[]} markers @param {string|null} me */
  setOverlays(overlays, control, markers, me) {
    const drawn = [];
    if (control) {
      for (const side of new Set(Object.values(control))) {
        const held = Object.keys(control).filter((id) => control[id] === side).map((id) => this.spaces.get(id)).filter(isSpace);
        drawn.push(s("path", { class: `control ${camp(side)}`, d: held.map((space) => ringPath(shrink(space.polygon, 0.985))).join("") }));
      }
      for (const space of this.areas ? [] : this.data.spaces) {
        if (space.vp) drawn.push(this.tag(space.x, space.y - this.hex * 0.7, `${space.vp} VP`));
      }
    }
    /** @type {SVGElement[]} */
    const cases = [];
    /** @type {SVGElement[]} */
    const lines = [];
    /** @type {SVGElement[]} */
    const tags = [];
    const commands = overlays.filter((overlay) => overlayGroup(overlay.id) === "command");
    for (const overlay of overlays) {
      const sort = overlayGroup(overlay.id);
      const held = (overlay.spaces ?? []).map((id) => this.spaces.get(id)).filter(isSpace);
      const foe = overlay.side && me && overlay.side !== me ? "foe" : "own";
      if (held.length && overlay.id === "supply-roads") drawn.push(...this.litWays(held));
      else if (held.length) {
        const d = outline(held);
        if (sort === "zones") drawn.push(s("path", { class: `zone-fill ${foe}`, d: held.map((space) => ringPath(space.polygon)).join("") }));
        const colour = sort === "command" ? this.formationColour(overlay.name.replace(/^.* of /, "")) : "";
        if (sort === "command") drawn.push(s("path", { class: "overlay command case", d }));
        drawn.push(s("path", { class: `overlay ${sort} ${foe}`, d, style: colour ? { stroke: colour } : null }));
        if (sort === "command" && commands.length === 1) {
          const low = held.reduce((best, space) => (space.y > best.y ? space : best));
          tags.push(this.tag(low.x, low.y + this.hex * 0.5, overlay.name, "range"));
        }
      }
      const cut = /cut|no path|too long|out of/i.test(overlay.text ?? "") ? "cut" : "";
      for (const line of overlay.lines ?? []) {
        const points = line.map((id) => this.spaces.get(id)).filter(isSpace).map((space) => [space.x, space.y]);
        if (points.length < 2) continue;
        const d = spline(relaxed(points));
        cases.push(s("path", { class: `line case ${sort}`, d }));
        lines.push(s("path", { class: `line ${sort} ${cut}`, d }));
        if (!cut) lines.push(s("path", { class: "line ticks", d }));
        // The part off the road is what counts: its length stands beside it.
        const off = /^(?:too long: )?(\d+)/.exec(overlay.text ?? "")?.[1];
        const [x, y] = points[off ? Math.min(Math.ceil(Number(off) / 2), points.length - 1) : Math.floor(points.length / 2)];
        if (overlay.text && off !== "0") tags.push(this.tag(x + (off ? this.hex * 0.75 : 0), y, overlay.text.length > 24 ? overlay.name : overlay.text, cut || "path"));
      }
    }
    drawn.push(...cases, ...lines);
    this.layers.marks.replaceChildren(...tags);
    /** @type {Map<string, number>} */
    const used = new Map();
    for (const marker of markers) {
      const here = this.spaces.get(marker.space);
      if (!here || silent(marker, !!control)) continue;
      const there = marker.beside ? this.spaces.get(marker.beside) : null;
      let [x, y] = here.marks ?? [here.x, here.y];
      if (there) [x, y] = [(here.x + there.x) / 2, (here.y + there.y) / 2];
      else if (/breached|eliminated/.test(marker.kind)) [x, y] = [here.x, here.y];
      else if (marker.kind === "victory" && !this.areas) [x, y] = [here.x - ((5 + 6.2 * (marker.text?.length ?? 0)) / 120) * this.hex, here.y - this.hex * 0.5];
      else {
        const at = used.get(here.id) ?? 0;
        used.set(here.id, at + 1);
        x += at * this.hex * (this.areas ? 0.34 : 0.27);
      }
      const el = markerShape(marker, there ? (Math.atan2(there.y - here.y, there.x - here.x) * 180) / Math.PI : undefined);
      el.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${this.areas ? 0.9 : (this.hex / 60).toFixed(2)})`);
      drawn.push(el);
    }
    this.layers.overlays.replaceChildren(...drawn);
  }

  /** What is always on the map beside counters: tracks on the water, and whose the areas are. @param {{tracks?: import("./types.js").Track[], control?: Record<string, string>}} view */
  furnish(view) {
    this.layers.water.replaceChildren(...seaTracks(view.tracks ?? [], this.data.tracks));
    if (!this.areas) return;
    const held = new Set(Object.entries(view.control ?? {}).filter(([, side]) => camp(side) === "allied").map(([id]) => id));
    for (const ident of this.ground.querySelectorAll(".ident")) ident.classList.toggle("held", held.has(/** @type {SVGElement} */ (ident).dataset.space ?? ""));
    const rings = this.data.spaces.filter((space) => held.has(space.id) && !space.off_map).map((space) => ringPath(space.polygon)).join("");
    const grid = this.ground.querySelector(".grid");
    const tint = this.ground.querySelector(".held-ground") ?? s("path", { class: "held-ground" });
    tint.setAttribute("d", rings);
    grid?.before(tint);
  }

  // Stacks that fan out.

  /** @param {string|null} space */
  fan(space) {
    this.fanned = space && (this.stacks.get(space)?.length ?? 0) > 1 ? space : null;
    this.drawFan();
  }

  drawFan() {
    const parts = [];
    const space = this.fanned ? this.spaces.get(this.fanned) : null;
    const stack = this.fanned ? this.stacks.get(this.fanned) ?? [] : [];
    if (space && stack.length > 1) {
      const size = this.counter * 1.04;
      const perRow = Math.min(5, stack.length);
      const rows = Math.ceil(stack.length / perRow);
      const gap = size * 0.1;
      const width = perRow * (size + gap) + gap;
      const height = rows * (size + gap) + gap;
      const x = Math.min(Math.max(space.x, width / 2), this.data.width - width / 2);
      const y = Math.min(Math.max(space.y, height / 2), this.data.height - height / 2);
      parts.push(s("rect", { class: "fan-plate", x: x - width / 2, y: y - height / 2, width, height, rx: 12 }));
      stack.forEach((piece, at) => {
        const spot = { x: x - width / 2 + gap + size / 2 + (at % perRow) * (size + gap), y: y - height / 2 + gap + size / 2 + Math.floor(at / perRow) * (size + gap), size };
        const el = this.drawPiece(piece, spot, "fan");
        if (at < 9) el.append(s("g", { class: "digit", transform: `translate(${-size / 2 + 2} ${-size / 2 + 2})` }, s("circle", { r: size * 0.14 }), s("text", { y: size * 0.075, "font-size": size * 0.21 }, at + 1)));
        parts.push(el);
      });
    }
    this.layers.fan.replaceChildren(...parts);
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
    for (const space of this.data.spaces) {
      if (space === here) continue;
      const [x, y] = [space.x - here.x, space.y - here.y];
      const along = x * dx + y * dy;
      if (along <= 1) continue;
      const across = Math.abs(x * dy - y * dx);
      if (across > along * 1.9) continue;
      const cost = Math.hypot(x, y) + across * 0.9 - (near.has(space.id) ? this.hex * 0.2 : 0);
      if (cost < least) { least = cost; best = space; }
    }
    if (best) this.setCursor(best.id);
  }

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
    this.scale = this.fitScale();
    this.centre(this.data.width / 2, this.data.height / 2);
  }

  /** @param {number} x @param {number} y @param {number} [scale] */
  centre(x, y, scale = this.scale) {
    this.placed = true;
    this.scale = scale;
    this.tx = this.el.clientWidth / 2 - x * scale;
    this.ty = this.el.clientHeight / 2 - y * scale;
    this.apply();
  }

  /** Move only if the point is near the edge or outside. @param {number} x @param {number} y */
  reveal(x, y) {
    if (this.outOfSight(x, y)) this.centre(x, y);
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
    return under || p.x < margin || p.y < margin || p.x > this.el.clientWidth - margin || p.y > this.el.clientHeight - margin;
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

  // Fingers, mouse, wheel.

  listen() {
    const el = this.el;
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
      press = { ...p, unit, touch: event.pointerType !== "mouse", moved: false, drag: !!unit && this.handlers.mayDrag(unit), shift: event.shiftKey };
    });
    el.addEventListener("pointermove", (event) => {
      const p = local(event);
      const last = down.get(event.pointerId);
      if (!last) {
        if (event.pointerType === "mouse") {
          const at = this.toBoard(p.x, p.y);
          this.handlers.hover(unitOf(event), this.at(at.x, at.y), p.x, p.y);
        }
        return;
      }
      down.set(event.pointerId, p);
      if (down.size === 2) {
        const [a, b] = [...down.values()];
        const now = Math.hypot(a.x - b.x, a.y - b.y);
        if (pinch > 0) this.zoom(now / pinch, (a.x + b.x) / 2, (a.y + b.y) / 2);
        pinch = now;
        this.pan((p.x - last.x) / 2, (p.y - last.y) / 2);
        return;
      }
      if (!press) return;
      if (!press.moved && Math.hypot(p.x - press.x, p.y - press.y) < (press.touch ? 10 : 5)) return;
      if (!press.moved && press.drag && press.unit && !press.touch) {
        const piece = this.pieces.get(press.unit);
        if (piece) {
          this.handlers.unit(press.unit, { touch: false, shift: false, x: p.x, y: p.y });
          ghost = this.drawPiece(piece, { x: 0, y: 0, size: this.counter }, "ghost");
          ghost.removeAttribute("data-unit");
          this.layers.cursor.append(ghost);
        }
      }
      press.moved = true;
      if (ghost) {
        const at = this.toBoard(p.x, p.y);
        ghost.setAttribute("transform", `translate(${at.x} ${at.y})`);
        this.handlers.hover(null, this.at(at.x, at.y), p.x, p.y);
      } else this.pan(p.x - last.x, p.y - last.y);
    });
    const up = /** @param {PointerEvent} event */ (event) => {
      const p = local(event);
      if (!down.delete(event.pointerId) || !press) return;
      const was = press;
      if (down.size) return;
      press = null;
      const at = this.toBoard(p.x, p.y);
      if (ghost) {
        ghost.remove();
        ghost = null;
        const space = this.at(at.x, at.y);
        if (space && was.unit && event.type === "pointerup") this.handlers.drop(was.unit, space);
        return;
      }
      if (was.moved || event.type !== "pointerup" || event.button > 0) return;
      const how = { touch: was.touch, shift: was.shift, x: p.x, y: p.y };
      if (was.unit) this.handlers.unit(was.unit, how);
      else {
        const space = this.at(at.x, at.y);
        if (space) this.handlers.space(space, how);
      }
    };
    el.addEventListener("pointerup", up);
    el.addEventListener("pointercancel", up);
    el.addEventListener("pointerleave", () => this.handlers.hover(null, null, 0, 0));
    el.addEventListener("wheel", (event) => {
      event.preventDefault();
      const p = local(event);
      if (event.ctrlKey || !event.shiftKey) this.zoom(Math.exp(-Math.max(-120, Math.min(120, event.deltaY)) * (event.ctrlKey ? 0.01 : 0.0022)), p.x, p.y);
      else this.pan(-event.deltaY, -event.deltaX);
    }, { passive: false });
    el.addEventListener("dblclick", (event) => event.preventDefault());
  }

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
    const parts = this.ring(space, kind);
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

/** A way through hexes without their zigzag, as the roads run; its ends stay. @param {number[][]} points */
function relaxed(points) {
  for (let times = 0; times < 2; times++) points = points.map((p, at) => (at === 0 || at === points.length - 1 ? p : [0, 1].map((axis) => (points[at - 1][axis] + 2 * p[axis] + points[at + 1][axis]) / 4)));
  return points;
}

/** @param {BoardSpace|null|undefined} space @returns {space is BoardSpace} */
function isSpace(space) {
  return !!space;
}

/** Which tool an overlay belongs to. @param {string} id */
export function overlayGroup(id) {
  const word = id.toLowerCase();
  if (/^(zoc|zone)/.test(word)) return "zones";
  if (/^(com|hq|range)/.test(word)) return "command";
  if (/^sup/.test(word)) return "supply";
  return "other";
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
