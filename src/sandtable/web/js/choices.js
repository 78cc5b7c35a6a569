// From a list of legal actions to what may be clicked. Knows no rules: an action names units and
// spaces, a player picks some of them, and what fits the picks remains.

/** @typedef {import("./types.js").Action} Action */
/** @typedef {import("./types.js").Piece} Piece */

/**
 * @typedef {{units: string[], spaces: string[]}} Picks
 * @typedef {{fits: Action[], exact: Action[], units: Set<string>, spaces: Set<string>, free: Action[]}} Choices
 */

/** @type {Picks} */
export const NOTHING = { units: [], spaces: [] };

/**
 * Whether an action agrees with the picks. For an action that names no unit, picking a unit counts
 * as picking the space it stands in.
 * @param {Action} action @param {Picks} picks @param {(unit: string) => string|null} spaceOf
 */
function agrees(action, picks, spaceOf) {
  for (const space of picks.spaces) if (!action.spaces.includes(space)) return false;
  if (!action.units.length) {
    return picks.units.every((unit) => action.spaces.includes(spaceOf(unit) ?? ""));
  }
  return picks.units.every((unit) => action.units.includes(unit));
}

/** @param {Action} action @param {Picks} picks @param {(unit: string) => string|null} spaceOf */
function complete(action, picks, spaceOf) {
  const spaces = new Set(picks.spaces);
  if (!action.units.length) for (const unit of picks.units) spaces.add(spaceOf(unit) ?? "");
  return action.units.every((unit) => picks.units.includes(unit)) && action.spaces.every((space) => spaces.has(space));
}

/**
 * @param {Action[]} actions @param {Picks} picks @param {(unit: string) => string|null} spaceOf
 * @returns {Choices}
 */
export function choose(actions, picks, spaceOf) {
  // What names nothing on the map is a button; so is what names a whole group, such as a formation.
  const free = actions.filter((action) => !action.spaces.length && action.units.length !== 1);
  const onMap = actions.filter((action) => action.units.length || action.spaces.length);
  const picked = picks.units.length + picks.spaces.length > 0;
  const fits = picked ? onMap.filter((action) => agrees(action, picks, spaceOf)) : onMap;
  const exact = picked ? fits.filter((action) => complete(action, picks, spaceOf)) : [];
  /** @type {Set<string>} */
  const units = new Set();
  /** @type {Set<string>} */
  const spaces = new Set();
  for (const action of fits) {
    for (const unit of action.units) if (!picks.units.includes(unit)) units.add(unit);
    if (picks.units.length || !action.units.length) {
      const own = new Set(picks.units.map(spaceOf));
      for (const space of action.spaces) {
        if (picks.spaces.includes(space)) continue;
        if (!action.units.length && own.has(space)) continue;
        spaces.add(space);
      }
    }
  }
  // With one unit only to choose for, its spaces are the choice.
  if (!picked && !spaces.size && units.size === 1) for (const action of fits) for (const space of action.spaces) spaces.add(space);
  return { fits, exact, units, spaces, free };
}

/**
 * The unit that every action on the map speaks of, if there is only one: it is picked by itself.
 * @param {Action[]} actions
 */
export function onlyUnit(actions) {
  const units = new Set();
  for (const action of actions) {
    if (!action.units.length) { if (action.spaces.length) return null; continue; }
    if (action.units.length > 1) return null;
    units.add(action.units[0]);
  }
  return units.size === 1 ? /** @type {string} */ ([...units][0]) : null;
}

/**
 * What a click on a unit does to the picks; null if no action speaks of it.
 * @param {Action[]} actions @param {Picks} picks @param {string} unit
 * @param {(unit: string) => string|null} spaceOf @returns {Picks|null}
 */
export function pickUnit(actions, picks, unit, spaceOf) {
  // The only one there is to choose stays chosen.
  if (picks.units.includes(unit) && onlyUnit(actions) === unit) return { units: [unit], spaces: [] };
  if (picks.units.includes(unit)) return { ...picks, units: picks.units.filter((each) => each !== unit), spaces: [] };
  const more = { units: [...picks.units, unit], spaces: picks.spaces };
  const narrowed = actions.some((action) => action.units.includes(unit) && agrees(action, more, spaceOf));
  if (narrowed) return more;
  const alone = { units: [unit], spaces: [] };
  const speaks = actions.some((action) => (action.units.length || action.spaces.length) && agrees(action, alone, spaceOf));
  return speaks ? alone : null;
}

/**
 * What a click on a space does to the picks; null if it means nothing now.
 * @param {Action[]} actions @param {Picks} picks @param {string} space
 * @param {(unit: string) => string|null} spaceOf @returns {Picks|null}
 */
export function pickSpace(actions, picks, space, spaceOf) {
  if (picks.spaces.includes(space)) return { ...picks, spaces: picks.spaces.filter((each) => each !== space) };
  const both = { units: picks.units, spaces: [...picks.spaces, space] };
  const tries = [both, { units: picks.units, spaces: [space] }, { units: [], spaces: [space] }];
  // Who has chosen a unit is not offered the moves of another: it is told why its own cannot go there.
  const meant = (/** @type {Picks} */ attempt, /** @type {Action} */ action) => attempt.units.length > 0 || !picks.units.length || !action.units.length;
  const whole = tries.find((attempt) => actions.some((action) => meant(attempt, action) && action.spaces.includes(space) && agrees(action, attempt, spaceOf) && complete(action, attempt, spaceOf)));
  if (whole) return whole;
  for (const attempt of tries) {
    const possible = actions.filter((action) => meant(attempt, action) && action.spaces.includes(space) && agrees(action, attempt, spaceOf));
    if (!possible.length) continue;
    if (attempt.units.length || possible.some((action) => !action.units.length)) return attempt;
    // Only units' actions point here: fine if they are few enough to ask about.
    if (possible.length <= 9) return attempt;
  }
  return null;
}

/**
 * A text for "why not?": a legal action of the same sort with the clicked unit or space put in.
 * @param {Action[]} actions @param {Picks} picks @param {{unit?: string, space?: string}} clicked
 * @param {(unit: string) => string|null} spaceOf
 */
export function wouldBe(actions, picks, clicked, spaceOf) {
  const fits = actions.filter((action) => agrees(action, picks, spaceOf));
  for (const pool of [fits, actions]) {
    for (const action of pool) {
      if (clicked.space && action.spaces.length && (action.units.length || !picks.units.length)) {
        const text = swap(action.text, action.spaces[action.spaces.length - 1], clicked.space);
        return pool === actions && picks.units.length === 1 && action.units.length === 1 ? swap(text, action.units[0], picks.units[0]) : text;
      }
      if (clicked.unit && action.units.length) return swap(action.text, action.units[0], clicked.unit);
    }
  }
  return null;
}

/** @param {string} text @param {string} old @param {string} now */
function swap(text, old, now) {
  return text.split(" ").map((word) => word.split(",").map((part) => (part === old ? now : part)).join(",")).join(" ");
}

/**
 * Actions side by side with this one: the same units and spaces, another last word (an intensity, yes or no).
 * @param {Action[]} actions @param {Action} action
 */
export function siblings(actions, action) {
  const same = /** @param {string[]} a @param {string[]} b */ (a, b) => a.length === b.length && a.every((one) => b.includes(one));
  return actions.filter((other) => other.kind === action.kind && same(other.units, action.units) && same(other.spaces, action.spaces));
}
