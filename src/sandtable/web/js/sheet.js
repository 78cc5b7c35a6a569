// The odds before you commit, in the order a player weighs them: who fights and who is left out, the column and the
// price of the next, the same attack another way, what counts, what each face does, and the chances in plain words.

import { $, button, capital, h, iconButton, mark, percent, put, signed } from "./dom.js";
import { counterPicture } from "./board.js";
import { siblings } from "./choices.js";
import { chancesOf, distribution, effects, faces, outcomes } from "./chances.js";
import { histogram } from "./margins.js";
import { emptiest, light } from "./lights.js";
import { verb } from "./prompt.js";
import { handCard } from "./tracks.js";
import { clear, closeSheet, commit, consider } from "./choosing.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Action} Action */
/** @typedef {import("./types.js").Odds} Odds */
/** @typedef {import("./types.js").Sheet} Sheet */
/** @typedef {import("./types.js").Force} Force */
/** @typedef {import("./types.js").Chance} Chance */

/** @param {Play} play @param {Action} action @param {Odds} odds @param {Sheet|null} [sheet] */
export function showOdds(play, action, odds, sheet = null) {
  const struck = sheet?.defender.parts.flatMap((part) => play.spaceOf(part.unit) ?? [])[0];
  const foe = sheet ? undefined : action.units.map((id) => play.piece(id)).find((piece) => piece && piece.side !== play.me)?.space;
  const place = action.spaces.at(-1) ?? struck ?? foe ?? battlePlace(play);
  put(
    play.sheet,
    h(
      "div",
      { class: "sheet-head" },
      h(
        "div",
        { class: "grow" },
        h("h2", null, sheet ? `Attack on ${targets(play, sheet)}` : action.label),
        h("p", { class: "mut" }, sheet && !play.state.view.prompt.startsWith(action.label) ? `${action.label}. ` : "", h("span", { class: "asked" }, play.state.view.prompt), " ", play.rule(play.state.view.rule)),
      ),
      iconButton("x", "Close the odds", () => {
        if (play.battle) play.battle = "hidden";
        closeSheet(play);
      }),
    ),
    sheet ? forces(play, sheet) : present(play, action, place),
    sheet?.columns ? columns(play, sheet) : null,
    ways(play, action, odds, sheet),
    h("div", { class: "sheet-two" }, sums(play, odds, sheet), sheet && odds.margins?.length ? histogram(play, odds, sheet) : sheet ? effects(play, odds, sheet) : outcomes(play, odds)),
    sheet ? faces(play, sheet) : null,
    sheet || odds.assumes?.length
      ? h("p", { class: "assumes" }, sheet ? `${sheet.dice}. ` : "", odds.assumes?.length ? `Taking for granted: ${odds.assumes.join("; ")}.` : "")
      : null,
    odds.margins?.length ? null : distribution(play, odds, sheet),
    h(
      "div",
      { class: "sheet-foot" },
      button("Back", () => clear(play), { key: "Esc" }),
      button(verb(play, action), () => commit(play, action), {
        cls: "primary",
        icon: play.armed?.final === "dice" ? "dice" : undefined,
        key: "Enter",
        data: { action: action.text },
      }),
    ),
  );
  play.sheet.hidden = false;
  handCard(play);
  play.fight = sheet;
  light(play);
  play.sheet.scrollTop = 0;
  play.el.classList.add("with-sheet");
  // Where it covers everything, nothing below it takes the focus.
  const covers = play.sheet.checkVisibility() && getComputedStyle(play.sheet).position === "fixed";
  for (const each of play.el.children) each.toggleAttribute("inert", covers && each !== play.sheet);
  const at = place ? play.board.spaces.get(place) : null;
  requestAnimationFrame(() => {
    play.board.apply();
    if (at) play.board.reveal(at.x, at.y);
    if (!play.hand.hidden) play.hand.dataset.corner = emptiest(play.board, play.hand.offsetWidth, play.hand.offsetHeight, ["west", "east"].filter((corner) => play.guide.el.hidden || corner !== play.guide.corner));
  });
}

