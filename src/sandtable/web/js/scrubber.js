// The whole game as a strip: the first side above, the second below, triangles where dice fell.

import { button, h, icon, iconButton, s } from "./dom.js";
import { api, settings } from "./api.js";
import { fetchArt } from "./fetching.js";
import { closeMenu, closeSheet } from "./choosing.js";
import { branch, mayBranch } from "./around.js";
import { showTab } from "./frame.js";

/** @typedef {import("./play.js").Play} Play */

export class Scrubber {
  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    this.el = h("section", { class: "scrub", "aria-label": "History" });
    this.count = h("span", { class: "fig count-of" });
    this.strip = h("div", { class: "strip-box" });
    this.slider = h("input", { type: "range", class: "slider", min: "0", "aria-label": "Line of the game", oninput: () => this.aim(Number(this.slider.value)) });
    this.playButton = iconButton("play", "Play back", () => this.toggle());
    this.sandbox = button("Sandbox", () => branch(play, play.past?.at ?? play.state.seq), { icon: "branch", cls: "quiet small sandbox" });
    this.el.append(iconButton("first", "First line", () => this.go(0)), iconButton("back", "One line back", () => this.step(-1)), this.playButton, iconButton("fwd", "One line on", () => this.step(1)), iconButton("last", "Now", () => this.go(null)),
      this.count, this.strip, this.sandbox);
    this.strip.append(this.slider);
    this.timer = 0;
    this.wanted = -1;
  }

  draw() {
    const play = this.play;
    const last = play.state.seq;
    const now = play.past?.at ?? last;
    this.tell();
    this.sandbox.hidden = !mayBranch(play);
    this.slider.max = String(last);
    this.slider.value = String(now);
    const width = 600;
    const each = last ? Math.min(11, width / last) : width;
    /** @type {Map<number, {by: string, dice: boolean}>} */
    const lines = new Map();
    for (const line of play.log) {
      const known = lines.get(line.seq) ?? { by: line.by ?? "", dice: false };
      if (line.kind === "Rolled") known.dice = true;
      if (line.by) known.by = line.by;
      lines.set(line.seq, known);
    }
    const svg = s("svg", { class: "strip-svg", viewBox: `0 0 ${width} 30`, preserveAspectRatio: "none", "aria-hidden": "true" });
    const parts = { axis: "", allied: "", dice: "" };
    const w = Math.max(0.6, Math.min(9, each * 0.74));
    for (const [seq, { by, dice }] of lines) {
      const x = (seq - 1) * each + each / 2;
      const key = by === "axis" ? "axis" : "allied";
      parts[key] += `M${(x - w / 2).toFixed(1)} ${key === "axis" ? 8 : 17}h${w.toFixed(1)}v8h${(-w).toFixed(1)}Z`;
      if (dice) parts.dice += `M${x.toFixed(1)} 1l3 4.500h-6Z`.replace("4.500", "4.5");
    }
    svg.append(s("path", { class: "axis", d: parts.axis }), s("path", { class: "allied", d: parts.allied }), s("path", { class: "fell", d: parts.dice }), s("path", { class: "now", d: `M${Math.min(width - 1.5, now * each).toFixed(1)} 0v30` }));
    this.strip.querySelector("svg")?.remove();
    this.strip.prepend(svg);
    this.playButton.replaceChildren(icon(this.timer ? "pause" : "play"));
    this.playButton.setAttribute("aria-label", this.timer ? "Stop" : "Play back");
  }

  /** How far the page is, and how far the game: the other side may be ahead of what is shown. */
  tell() {
    const { past, state, live } = this.play;
    this.count.textContent = `${past?.at ?? state.seq} of ${Math.max(state.seq, live.seq)}`;
  }

  /** @param {number} by */
  step(by) {
    const at = (this.play.past?.at ?? this.play.state.seq) + by;
    this.go(at >= this.play.state.seq ? null : Math.max(0, at));
  }

  /** While the slider moves: ask for the newest wish only. @param {number} at */
  aim(at) {
    this.count.textContent = `${at} of ${this.play.state.seq}`;
    clearTimeout(this.aimTimer);
    this.aimTimer = window.setTimeout(() => this.go(at >= this.play.state.seq ? null : at), 60);
  }

  /** @type {number|undefined} */
  aimTimer;

  /** Show a line of the past, or with null the present. @param {number|null} at */
  async go(at) {
    const play = this.play;
    closeMenu(play);
    closeSheet(play);
    this.wanted = at ?? -1;
    if (at === null) {
      if (this.timer) this.toggle();
      play.past = null;
      play.settle();
      return;
    }
    try {
      const found = await api(`games/${play.id}/history?at=${at}${play.seat ? `&seat=${encodeURIComponent(play.seat)}` : ""}`);
      if (this.wanted !== at) return;
      // On a phone the log lies over the map that shows the line.
      if (innerWidth <= 700 && !play.text.on) showTab(play, "map");
      play.past = { at, view: found.view, log: found.log ?? play.log.filter((line) => line.seq <= at) };
      await fetchArt(play, found.view.pieces ?? []);
      play.render();
    } catch (error) {
      play.refused(error);
      if (this.timer) this.toggle();
    }
  }

  toggle() {
    if (this.timer) { clearInterval(this.timer); this.timer = 0; this.draw(); return; }
    if (!this.play.past) this.go(0);
    this.timer = window.setInterval(() => {
      if ((this.play.past?.at ?? this.play.state.seq) >= this.play.state.seq - 1) { this.toggle(); this.go(null); } else this.step(1);
    }, 700 * Math.max(0.4, settings.speed));
    this.draw();
  }
}
