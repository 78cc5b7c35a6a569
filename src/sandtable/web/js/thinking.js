// While somebody else decides: who thinks, for how long already, of how much, and about what.

import { decides } from "./words.js";

/** @typedef {import("./play.js").Play} Play */

/** The opponent that is to decide, and the seconds it has for a plan, if they are counted. @param {Play} play */
function thinker(play) {
  const { view, players, outcome, you } = play.state;
  const player = players?.[view.actor ?? ""];
  if (outcome || play.past || player?.kind !== "opponent") return null;
  const [level, budget] = (player.level || "opponent").split(":");
  // Who watches must be told which side.
  const name = `The ${level === "random" ? "opponent" : level}${you ? "" : ` (${play.nameOf(view.actor)})`}`;
  return { name, budget: Number(budget) || 0 };
}

/** That an opponent thinks, for who listens: once, without the seconds that pass. @param {Play} play */
export function thinkingOnce(play) {
  const found = thinker(play);
  return found ? `${found.name} is thinking${found.budget ? `, up to ${found.budget} s` : ""}.` : "";
}

/** That it thinks, and for how long already. @param {Play} play */
function thinking(play) {
  const found = play.draining ? null : thinker(play);
  if (!found) return "";
  const { name, budget } = found;
  const seconds = Math.round((performance.now() - play.thinksSince) / 1000);
  if (seconds < 1) return `${name} is thinking${budget ? `, up to ${budget} s.` : " …"}`;
  // Where others wait for the same server it may take longer than it may think.
  return `${name} is thinking, ${seconds}${budget >= seconds ? ` of ${budget}` : ""} s.`;
}

/** What a player without a choice waits for, and what the other side is asked. @param {Play} play */
export function waitsFor(play) {
  const { view, you } = play.state;
  const side = play.nameOf(view.actor);
  const waits = /** @type {any} */ (play.state).waiting
    ? "The game begins when the other seat is taken."
    : play.playback.paused
      ? "Paused."
      : thinking(play) || (you ? `${decides(side)}. You see it here when it happens.` : "You are watching.");
  const known = view.prompt === `${decides(side)}.` || view.actor === you;
  const theirs = !view.actor ? view.prompt : known ? "" : `${you ? "Theirs" : side} to answer: ${view.prompt}`;
  tick(play);
  return { waits, theirs };
}

/** The seconds pass, wherever they are shown. @param {Play} play */
function tick(play) {
  clearTimeout(play.thinkTimer);
  play.thinkTimer = window.setTimeout(() => {
    const shown = play.el.querySelectorAll("[data-thinks]");
    const text = thinking(play);
    if (!shown.length || !text || play.playback.paused || !play.el.isConnected) return;
    for (const each of shown) each.textContent = text;
    tick(play);
  }, 1000);
}
