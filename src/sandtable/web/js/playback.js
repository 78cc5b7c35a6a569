// What happened, shown as it happened: counters run, dice fall, places light for a moment.

import { $, h, mark, s, spaced } from "./dom.js";
import { reducedMotion, settings } from "./api.js";
import { closeSheet } from "./choosing.js";
import { drawPrompt, playing } from "./prompt.js";
import { namedPlaces, tidy } from "./words.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").GameEvent} GameEvent */

/** A reason stands no longer than this, in ms, */
const LONGEST = 5000;
/** and what comes next waits no longer for it. */
const PATIENCE = 3000;
/** Where more lines than this wait to be told, each is told in half of its time. */
const BEHIND = 5;

export class Playback {
  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    /** @type {(() => void)|null} */
    this.skip = null;
    this.hurried = false;
    this.paused = false;
    /** Goes on after a pause. @type {(() => void)|null} */
    this.resume = null;
    /** Why the other side did its last action. @type {string|null} */
    this.reason = null;
    /** @type {number|undefined} */
    this.bannerTimer = undefined;
    /** @type {number|undefined} */
    this.captionTimer = undefined;
    /** The places that the reason speaks of. @type {string[]} */
    this.spoken = [];
    // Headlines and reasons: at two edges of the map, on a phone above each other.
    this.words = h("div", { class: "words" });
    play.board.el.append(this.words);
  }

  /** @param {any} message an update, before it is drawn */
  async show(message) {
    const play = this.play;
    if (!play.title || message.undone || play.ended) return;
    const mine = message.by && (message.by === play.state.you || play.state.you === "both");
    // The odds of a battle that was fought say nothing of what the other side does.
    if (!mine && !play.armed) closeSheet(play);
    // Who reads the game in words does not see the map.
    const speed = settings.speed * (document.hidden || play.text.on ? 0 : play.queue.length > BEHIND ? 0.5 : 1);
    const shown = speed > 0 && (!mine || (message.events ?? []).some((/** @type {GameEvent} */ event) => event.kind === "Rolled"));
    /** @type {string[]} */
    const trail = [];
    // A plan of several moves has one reason: it is said once, and its line stays until it can be skimmed, unless the viewer is to decide anyway.
    const began = performance.now();
    let reading = 0;
    if (!mine && message.reason && message.reason !== this.reason && speed > 0) {
      const said = `${play.nameOf(message.by)}: ${spaced(message.reason)}`;
      this.caption(said, spokenOf(play, message));
      if (speed >= 1 && !message.actions?.length) reading = Math.min(PATIENCE, 800 + 15 * said.length);
    }
    if (!mine) this.reason = message.reason;
    for (const event of message.events ?? []) {
      if (this.hurried) break;
      if (shown) playing(play, event.by ?? event.side ?? message.by, event.text);
      if (event.headline) {
        this.banner([event.text]);
        if (!mine) await this.wait(700 * speed);
      }
      const unit = unitOf(event);
      const way = wayOf(event);
      if (unit && way.length > 1) {
        const ms = Math.min(900, 90 * Math.max(1, way.length - 1) + 130) * speed * (mine ? 0.6 : 1);
        if (!mine && settings.follow) this.follow(way[way.length - 1]);
        if (reducedMotion()) trail.push(...way);
        else await play.board.run(unit, way, ms);
        const piece = play.board.pieces.get(unit);
        if (piece) {
          // The next event may start where this one ended.
          play.board.setPieces([...play.board.pieces.values()].map((each) => (each.id === unit ? { ...each, space: way[way.length - 1] } : each)));
        }
      } else if (event.kind === "Rolled") {
        await this.dice(event, speed);
      } else if (!mine && speed > 0) {
        const place = placeOf(event);
        if (place && play.board.spaces.has(place)) { if (settings.follow) this.follow(place); play.board.flash(place, /Attack|Elimin|Reduc|Lost|Loss/.test(event.kind) ? "threat" : "chosen"); await this.wait(220 * speed); }
      }
    }
    if (trail.length) { play.board.light({ trail }); await this.wait(Math.min(2000, 600 * speed)); }
    await this.wait(began + reading - performance.now());
    this.skip = null;
  }

  /** What everybody should look up for, over the map for a moment; who listens hears it with the rest. @param {string[]} texts */
  banner(texts) {
    if (!texts.length || this.play.text.on) return;
    const now = $(".banner", this.words);
    const lines = [...(now ? [...now.children].map((each) => each.textContent ?? "") : []), ...texts];
    const box = h("div", { class: "banner", "aria-hidden": "true" }, lines.slice(-4).map((each) => h("p", null, tidy(this.play, each))));
    if (now) now.replaceWith(box);
    else this.words.append(box);
    clearTimeout(this.bannerTimer);
    this.bannerTimer = window.setTimeout(() => box.remove(), 3200);
  }

  /** @param {string} text @param {string[]} places what it speaks of */
  caption(text, places) {
    $(".caption", this.words)?.remove();
    const box = h("div", { class: "caption", role: "status" }, text);
    this.words.append(box);
    box.style.visibility = "hidden";
    this.spoken = places;
    this.layWords();
    this.fade();
  }

  /** On a phone, what is lit to be chosen matters more than why the other side did something; the log keeps the reason. */
  makeRoom() {
    if (innerWidth <= 700 && this.play.mayAct) $(".caption", this.words)?.remove();
  }

  /** A reason stands where it hides the fewest counters, and least of all what it speaks of: where they are is known once the prompt and the map stand still. */
  async layWords() {
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    const box = /** @type {HTMLElement|null} */ ($(".caption", this.words));
    const { board } = this.play;
    const map = board.el.getBoundingClientRect();
    if (!box || !map.width) return;
    box.style.visibility = "";
    const [w, tall] = [box.offsetWidth, box.offsetHeight];
    const size = board.counter * board.scale;
    const around = (/** @type {{x: number, y: number}} */ at, weight = 1) => {
      const { x, y } = board.toScreen(at.x, at.y);
      return { left: x - size / 2, right: x + size / 2, top: y - size / 2, bottom: y + size / 2, weight };
    };
    const meant = new Set(this.spoken);
    const counters = [...board.spots].map(([unit, spot]) => around(spot, meant.has(this.play.spaceOf(unit) ?? "") ? 6 : 2));
    const named = this.spoken.flatMap((id) => board.spaces.get(id) ?? []).map(({ polygon }) => {
      const corners = polygon.map(([x, y]) => board.toScreen(x, y));
      const [all, tall] = [corners.map((at) => at.x), corners.map((at) => at.y)];
      return { left: Math.min(...all), right: Math.max(...all), top: Math.min(...tall), bottom: Math.max(...tall), weight: 3 };
    });
    const names = board.data.spaces.filter((space) => space.name && space.name !== space.id).map((space) => around(space, 0.3));
    const furniture = [board.layers.water, board.bar, ...board.el.querySelectorAll(".banner, .dice, .on-map, .guide")].flatMap((el) => {
      const { left, right, top, bottom, width } = el.getBoundingClientRect();
      return width ? [{ left: left - map.left, right: right - map.left, top: top - map.top, bottom: bottom - map.top, weight: el === board.layers.water ? 4 : 30 }] : [];
    });
    // What moves next is brought to the middle of a map that is not seen as a whole.
    const [mx, my] = [map.width / 3, map.height / 3];
    const middle = board.scale > board.fitScale() * 1.02 ? [{ left: mx, right: 2 * mx, top: my, bottom: 2 * my, weight: 0.4 }] : [];
    const taken = [...counters, ...named, ...names, ...furniture, ...middle];
    const hides = (/** @type {number} */ x, /** @type {number} */ y, wide = w) => taken.reduce((sum, each) => {
      const over = Math.max(0, Math.min(x + wide, each.right) - Math.max(x, each.left)) * Math.max(0, Math.min(y + tall, each.bottom) - Math.max(y, each.top));
      return sum + over * each.weight;
    }, 0);
    // A phone's tools and sheet leave it two places.
    if (innerWidth <= 700) {
      this.words.classList.toggle("high", hides(8, 8, map.width - 70) < hides(8, map.height - tall - 26));
      return;
    }
    const steps = (/** @type {number} */ room, /** @type {number} */ many) => Array.from({ length: many + 1 }, (_, at) => 16 + (Math.max(0, room - 32) * at) / many);
    let [best, least] = [[16, 16], Infinity];
    // From below, where one looks for it.
    for (const y of steps(map.height - tall, 10).reverse()) for (const x of steps(map.width - w, 12)) {
      const cost = hides(x, y) + Math.abs(x + w / 2 - map.width / 2) * 0.5;
      if (cost < least) [best, least] = [[x, y], cost];
    }
    Object.assign(box.style, { left: `${best[0]}px`, top: `${best[1]}px` });
  }

  /** A reason goes after a while, but not while somebody has stopped everything to read it. */
  fade() {
    clearTimeout(this.captionTimer);
    if (!this.paused) this.captionTimer = window.setTimeout(() => $(".caption", this.words)?.remove(), LONGEST);
  }

  /** @param {string} space */
  follow(space) {
    const at = this.play.board.spaces.get(space);
    if (!at || !this.play.board.outOfSight(at.x, at.y)) return;
    this.play.board.reveal(at.x, at.y);
    this.layWords();
  }

  /** @param {number} ms */
  wait(ms) {
    if (ms <= 0 || this.hurried) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), ms);
      this.skip = () => { clearTimeout(timer); resolve(null); };
    });
  }

  /** What comes is shown only after the pause, from where it stopped. @param {boolean} on */
  pause(on) {
    this.paused = on;
    if (!on) this.resume?.();
    this.fade();
    drawPrompt(this.play);
  }

  /** @returns {Promise<void>} */
  unpaused() {
    return new Promise((resolve) => {
      if (this.paused && !this.hurried) this.resume = resolve;
      else resolve();
    });
  }

  /** Any key or click completes it, and what waits behind it. */
  hurry() {
    if (!this.play.draining) return;
    this.hurried = true;
    this.paused = false;
    this.fade();
    this.resume?.();
    this.play.board.hurry();
    this.skip?.();
  }

  stop() {
    this.hurry();
  }

  /** @param {GameEvent} event @param {number} speed */
  async dice(event, speed) {
    const faces = /** @type {number[]} */ (event.faces ?? []);
    const box = h("div", { class: "dice on-map", onclick: () => box.remove() }, h("div", { class: "row" }, mark(event.by), h("b", null, this.play.nameOf(event.by))),
      h("div", { class: "faces" }, faces.map((face) => die(face))), h("p", null, this.play.sentence(event.text), " ", this.play.rule(event.rule)), event.outcome && !event.text.includes(event.outcome) ? h("b", null, this.play.sentence(event.outcome)) : null);
    $(".dice", this.play.el)?.remove();
    this.play.board.el.append(box);
    this.lay(box, event);
    if (speed > 0 && !reducedMotion()) for (const el of box.querySelectorAll(".die")) el.animate([{ transform: "translateY(-26px) rotate(-140deg)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 500 * speed, easing: "cubic-bezier(.1,.8,.3,1)" });
    await this.wait(reducedMotion() ? 700 * speed : 1100 * speed);
    const gone = () => box.remove();
    // Who lets games be played before his eyes wants to read what was rolled: it stays until he goes on.
    if (speed > 0) for (const press of ["pointerdown", "keydown"]) addEventListener(press, gone, { once: true });
    else setTimeout(gone, 1500);
  }

  /** Dice lie where they hide neither tracks on the map, nor the place they were rolled for, nor the guide, nor a headline or a reason. @param {HTMLElement} box @param {GameEvent} event */
  lay(box, event) {
    const { board, guide } = this.play;
    if (innerWidth <= 700) return;
    const map = board.el.getBoundingClientRect();
    const [tracks, advice, headline] = [board.layers.water, guide.el, $(".banner", this.words) ?? guide.el].map((el) => el.getBoundingClientRect());
    const reason = ($(".caption", this.words) ?? guide.el).getBoundingClientRect();
    const taken = [tracks, advice, headline, reason].filter((rect) => rect.width).map(({ left, right, top, bottom }) => [left - map.left, right - map.left, top - map.top, bottom - map.top]);
    const corners = board.spaces.get(event.place ?? "")?.polygon.map(([x, y]) => board.toScreen(x, y)) ?? [];
    const [xs, ys] = [corners.map((at) => at.x), corners.map((at) => at.y)];
    if (corners.length) taken.push([Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]);
    const [w, tall] = [box.offsetWidth, box.offsetHeight];
    const [east, south] = [map.width - w - 16, map.height - tall - 70];
    const spots = [[east, 16], [east, tracks.bottom - map.top + 10], [east, headline.bottom - map.top + 10], [16, 16], [east, south], [16, south]];
    const free = spots.find(([x, y]) => y >= 0 && y + tall <= map.height && taken.every(([left, right, top, bottom]) => x > right || x + w < left || y > bottom || y + tall < top));
    const [x, y] = free ?? spots[0];
    Object.assign(box.style, { left: `${x}px`, top: `${y}px`, right: "auto" });
  }
}

/** @param {number} face */
export function die(face) {
  /** @type {Record<number, number[][]>} */
  const pips = { 1: [[12, 12]], 2: [[7, 7], [17, 17]], 3: [[6.5, 6.5], [12, 12], [17.5, 17.5]], 4: [[7, 7], [17, 7], [7, 17], [17, 17]], 5: [[6.5, 6.5], [17.5, 6.5], [12, 12], [6.5, 17.5], [17.5, 17.5]], 6: [[7, 6], [17, 6], [7, 12], [17, 12], [7, 18], [17, 18]] };
  const svg = s("svg", { class: "die", viewBox: "0 0 24 24", width: 44, height: 44, role: "img", "aria-label": String(face) }, s("rect", { x: 1, y: 1, width: 22, height: 22, rx: 4.5 }));
  if (pips[face]) for (const [cx, cy] of pips[face]) svg.append(s("circle", { cx, cy, r: 2.1 }));
  else svg.append(s("text", { x: 12, y: 17.5, "text-anchor": "middle", "font-size": 15 }, face));
  return svg;
}

/** @param {GameEvent} event */
function unitOf(event) {
  const unit = event.unit ?? (Array.isArray(event.units) && event.units.length === 1 ? event.units[0] : null);
  return typeof unit === "string" ? unit : null;
}

/** The spaces a unit went through, whatever the title calls them. @param {GameEvent} event @returns {string[]} */
function wayOf(event) {
  const path = event.path ?? event.way ?? event.route ?? event.hexes;
  if (Array.isArray(path) && path.length > 1 && path.every((each) => typeof each === "string")) return path;
  const from = event.start ?? event.origin ?? event.source ?? event.from_ ?? event.from;
  const to = event.space ?? event.hex ?? event.to ?? event.end ?? event.target;
  if (typeof from === "string" && typeof to === "string" && from !== to) return Array.isArray(path) ? [from, ...path, to] : [from, to];
  return [];
}

/** The places that a deed and its reason are about: where units came from, went and stand, and what is named. @param {Play} play @param {any} message */
function spokenOf(play, message) {
  /** @type {GameEvent[]} */
  const events = message.events ?? [];
  const units = events.flatMap((event) => [unitOf(event) ?? [], event.units ?? []].flat());
  const places = events.flatMap((event) => [...wayOf(event), placeOf(event) ?? [], event.spaces ?? [], namedPlaces(play, event.text ?? "")].flat());
  return [...new Set([...places, ...units.map((unit) => play.spaceOf(unit) ?? ""), ...namedPlaces(play, message.reason ?? "")])].filter((id) => play.board.spaces.has(id));
}

/** @param {GameEvent} event */
function placeOf(event) {
  const place = event.space ?? event.hex ?? event.target ?? (Array.isArray(event.spaces) ? event.spaces[0] : null);
  return typeof place === "string" ? place : null;
}
