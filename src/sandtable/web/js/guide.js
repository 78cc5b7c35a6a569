// The first quarter of an hour: steps from a file, in the real game on the real map.

import { announce, button, h, put } from "./dom.js";
import { keep, recall } from "./api.js";
import { emptiest } from "./lights.js";

/** @typedef {import("./play.js").Play} Play */

/**
 * A step waits for something to be true. `until`: what was played (a regular expression on the action's
 * text), what is picked, a tool that is on, or a press of "Next". `point`: a space, a unit or a part of the page.
 * @typedef {{title: string, text: string, rule?: string, point?: {space?: string, unit?: string, part?: string, kind?: string},
 *   until?: {played?: string, picked?: string, tool?: string, prompt?: string}}} Step
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
  }

  get key() { return `guide.${this.play.id}`; }

  async begin() {
    if (recall(this.key, -1) < 0) return;
    await this.load();
    this.at = recall(this.key, 0);
    this.draw();
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
    this.draw();
    const step = this.steps[this.at];
    if (step) announce(`${step.title}. ${step.text}`);
  }

  /** @param {any} message */
  happened(message) {
    if (!message.action || this.at < 0) return;
    // Who plays on without pressing Next has read enough: steps that only tell something are passed over.
    const next = this.steps.findIndex((step, at) => at >= this.at && step.until?.played && new RegExp(step.until.played).test(message.action));
    if (next >= 0) this.go(next + 1);
  }

  /** A tool was switched on. @param {string} tool */
  toggled(tool) {
    if (this.steps[this.at]?.until?.tool === tool) this.go(this.at + 1);
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
    const text = matchMedia("(pointer: coarse)").matches ? step.text.replace(/\bClick\b/g, "Tap").replace(/\bclick\b/g, "tap") : step.text;
    put(this.el, h("div", { class: "row" }, h("span", { class: "lab grow" }, `First orders, ${this.at + 1} of ${many}`), h("button", { type: "button", class: "icon", "aria-label": "End the guide", onclick: () => this.go(many) }, "×")),
      h("h3", null, step.title), h("p", null, play.sentence(text), " ", step.rule ? play.rule(step.rule) : null),
      h("div", { class: "row" }, this.at > 0 && button("Back", () => this.go(this.at - 1), { cls: "small" }), this.at > 0 && button("From the start", () => this.go(0), { cls: "small quiet" }), h("span", { class: "grow" }), button(until ? "Skip" : this.at + 1 === many ? "Done" : "Next", () => this.go(this.at + 1), { cls: `small ${until ? "" : "primary"}` })));
    this.point(step);
  }

  /** @param {Step} step */
  point(step) {
    const { board } = this.play;
    const space = step.point?.space ?? (step.point?.unit ? this.play.spaceOf(step.point.unit) : null);
    for (const old of document.querySelectorAll(".pointed")) old.classList.remove("pointed");
    if (step.point?.part) document.querySelector(step.point.part)?.classList.add("pointed");
    const at = space ? board.spaces.get(space) : null;
    if (at && this.shown !== this.at) { if (board.outOfSight(at.x, at.y, 12)) board.centre(at.x, at.y); board.flash(at.id); }
    this.shown = this.at;
  }

  /** @type {number|undefined} */
  shown;

  corner = "";
}
