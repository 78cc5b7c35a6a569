// A battle that is put together step by step: its sheet lies open and follows every unit that joins.

import { showOdds } from "./sheet.js";
import { closeSheet } from "./choosing.js";
import { light } from "./lights.js";

/** @typedef {import("./play.js").Play} Play */

/** Show the odds of what would be fought now; the battle is over when nothing free rolls for it. @param {Play} play */
export async function followBattle(play) {
  const { seq } = play.state;
  const free = play.mayAct ? play.choices().free.filter((action) => !action.units.length) : [];
  for (const action of free.slice(-3)) {
    const answer = await play.live.ask("odds", { action: action.text }).catch(() => null);
    if (play.state.seq !== seq || !play.battle) return;
    if (!answer?.sheet) continue;
    if (play.armed) return;
    if (play.battle === "shown" && innerWidth > 900) showOdds(play, action, answer.odds, answer.sheet);
    else if (innerWidth <= 900) mark(play, answer.sheet);
    return;
  }
  if (play.state.seq !== seq) return;
  play.battle = "";
  if (!play.armed) closeSheet(play);
  if (play.sheet.hidden && play.fight) mark(play, null);
}

/** Where the sheet would cover the map, the map alone shows who strikes whom. @param {Play} play @param {import("./types.js").Sheet|null} fight */
function mark(play, fight) {
  play.fight = fight;
  light(play);
}