/** Where the fight is, if the action does not say: the contested or named space of the prompt. @param {Play} play */
function battlePlace(play) {
  const prompt = play.state.view.prompt;
  const found = /\(([A-Z0-9]{1,5})\)/.exec(prompt)?.[1] ?? /\b(\d{4})\b/.exec(prompt)?.[1];
  return found && play.board.spaces.has(found) ? found : null;
}

/** Where the defenders stand, in words. @param {Play} play @param {Sheet} sheet */
function targets(play, sheet) {
  const places = new Set(sheet.defender.parts.flatMap((part) => play.spaceOf(part.unit) ?? []));
  return [...places].map((id) => play.spaceName(id)).join(" and ");
}

// Who fights.

/** Both sides of a combat, the viewer's first. @param {Play} play @param {Sheet} sheet */
function forces(play, sheet) {
  const both = [sheet.attacker, sheet.defender];
  if (sheet.defender.side === play.me) both.reverse();
  const left = both.flatMap((force) => reasons(force.left_out ?? []));
  return [
    h(
      "div",
      { class: "forces" },
      both.map((force) => forceBox(play, force, force === sheet.attacker)),
    ),
    left.length
      ? h(
          "ul",
          { class: "left-out", "aria-label": "Left out" },
          left.map(([why, rule, units]) => h("li", null, h("b", null, units.join(", ")), `: ${lowerFirst(why)} `, play.rule(rule))),
        )
      : null,
  ];
}

/** @param {Play} play @param {Force} force @param {boolean} attacks */
function forceBox(play, force, attacks) {
  return h(
    "div",
    null,
    h(
      "div",
      { class: "row" },
      h(
        "span",
        { class: "side grow" },
        mark(force.side),
        `${play.nameOf(force.side)} ${attacks ? "attack" : "defend"}`,
      ),
      h("b", { class: "fig force-total" }, force.total),
    ),
    h(
      "div",
      { class: "force" },
      force.parts.map((part) => {
        const piece = play.piece(part.unit);
        return h(
          "figure",
          { title: piece?.name || part.unit },
          piece ? counterPicture(piece, 54) : h("b", null, part.unit),
          h("figcaption", null, part.value || part.unit),
        );
      }),
      force.note ? h("p", { class: "force-note" }, play.sentence(force.note), " ", play.rule(force.rule)) : null,
    ),
  );
}

/** Those who are left out, by the reason. @param {import("./types.js").Part[]} left @returns {[string, string, string[]][]} */
function reasons(left) {
  /** @type {Map<string, [string, string, string[]]>} */
  const found = new Map();
  for (const { unit, why = "", rule = "" } of left) {
    const known = found.get(`${rule} ${why}`);
    if (known) known[2].push(unit);
    else found.set(`${rule} ${why}`, [why, rule, [unit]]);
  }
  return [...found.values()];
}

