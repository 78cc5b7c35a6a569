// The first quarter of an hour: steps from a file, in the real game on the real map.

import { announce, button, h, put } from "./dom.js";
import { keep, recall } from "./api.js";
import { openRail } from "./frame.js";
import { emptiest } from "./lights.js";

/** @typedef {import("./play.js").Play} Play */

/**
 * A step waits for something to be true. `until`: what was played (a regular expression on the action's
 * text), what is picked, a tool that is on, or a press of "Next". `point`: a space, a unit or a part of the page.
 * `touch`: other words for who has no keyboard; `read`: for who plays in the text view. `then`: `played` counts only if this is asked after it.
 * @typedef {{title: string, text: string, touch?: string, read?: string, rule?: string, point?: {space?: string, unit?: string, part?: string, kind?: string},
 *   until?: {played?: string, picked?: string, tool?: string, prompt?: string, then?: string}}} Step
 */

export class Guide {
  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    /** @type {Step[]} */
    this.steps = [];
    /** Words of the trade. @type {import("./terms.js").Term[]} */
    this.words = [];
    this.at = -1;
    this.el = h("section", { class: "guide on-map", hidden: true, "aria-label": "First orders" });
    // On a phone it makes room for the map as soon as something else is touched, and opens again with the next step.
    play.el.addEventListener("pointerdown", (event) => { if (!this.el.contains(/** @type {Node} */ (event.target))) this.fold(innerWidth <= 700); });
  }

  /** @param {boolean} on */
  fold(on) {
    this.el.classList.toggle("folded", on);
    this.el.querySelector(".fold")?.setAttribute("aria-expanded", String(!on));
  }

  get key() { return `guide.${this.play.id}`; }

  async begin() {
    if (recall(this.key, -1) < 0) return;
    await this.load();
    this.at = recall(this.key, 0);
    this.draw();
    this.tell();
  }

  /** The step to who reads or hears the game. */
  tell() {
    this.play.text.draw();
    const step = this.steps[this.at];
    if (step) announce(`${step.title}. ${this.play.text.on ? readWords(step) : words(step)}`);
  }

  async load() {
    this.loading ??= fetch(`/static/guides/${this.play.title.id}.json`)
      .then((answer) => /** @type {Promise<any>} */ (answer.ok ? answer.json() : Promise.resolve({})))
      .then(
        ({ steps = [], words = [] }) => Object.assign(this, { steps, words }),
        () => { this.loading = undefined; },
      );
    await this.loading;
  }

  /** @type {Promise<any>|undefined} */
  loading;

  async restart() {
    await this.load();
    this.go(0);
  }

  /** @param {number} at */
  go(at) {
    this.at = at >= this.steps.length ? -1 : at;
    keep(this.key, this.at);
    this.fold(false);
    this.draw();
    this.tell();
  }

  /** @param {any} message */
  happened(message) {
    if (!message.action || this.at < 0) return;
    // Who plays on without pressing Next has read enough: steps that only tell something are passed over.
    // But a step that waits for a question is over when that is asked.
    const now = this.steps[this.at]?.until;
    if (now?.prompt && !now.played) return;
    const asked = message.view?.prompt ?? "";
    const did = (/** @type {Step} */ { until }) => until?.played && new RegExp(until.played).test(message.action) && new RegExp(until.then ?? "").test(asked);
    const next = this.steps.findIndex((step, at) => at >= this.at && did(step));
    if (next >= 0) this.go(next + 1);
  }

  /** A tool was switched on. @param {string} tool */
  toggled(tool) {
    if (this.steps[this.at]?.until?.tool !== tool) return;
    // On a phone the card of tools lies over the next step.
    if (this.play.rail.classList.contains("open")) openRail(this.play, false);
    this.go(this.at + 1);
  }

  draw() {
    const step = this.steps[this.at];
    if (!this.el.isConnected && this.play.board.el) this.play.board.el.append(this.el);
    this.el.hidden = !step;
    if (!step) return;
    const play = this.play;
    // It lies where it covers least, and stays there.
    this.corner ||= emptiest(play.board, 360, 210, ["east", "south-east", "west"]);
    this.el.dataset.corner = this.corner;
    const until = step.until;
    if (until?.picked && play.picks.units.some((unit) => new RegExp(/** @type {string} */ (until.picked)).test(unit))) { this.go(this.at + 1); return; }
    if (until?.prompt && new RegExp(until.prompt).test(play.state.view.prompt)) { this.go(this.at + 1); return; }
    const many = this.steps.length;
    const kept = /** @type {HTMLElement|null} */ (this.el.contains(document.activeElement) ? document.activeElement : null)?.dataset.guide;
    put(this.el,
      h("div", { class: "row" },
        h("button", { type: "button", class: "fold", "aria-expanded": String(!this.el.classList.contains("folded")), data: { guide: "fold" }, onclick: () => this.fold(!this.el.classList.contains("folded")) },
          h("span", { class: "lab" }, `First orders, ${this.at + 1} of ${many}`), h("b", null, step.title)),
        h("button", { type: "button", class: "icon", "aria-label": "End the guide", data: { guide: "end" }, onclick: () => this.go(many) }, "×")),
      h("div", { class: "guide-body" }, h("h2", null, step.title), h("p", null, play.sentence(words(step)), " ", step.rule ? play.rule(step.rule) : null),
        h("div", { class: "row" }, this.at > 0 && button("Back", () => this.go(this.at - 1), { cls: "small", data: { guide: "back" } }), this.at > 0 && button("From the start", () => this.go(0), { cls: "small quiet" }), h("span", { class: "grow" }), button(until ? "Skip" : this.at + 1 === many ? "Done" : "Next", () => this.go(this.at + 1), { cls: `small ${until ? "" : "primary"}`, data: { guide: "next" } }))));
    // Who presses Next with the keyboard presses it again.
    if (kept) /** @type {HTMLElement|null} */ (this.el.querySelector(`[data-guide="${kept}"]`) ?? this.el.querySelector('[data-guide="next"]'))?.focus({ preventScroll: true });
    this.point(step);
  }

  /** The same step for the text view. */
  inText() {
    const step = this.steps[this.at];
    if (!step) return null;
    const last = this.at + 1 === this.steps.length;
    return h("section", { class: "text-guide", "aria-label": "First orders" }, h("h3", null, `First orders, ${this.at + 1} of ${this.steps.length}: ${step.title}`), h("p", null, this.play.sentence(readWords(step)), " ", step.rule ? this.play.rule(step.rule) : null),
      h("div", { class: "row" }, button(step.until ? "Skip" : last ? "Done" : "Next", () => this.go(this.at + 1), { cls: "small", data: { stay: "guide" } }), !last && button("End the guide", () => this.go(this.steps.length), { cls: "small quiet", data: { stay: "guide-end" } })));
  }

  /** @param {Step} step */
  point(step) {
    const { board } = this.play;
    const space = step.point?.space ?? (step.point?.unit ? this.play.spaceOf(step.point.unit) : null);
    for (const old of document.querySelectorAll(".pointed")) old.classList.remove("pointed");
    const part = step.point?.part ? document.querySelector(step.point.part) : null;
    // A phone has its tools behind one button.
    (part?.checkVisibility() ? part : part?.closest(".rail")?.querySelector(".layers"))?.classList.add("pointed");
    const at = space ? board.spaces.get(space) : null;
    if (at && this.shown !== this.at) { if (board.outOfSight(at.x, at.y, 12)) board.bring(at.x, at.y); board.flash(at.id); }
    this.shown = this.at;
  }

  /** @type {number|undefined} */
  shown;

  corner = "";
}

/** For who plays in the text view. @param {Step} step */
function readWords(step) {
  return step.read ?? step.text.replace(/\bClick\b/g, "Choose").replace(/\bclick\b/g, "choose");
}

/** @param {Step} step */
function words(step) {
  if (!matchMedia("(pointer: coarse)").matches) return step.text;
  return step.touch ?? step.text.replace(/\bClick\b/g, "Tap").replace(/\bclick\b/g, "tap");
}
