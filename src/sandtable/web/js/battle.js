// A battle that is put together step by step: its sheet lies open and follows every unit that joins.

import { showOdds } from "./sheet.js";
import { closeSheet } from "./choosing.js";

/** @typedef {import("./play.js").Play} Play */

/** Show the odds of what would be fought now; the battle is over when nothing free rolls for it. @param {Play} play */
export async function followBattle(play) {
  const { seq } = play.state;
  const free = play.mayAct ? play.choices().free.filter((action) => !action.units.length) : [];
  for (const action of free.slice(-3)) {
    const answer = await play.live.ask("odds", { action: action.text }).catch(() => null);
    if (play.state.seq !== seq || !play.battle) return;
    if (!answer?.sheet) continue;
    if (play.battle === "shown" && innerWidth > 900 && !play.armed) showOdds(play, action, answer.odds, answer.sheet);
    return;
  }
  if (play.state.seq !== seq) return;
  play.battle = "";
  if (!play.armed) closeSheet(play);
}