/** @param {string} text */
function lowerFirst(text) {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** For dice that are no combat: who is there. @param {Play} play @param {Action} action @param {string|null} place */
function present(play, action, place) {
  const here = place ? (play.board.stacks.get(place) ?? []) : [];
  const named = action.units.map((id) => play.piece(id)).filter((piece) => !!piece);
  const all = [...new Set([...named, ...here])];
  const sides = play.title.sides.map((side) => ({ side, own: all.filter((piece) => piece.side === side) }));
  sides.sort((a) => (a.side === play.me ? -1 : 1));
  const shown = sides.filter(({ own }) => own.length);
  if (!shown.length) return null;
  return h(
    "div",
    { class: "forces" },
    shown.map(({ side, own }) =>
      h(
        "div",
        null,
        h("span", { class: "side" }, mark(side), play.nameOf(side)),
        h(
          "div",
          { class: "force" },
          own.map((piece) => h("figure", null, counterPicture(piece, 54))),
        ),
      ),
    ),
  );
}

// The column.

/** @param {Play} play @param {Sheet} sheet */
function columns(play, sheet) {
  const table = /** @type {import("./types.js").Columns} */ (sheet.columns);
  const likely = table.columns.filter((column) => (column.probability ?? 0) > 0);
  const says = likely.length === 1 ? `${table.ratio} reads as ${likely[0].name}` : `Battle strengths ${table.ratio}`;
  return h(
    "section",
    { class: "odds-columns", "aria-label": "Odds column" },
    h("div", { class: "row" }, h("b", null, says), h("span", { class: "mut grow" }, table.next), play.rule(table.rule)),
    h(
      "ol",
      null,
      table.columns.map((column) => {
        const p = column.probability ?? 0;
        return h(
          "li",
          { class: p === 1 ? "on" : p > 0 ? "some" : "", style: p > 0 && p < 1 ? { "--share": String(p) } : {} },
          column.name,
          p > 0 && p < 1 ? h("small", null, percent(p)) : null,
        );
      }),
    ),
  );
}

/** The same attack another way: intensities, yes or no. @param {Play} play @param {Action} action @param {Odds} odds @param {Sheet|null} sheet */
function ways(play, action, odds, sheet) {
  const others = siblings(play.state.actions, action);
  if (others.length < 2 || others.length > 4) return null;
  const names = apart(others);
  const row = h("div", { class: "ways", role: "group", "aria-label": "Ways to do it" });
  for (const other of others) {
    const card = h(
      "button",
      {
        type: "button",
        class: `way-card ${other === action ? "on" : ""}`,
        "aria-pressed": String(other === action),
        onclick: () => consider(play, other, true),
      },
      h("span", { class: "row" }, h("b", null, names.get(other)), h("span", { class: "mut grow" }, price(other)), h("b", { class: "fig worth" })),
      h("span", { class: "mut" }, "…"),
    );
    const fill = (/** @type {Odds|null|undefined} */ found, /** @type {Sheet|null|undefined} */ laid) => {
      put(card.lastElementChild, found ? summary(play, found, laid ?? null) : "no dice");
      const added = found?.modifiers.filter((each) => each.adds !== "column") ?? [];
      if (laid?.columns && added.length && !countsStrengths(found, laid)) put($(".worth", card), signed(added.reduce((all, each) => all + each.value, 0)));
    };
    if (other === action) fill(odds, sheet);
    else
      play.live.ask("odds", { action: other.text }).then(
        (answer) => fill(answer.odds, answer.sheet),
        () => fill(null, null),
      );
    row.append(card);
  }
  return row;
}

/** What tells these actions apart: their labels without the words that all share. @param {Action[]} actions @returns {Map<Action, string>} */
function apart(actions) {
  const words = actions.map((action) => action.label.replace(/\s*\([^()]*\)$/, "").split(" "));
  const same = (/** @type {number} */ at) => words.every((each) => each.at(at) === words[0].at(at));
  let [head, tail] = [0, 0];
  while (head < words[0].length - 1 && same(head)) head += 1;
  while (tail < words[0].length - 1 - head && same(-1 - tail)) tail += 1;
  const name = (/** @type {string[]} */ each) => {
    const own = each.slice(head, tail ? -tail : undefined).join(" ");
    return own.length > 2 ? own : each.slice(head).join(" ");
  };
  return new Map(actions.map((action, at) => [action, capital(name(words[at])) || action.label]));
}

/** What an action costs, as its label ends. @param {Action} action */
function price(action) {
  return /\(([^()]*\d[^()]*)\)$/.exec(action.label)?.[1] ?? "";
}

/** @param {Play} play @param {Odds} odds @param {Sheet|null} sheet */
function summary(play, odds, sheet) {
  if (sheet) {
    const found = chancesOf(play, odds, sheet);
    const lost = found.filter(([, each]) => ["step", "hit", "gone"].includes(each.sign));
    const [theirs, ours] = ["good", "bad"].map((tone) => [...lost, ...found].find(([, each]) => each.tone === tone));
    const lines = [theirs, ours].flatMap((line) => (line ? [h("span", { class: "line" }, `${lowerFirst(line[0])} ${percent(line[1].chance)}`)] : []));
    if (lines.length) return lines;
  }
  const good = sum(odds.outcomes.filter((each) => each.favours === play.me));
  const bad = sum(odds.outcomes.filter((each) => each.favours && each.favours !== play.me));
  return `good for you ${percent(good)}, bad ${percent(bad)}`;
}

/** @param {Chance[]} chances */
function sum(chances) {
  return chances.reduce((total, each) => total + Number(each.probability), 0);
}

// What counts, and what may come of it.

/** Whether the strengths themselves stand among what counts. @param {Odds|null|undefined} odds @param {Sheet|null} sheet */
function countsStrengths(odds, sheet) {
  return !!sheet && !!odds?.modifiers.some((each) => each.adds === "strength");
}

/** @param {Play} play @param {Odds} odds @param {Sheet|null} sheet */
function sums(play, odds, sheet) {
  if (!odds.modifiers.length && !sheet?.later?.length)
    return h("div", { class: "sums" }, h("p", { class: "mut" }, "Nothing modifies this roll."));
  // Strengths are set against each other and shifts move the column: only what is added to a roll is summed.
  const strengths = countsStrengths(odds, sheet);
  const added = odds.modifiers.filter((each) => each.adds !== "column");
  const total = added.reduce((all, each) => all + each.value, 0);
  const rows = sheet && odds.modifiers.some((each) => each.side)
    ? [sheet.attacker, sheet.defender].map((force) => ownSum(play, odds, sheet, force))
    : [
        odds.modifiers.map((each) => line(play, each)),
        (sheet?.later ?? []).map((each) => laterLine(play, each)),
        added.length && (sheet?.columns || total) && !(strengths && sheet?.columns) ? totalLine(sheet?.columns ? "Added to the die" : "Together", signed(total)) : null,
      ];
  return h("div", { class: "sums" }, h("table", null, h("caption", { class: "sr" }, "What counts"), h("tbody", null, rows)));
}

/** One side's lines and their sum, where two sums are compared. @param {Play} play @param {Odds} odds @param {Sheet} sheet @param {Force} force */
function ownSum(play, odds, sheet, force) {
  const attacks = force === sheet.attacker;
  const own = odds.modifiers.filter((each) => each.side === force.side);
  const more = (sheet.later ?? []).filter((each) => each.side === force.side);
  return [
    own.map((each, at) => line(play, attacks ? each : { ...each, value: -each.value }, at === 0)),
    more.map((each) => laterLine(play, each)),
    totalLine(attacks ? "Attack" : "Defence", `${force.total}${more.length ? " and more" : ""}`),
  ];
}

/** @param {Play} play @param {import("./types.js").Modifier} each @param {boolean} [first] a sum begins with it */
function line(play, each, first = false) {
  return h(
    "tr",
    { class: each.value ? "" : "none" },
    h("th", { scope: "row" }, play.sentence(capital(each.name))),
    h("td", null, play.rule(each.rule)),
    h("td", { class: "fig" }, first ? String(each.value).replace("-", "−") : signed(each.value)),
  );
}

/** What may still be added. @param {Play} play @param {import("./types.js").Part} each */
function laterLine(play, each) {
  return h("tr", { class: "later" }, h("th", { scope: "row" }, play.sentence(each.unit), each.why && h("small", { class: "mut line" }, each.why)), h("td", null, play.rule(each.rule)), h("td", { class: "fig" }, each.value));
}

/** @param {string} name @param {string} value */
function totalLine(name, value) {
  return h("tr", { class: "total" }, h("th", { scope: "row" }, name), h("td"), h("td", { class: "fig" }, value));
}
