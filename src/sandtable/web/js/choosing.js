// Choosing: from clicks to picks, from picks to one action, and that action to the server.

import { $, announce, h, percent, put, toast } from "./dom.js";
import { settings } from "./api.js";
import { NOTHING, onlyUnit, pickSpace, pickUnit, wouldBe } from "./choices.js";
import { showOdds } from "./sheet.js";
import { light } from "./lights.js";
import { showTab } from "./frame.js";
import { drawPrompt, returnFocus } from "./prompt.js";
import { outcomeWords, spaceLine } from "./words.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Action} Action */
/** @typedef {import("./types.js").Odds} Odds */
/** @typedef {import("./types.js").Sheet} Sheet */

/** @param {Play} play @param {string} id @param {{touch: boolean, shift: boolean, x: number, y: number}} how */
export function clickUnit(play, id, how) {
  if (play.state.you && play.afterPlayback(() => clickUnit(play, id, how))) return;
  closeMenu(play);
  const piece = play.piece(id);
  const space = piece?.space ?? null;
  const stack = space ? (play.board.stacks.get(space) ?? []) : [];
  const wasFanned = play.board.fanned === space;
  const { spaces, units } = play.choices();
  // A lit place with somebody in it: the place is meant, unless a lit unit there is.
  if (play.mayAct && space && spaces.has(space) && !units.has(id) && play.picks.units.length) {
    clickSpace(play, space, how);
    return;
  }
  if (!play.board.areas && stack.length > 1 && !wasFanned) {
    play.board.fan(space);
    // The line about the top counter would lie over the counters that now spread out.
    play.tip.hidden = true;
    clearTimeout(play.hoverTimer);
    const lit = stack.filter((each) => units.has(each.id));
    const same = lit.length > 1 && !play.picks.units.length && oneOrder(play, lit.map((each) => each.id));
    if (same) {
      consider(play, same, true);
      return;
    }
    if (lit.length === 1) id = lit[0].id;
    else if (lit.length > 1) {
      play.looked = null;
      play.picks = lit.every((each) => !play.picks.units.includes(each.id)) ? NOTHING : play.picks;
      play.looked = id;
      play.refresh();
      return;
    }
  } else if (stack.length <= 1) play.board.fan(null);
  play.looked = id;
  if (document.documentElement.dataset.by !== "keys") play.board.cursor = null;
  if (!play.mayAct) {
    play.refresh();
    return;
  }
  const next = pickUnit(play.state.actions, play.picks, id, play.spaceOf);
  if (!next) {
    // A unit of one's own that cannot act is asked about; other counters stand for their place.
    const own = piece?.side === play.me && !(space && spaces.has(space));
    if (!own && space && pickSpace(play.state.actions, play.picks, space, play.spaceOf)) {
      clickSpace(play, space, how);
      return;
    }
    if (own) why(play, { unit: id });
    // An enemy in a place out of reach: the chosen unit is asked why it cannot go there, and stays chosen.
    else if (space && play.picks.units.length) {
      play.looked = null;
      why(play, { space });
      play.refresh();
      return;
    }
    play.picks = onlyUnit(play.state.actions) ? play.picks : NOTHING;
    play.armed = null;
    play.refresh();
    return;
  }
  pick(play, next, how);
}

/** The one action that every one of these units would lead to, if there is only one. @param {Play} play @param {string[]} units */
function oneOrder(play, units) {
  const found = play.state.actions.filter((action) => units.some((unit) => action.units.includes(unit) || action.spaces.includes(play.spaceOf(unit) ?? "")));
  return found.length === 1 && units.every((unit) => found[0].units.includes(unit)) && !found[0].spaces.length ? found[0] : null;
}

/** The same from the list beside the map or by its number. @param {Play} play @param {string} id */
export function clickUnitCard(play, id) {
  play.looked = id;
  const next = play.mayAct ? pickUnit(play.state.actions, play.picks, id, play.spaceOf) : null;
  const space = play.spaceOf(id);
  const at = space ? play.board.spaces.get(space) : null;
  // On a phone the panel lies over the map where the unit goes next.
  if (next && innerWidth <= 700) showTab(play, "map");
  if (at) play.board.reveal(at.x, at.y);
  if (next) pick(play, next, { touch: false, shift: false, ...play.board.toScreen(at?.x ?? 0, at?.y ?? 0) });
  else play.refresh();
}

