// What happened while the player was away: told once, and found in the log.

import { announce, button, h, iconButton } from "./dom.js";
import { keep, recall } from "./api.js";
import { showTab } from "./frame.js";
import { readable } from "./logbook.js";
import { newestFirst } from "./panels.js";
import { drawPrompt } from "./prompt.js";

/** @typedef {import("./play.js").Play} Play */

/** @param {Play} play */
const key = (play) => `seen.${play.id}.${play.state.you ?? "watch"}`;
/** Who watches and has seen so many lines more needs to be told no longer. */
const ENOUGH = 20;

/** The player is back: what came after the last line he saw is new. Nothing is on a first visit. @param {Play} play */
export function comeBack(play) {
  const after = recall(key(play), /** @type {number|null} */ (null));
  if (after === null || play.missed) return;
  play.missed = { after, until: play.state.seq };
  const text = told(play);
  if (text) announce(text);
  else play.missed = null;
}

/** What is drawn before somebody's eyes is seen. @param {Play} play */
export function saw(play) {
  if (document.hidden) return;
  keep(key(play), play.state.seq);
  if (!play.state.you && play.missed && play.state.seq > play.missed.until + ENOUGH) play.missed = null;
}

/** Lines of the log that are new to who came back; what he did himself is not. @param {Play} play */
function missed(play) {
  const { after = 0, until = 0 } = play.missed ?? {};
  return readable(play.log.filter((line) => line.seq <= until)).filter((line) => line.seq > after && line.by !== play.state.you && !line.opens);
}

/** @param {Play} play */
function told(play) {
  const many = missed(play).length;
  return many && !play.state.outcome ? `Since you were here: ${many === 1 ? "one thing" : `${many} things`} happened.` : "";
}

/** The sentence with a button to the log, until it is closed or the player acts. @param {Play} play */
export function since(play) {
  // Who only watches has time to read it while the game goes on.
  const text = (play.playing && play.state.you) || play.past ? "" : told(play);
  if (!text) return null;
  const close = () => {
    play.missed = null;
    drawPrompt(play);
    play.text.draw();
  };
  return h("div", { class: "since" }, h("span", null, text), button("Show in the log", () => show(play), { cls: "small quiet", data: { since: "yes", stay: "since" } }), iconButton("x", "Close", close));
}

/** The log at the first line that is new. The text view and a phone have the newest line first. @param {Play} play */
function show(play) {
  const { on, el } = play.text;
  const [{ seq }] = missed(play);
  if (!on) showTab(play, "log");
  play.panels.newest = false;
  const list = /** @type {HTMLElement[]} */ ([...(on ? el : play.panels.body).querySelectorAll("[data-seq]")]);
  if (on || newestFirst()) list.reverse();
  // Later moves may have been put into one line with it.
  const line = list.find((each) => Number(each.dataset.seq) >= seq && each.dataset.by !== play.state.you);
  line?.setAttribute("tabindex", "-1");
  line?.scrollIntoView({ block: newestFirst() ? "end" : "start" });
  line?.focus({ preventScroll: true });
}