/** @param {Play} play @param {string} id @param {{touch: boolean, shift: boolean, x: number, y: number}} how */
export function clickSpace(play, id, how) {
  if (play.state.you && play.afterPlayback(() => clickSpace(play, id, how))) return;
  closeMenu(play);
  play.board.fan(null);
  if (!play.mayAct) {
    play.looked = play.board.stacks.get(id)?.[0]?.id ?? null;
    play.refresh();
    return;
  }
  if (play.armed && play.armed.action.spaces.at(-1) === id && play.armed.action.spaces.length === 1) {
    commit(play, play.armed.action);
    return;
  }
  const next = pickSpace(play.state.actions, play.picks, id, play.spaceOf);
  if (!next) {
    if (play.picks.units.length) {
      why(play, { space: id });
      return;
    }
    const stack = play.board.stacks.get(id);
    if (stack?.length) {
      clickUnit(play, stack[0].id, how);
      return;
    }
    // Nobody is chosen, so nobody in particular is kept from going there.
    const { spaces, units } = play.choices();
    if (units.size) toast([`${spaceLine(play, id, true)}. Choose a lit counter${spaces.size ? " or place" : ""} first. `, play.rule(play.view.rule)]);
    else why(play, { space: id });
    return;
  }
  pick(play, next, how);
}

/** @param {Play} play @param {import("./choices.js").Picks} next @param {{touch: boolean, shift: boolean, x: number, y: number}} how */
export function pick(play, next, how) {
  play.picks = next;
  play.armed = null;
  const { exact, fits } = play.choices();
  if (fits.length === 1 && (exact.length || !fits[0].spaces.length)) {
    // A finger may slip on the map: where something goes is asked, who is chosen is not.
    // Nor is something scarce used up by a click that meant to choose a unit.
    consider(play, fits[0], (how.touch && fits[0].spaces.length > 0) || !exact.length || !!play.title.spends?.includes(fits[0].kind));
    return;
  }
  // One attack alone fits what was clicked, wherever it comes from.
  if (fits.length === 1 && fits[0].kind === "attack") {
    consider(play, fits[0], true);
    return;
  }
  play.refresh();
  if (exact.length > 1 && exact.length === fits.length) openChoices(play, exact, how);
  else if (
    !exact.length &&
    fits.length &&
    !play.picks.units.length &&
    fits.every((action) => action.units.length) &&
    fits.length <= 9
  )
    openChoices(play, fits, how);
  else if (exact.length === 1 && next.spaces.length) armQuietly(play, exact[0]);
}

/** An action that is complete although more could be added. @param {Play} play @param {Action} action */
export function armQuietly(play, action) {
  play.armed = { action, odds: null, sheet: null, final: "", rolls: [] };
  play.refresh();
}

/**
 * Before an action is sent: show its odds, ask if it cannot be taken back, or just do it.
 * @param {Play} play @param {Action} action @param {boolean} [ask]
 */
export async function consider(play, action, ask = false) {
  if (play.afterPlayback(() => listed(play, action) && consider(play, action, ask))) return;
  closeMenu(play);
  // Who chose on the map goes on there; the button that confirms is only a stop on the way.
  if (!play.armed) play.fromMap = document.activeElement === play.board.el;
  play.picks = { units: [...action.units], spaces: [...action.spaces] };
  if (action.units.length > 1 || action.spaces.length > 1) play.picks = { units: action.units, spaces: action.spaces };
  /** @type {{odds: Odds|null, sheet: Sheet|null, final: string, rolls: string[]}} */
  let found = { odds: null, sheet: null, final: "", rolls: [] };
  if (play.considering || play.sending) return;
  play.considering = true;
  try {
    const answer = await play.live.ask("odds", { action: action.text });
    found = { odds: answer.odds ?? null, sheet: answer.sheet ?? null, final: answer.final ?? "", rolls: answer.rolls ?? [] };
  } catch (error) {
    play.refused(error);
    return;
  } finally {
    play.considering = false;
  }
  // A labelled button that only passes the turn is clear enough, unless units could still act.
  const free = !action.units.length && !action.spaces.length;
  const idle = free && !play.state.actions.some((other) => other.units.length === 1 || other.spaces.length);
  // While a battle is put together its sheet lies open: what can be taken back is done at once.
  const adds = !!play.battle && !found.final;
  // An answer among buttons that takes nothing back with it is plain enough without a second question.
  const plain = idle && !play.state.can_undo;
  const asks =
    (free && play.view.caution) || (found.odds && !adds) || ((found.final === "dice" || found.final === "seen") && !plain) || (found.final === "turn" && !idle);
  if (!asks && !ask && !settings.confirm) {
    commit(play, action);
    return;
  }
  play.armed = { action, ...found };
  play.tip.hidden = true;
  clearTimeout(play.hoverTimer);
  play.refresh();
  if (found.odds) showOdds(play, action, found.odds, found.sheet);
  ($(".prompt:not([inert]) .primary", play.el) ?? $(".sheet-foot .primary", play.sheet))?.focus({ preventScroll: true });
  const likely = [...(found.odds?.outcomes ?? [])].sort((a, b) => Number(b.probability) - Number(a.probability)).slice(0, 5);
  const chances = likely.map((each) => `${outcomeWords(found.sheet, each.text)} ${percent(Number(each.probability))}`).join(", ");
  announce(`${action.label}? ${found.final === "dice" ? `Dice are rolled${found.rolls.length ? ` for ${found.rolls.join(" and ")}` : ""}.` : ""} ${chances ? `${chances}.` : ""} ${play.text.on ? "Yes does it, No leaves it." : "Enter does it, Escape leaves it."}`);
}

/** Whether an action can still be chosen. @param {Play} play @param {Action} action */
function listed(play, action) {
  return play.mayAct && play.state.actions.some((each) => each.text === action.text);
}

/** @param {Play} play @param {Action} action */
export async function commit(play, action) {
  if (play.sending || play.afterPlayback(() => listed(play, action) && commit(play, action))) return;
  play.sending = true;
  play.missed = null;
  const builds = play.armed && play.armed.action === action && play.armed.sheet && !play.armed.final;
  if (builds && !play.battle) play.battle = "shown";
  // On a small screen the sheet covers the map and the prompt: it does not stay.
  if (!play.battle || innerWidth <= 900) closeSheet(play);
  play.armed = null;
  const started = performance.now();
  play.el.classList.add("sending");
  try {
    await play.live.ask("play", { action: action.text, seq: play.state.seq });
    performance.measure("play", { start: started });
  } catch (error) {
    play.refused(error);
    play.settle();
  } finally {
    play.sending = false;
    play.el.classList.remove("sending");
  }
}

/** Where nothing can be taken back the server says why. @param {Play} play */
export async function undo(play) {
  if (play.past) {
    toast("You look back. Go back to now to take something back.");
    return;
  }
  if (play.state.can_undo) play.missed = null;
  try {
    await play.live.ask("undo", { seq: play.state.seq });
  } catch (error) {
    play.refused(error);
  }
}

/** @param {Play} play @param {{unit?: string, space?: string}} clicked */
export async function why(play, clicked) {
  const text = wouldBe(play.state.actions, play.picks, clicked, play.spaceOf);
  if (!text) return;
  await whyNot(play, text);
}

/** @param {Play} play @param {string} text */
export async function whyNot(play, text) {
  try {
    const answer = await play.live.ask("why", { action: text });
    // The text view answers in its own place.
    if (play.text.on) return answer;
    if (answer.legal) toast("That is allowed.");
    else toast([answer.text, " ", play.rule(answer.rule)]);
    return answer;
  } catch (error) {
    play.refused(error);
    return null;
  }
}

/** @param {Play} play */
export function clear(play) {
  play.picks = NOTHING;
  play.armed = null;
  play.looked = null;
  play.board.fan(null);
  closeMenu(play);
  if (play.battle !== "shown") closeSheet(play);
  const alone = play.mayAct ? onlyUnit(play.state.actions) : null;
  if (alone) play.picks = { units: [alone], spaces: [] };
  play.refresh();
}

/** @param {Play} play */
export function closeSheet(play) {
  if (!play.sheet.hidden) {
    const had = play.sheet.contains(document.activeElement);
    play.sheet.hidden = true;
    play.hand.hidden = true;
    for (const each of play.el.children) each.removeAttribute("inert");
    if (had) returnFocus(play);
    play.fight = null;
    light(play);
    play.el.classList.remove("with-sheet");
    play.board.apply();
  }
}

/** @param {Play} play @param {string} unit @param {string} space */
export function drop(play, unit, space) {
  if (!play.mayAct) return;
  play.picks = { units: [unit], spaces: [] };
  const spot = play.board.toScreen(play.board.spaces.get(space)?.x ?? 0, play.board.spaces.get(space)?.y ?? 0);
  if (play.spaceOf(unit) === space) {
    play.refresh();
    return;
  }
  clickSpace(play, space, { touch: false, shift: false, ...spot });
}

/** A small menu by the pointer. @param {Play} play @param {Action[]} actions @param {{x: number, y: number}} at */
export function openChoices(play, actions, at) {
  const menu = play.menu;
  play.options = actions;
  const told = () => announce(`${actions.length} choices: ${actions.map((action, index) => `${index + 1}, ${action.label}`).join("; ")}`);
  // A phone has them in the prompt: a menu would cover the map.
  if (innerWidth <= 700 && actions.length <= 4) {
    drawPrompt(play);
    told();
    return;
  }
  put(
    menu,
    ...actions
      .slice(0, 12)
      .map((action, index) =>
        h(
          "button",
          { type: "button", data: { action: action.text }, onclick: () => consider(play, action) },
          index < 9 && h("kbd", { "aria-hidden": "true" }, index + 1),
          action.label,
        ),
      ),
  );
  menu.hidden = false;
  play.tip.hidden = true;
  clearTimeout(play.hoverTimer);
  drawPrompt(play);
  const box = play.board.el;
  menu.style.left = `${Math.max(8, Math.min(at.x + 8, box.clientWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(at.y + 8, box.clientHeight - menu.offsetHeight - 8))}px`;
  $("button", menu)?.focus({ preventScroll: true });
  told();
}

/** @param {Play} play */
export function closeMenu(play) {
  if (play.menu.contains(document.activeElement)) play.board.el.focus({ preventScroll: true });
  play.menu.hidden = true;
  play.options = [];
}

/** @param {Play} play */
export async function oddsNow(play) {
  if (play.armed?.odds) {
    showOdds(play, play.armed.action, play.armed.odds, play.armed.sheet);
    return;
  }
  const { exact, fits, free } = play.choices();
  const nothing = !play.picks.units.length && !play.picks.spaces.length;
  const attacks = nothing ? play.state.actions.filter((action) => action.kind === "attack").slice(0, 3) : [];
  for (const action of [...exact, ...(play.picks.units.length ? fits : []), ...free, ...attacks]) {
    const answer = await play.live.ask("odds", { action: action.text }).catch(() => null);
    if (answer?.odds) {
      play.armed = { action, odds: answer.odds, sheet: answer.sheet ?? null, final: answer.final ?? "", rolls: answer.rolls ?? [] };
      play.picks = { units: action.units, spaces: action.spaces };
      play.refresh();
      showOdds(play, action, answer.odds, answer.sheet);
      return;
    }
  }
  toast("No dice are rolled by what you have chosen. Choose an attack first.");
}

/** @param {Play} play @param {Action} action */
export function armQuietlyFor(play, action) {
  play.picks = { units: action.units, spaces: action.spaces };
  consider(play, action, true);
}
