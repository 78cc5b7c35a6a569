// The prompt below the map: what to do now, and the buttons that do it.

import { change, keep, recall, settings, SPEEDS } from "./api.js";
import { $, button, capital, dialog, h, icon, mark, put } from "./dom.js";
import { onlyUnit } from "./choices.js";
import { openReport } from "./report.js";
import { clear, clickUnitCard, closeMenu, commit, consider, undo } from "./choosing.js";
import { showTab } from "./frame.js";
import { since } from "./since.js";
import { waitsFor } from "./thinking.js";
import { bare, tidy } from "./words.js";
import { branch, mayBranch, placeRest, seatLinks, takeSeat } from "./around.js";
import { besideMap, giveOrder, orderWords } from "./panels.js";
import { counterPicture } from "./board.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Action} Action */

/** @param {Play} play @param {string} text */
export function say(play, text) {
  put(play.prompt, h("p", { class: "say" }, text));
}

/** @param {Play} play */
export function drawPrompt(play) {
  if (!play.title) return;
  const had = document.activeElement && play.prompt.contains(document.activeElement);
  // Who watches presses the same button again.
  const same = had && ["pause", "speed"].find((each) => each in /** @type {HTMLElement} */ (document.activeElement).dataset);
  const parts = promptParts(play);
  put(play.prompt, since(play), ...parts);
  const again = same && $(`[data-${same}]`, play.prompt);
  if (again) again.focus({ preventScroll: true });
  else if (had) returnFocus(play);
}

/** Back to the map for who plays there; else to the button that goes on, or the first one. @param {Play} play */
export function returnFocus(play) {
  const { units, spaces } = play.choices();
  const picked = play.picks.units.length + play.picks.spaces.length > 0;
  // While something on the map is lit it is chosen there: a stray Enter must not end the phase.
  if (!play.armed && (play.fromMap || spaces.size || (units.size && !picked))) {
    play.board.el.focus({ preventScroll: true });
    return;
  }
  const way = [".primary", ".btn:not(.quiet, .leave, [disabled])"].map((each) => $(each, play.prompt)).find(Boolean);
  (way ?? play.board.el).focus({ preventScroll: true });
}

/** What is being played back stands where the question was, so that nothing old looks live. @param {Play} play @param {string} by @param {string} text */
export function playing(play, by, text) {
  const began = !play.playing;
  play.playing = { by, text };
  if (began) {
    closeMenu(play);
    play.tip.hidden = true;
    play.board.fan(null);
    play.board.light({});
  }
  drawPrompt(play);
}

/** @param {Play} play */
export function promptParts(play) {
  const view = play.view;
  const square = mark(view.actor, "big");
  if (play.playing && !play.past) {
    const { by, text } = play.playing;
    return [
      mark(by, "big"),
      h("p", { class: "say" }, h("b", null, play.sentence(text, true))),
      watchButtons(play),
      button("Skip", () => play.afterPlayback(() => {}), { cls: "primary", key: "Esc", icon: "last", data: { skip: "yes" } }),
    ];
  }
  if (play.past) {
    return [
      square,
      h(
        "p",
        { class: "say" },
        h("b", null, `You look at line ${play.past.at} of ${play.state.seq}. `),
        play.sentence(view.prompt),
        " ",
        play.rule(view.rule),
      ),
      mayBranch(play) && button("Sandbox from here", () => branch(play, play.past?.at ?? 0), { icon: "branch", cls: "quiet" }),
      button("Back to now", () => play.scrubber.go(null), { cls: "primary", key: "Esc" }),
    ];
  }
  if (play.state.outcome) {
    return [
      square,
      h("p", { class: "say" }, h("b", null, play.state.outcome.text), " ", play.rule(play.state.outcome.rule)),
      button("See the report", () => openReport(play), { cls: "primary" }),
    ];
  }
  const takeBack = h(
    "button",
    {
      type: "button",
      class: "btn quiet take-back",
      disabled: !play.state.can_undo,
      onclick: () => undo(play),
      title: "Take back (U)",
    },
    icon("undo", 17),
    "Take back",
  );
  if (!play.mayAct) {
    const { waits, theirs } = waitsFor(play);
    return [
      square,
      h(
        "p",
        { class: "say" },
        h("b", { data: { thinks: "yes" } }, waits),
        " ",
        h("span", { class: "mut" }, play.sentence(theirs)),
        " ",
        play.rule(view.rule),
      ),
      lookedAt(play),
      ...waitingButtons(play),
      watchButtons(play),
    ];
  }
  if (play.armed) {
    const { action, final, odds, rolls } = play.armed;
    const warned = final || !action.units.length ? caution(play) : null;
    const wider = play
      .choices()
      .fits.filter((other) => action.spaces.length && other.spaces.length > action.spaces.length && !other.units.length)
      .slice(0, 2);
    return [
      square,
      h(
        "p",
        { class: "say" },
        h("b", null, `${action.label}?`),
        " ",
        final === "dice"
          ? `Dice are rolled at once${rolls.length ? ` for ${tidy(play, rolls.join(" and "))}` : ""}; nothing before them can be taken back.`
          : final === "seen"
            ? "It shows what was hidden, so it cannot be taken back."
            : final
              ? "The other side decides next; this cannot be taken back."
              : odds
                ? "No die is rolled yet; you can still take this back."
                : warned
                  ? null
                  : h("span", { class: "mut" }, play.sentence(view.prompt)),
        " ",
        play.rule(view.rule),
      ),
      warned,
      takeBack,
      button("Cancel", () => clear(play), { key: "Esc" }),
      ...wider.map((other) => {
        const more = other.spaces.filter((space) => !action.spaces.includes(space));
        const label = other.label.length > 34 ? `Together with ${more.join(", ")}` : other.label;
        return button(label, () => consider(play, other), { title: other.label, data: { action: other.text } });
      }),
      button(verb(play, action), () => commit(play, action), {
        cls: "primary",
        key: "Enter",
        icon: final === "dice" ? "dice" : undefined,
        data: { action: action.text },
      }),
    ];
  }
  const { exact, fits, free, units, spaces } = play.choices();
  const place = placing(play)
    ? button(play.placing ? "Stop" : "Place the rest for me", () => placeRest(play), { data: { place: "rest" } })
    : null;
  if (play.picks.units.length + play.picks.spaces.length) {
    const direct = play.options.length && play.menu.hidden ? play.options :
      fits.length <= 4
        ? [
            ...fits.filter((action) => !exact.includes(action) && (action.spaces.length > 1 || !action.spaces.length)),
            ...exact,
          ]
        : exact;
    // The menu by the pointer offers the same: once is enough.
    const menu = !play.menu.hidden && innerWidth > 700;
    // Where no action names a unit, a unit stands for its place.
    const placed = fits.length && fits.every((action) => !action.units.length) ? play.picks.units.flatMap((unit) => play.spaceOf(unit) ?? []) : null;
    const names = [...(placed ? [] : play.picks.units.map((unit) => play.piece(unit)?.name || unit)), ...[...new Set([...(placed ?? []), ...play.picks.spaces])].map((space) => play.spaceName(space))].join(", ");
    const more = menu ? "Choose what they shall do." : [...spaces].length ? "Choose a lit place." : [...units].length && fits.length > 1 ? `${direct.length > 1 ? "Press a button, or choose" : "Choose"} ${play.picks.units.length ? "another" : "a"} lit unit.` : "";
    const only = onlyUnit(play.state.actions) !== null;
    const coming = only && innerWidth <= 700 ? play.piece(play.picks.units[0] ?? "") : null;
    return [
      coming && !coming.space ? counterPicture(coming, 46) : square,
      h(
        "p",
        { class: "say" },
        only ? [h("b", null, play.sentence(view.prompt)), spaces.size ? " " : "", h("span", { class: "mut" }, how(play, new Set(), spaces))] : [h("b", null, `${names}. `), more || play.sentence(view.prompt)],
        " ",
        play.rule(view.rule),
      ),
      caution(play),
      takeBack,
      !only && button("Cancel", () => clear(play), { key: "Esc", cls: "leave" }),
      strip(play),
      lookedAt(play),
      place,
      // Where the game can go on without the only unit there is to choose, that is what invites.
      ...(menu ? [] : buttons(play, direct, direct.length === 1 && !spaces.size && !(only && free.some((action) => goesOn(play, action))), 4)),
      ...(only ? buttons(play, free, !spaces.size && free.length === 1 && goesOn(play, free[0])) : []),
    ];
  }
  // What may be done with a whole stack that lies fanned out.
  const fanned = play.board.fanned;
  const ofStack = play.state.actions.filter((action) => fanned && !action.units.length && action.spaces[0] === fanned);
  // Where its units lie over the enemy beside it, the attack is a button too.
  const stack = [...ofStack.filter((action) => action.spaces.length === 1), ...ofStack.filter((action) => action.spaces.length === 2)];
  // A question that comes again and again can be answered once for all.
  const asked = !units.size && !spaces.size ? play.title.interrupts.find((each) => each.rule === view.rule) : null;
  const ordered = asked && (view.orders?.[asked.id] ?? view.orders?.[`${play.me} ${asked.id}`]);
  // The order it offers is offered once; who wants to be asked each time is not pestered.
  const once = `offered.${play.id}.${asked?.id}`;
  const suggested = asked?.suggested && !ordered && !recall(once, false) ? asked.suggested : "";
  return [
    square,
    h(
      "p",
      { class: "say" },
      h("b", null, play.sentence(view.prompt)),
      " ",
      play.rule(view.rule),
      " ",
      h("span", { class: "mut" }, stack.length ? "Choose a unit of the stack, or an order for all of it." : fanned ? "Choose a counter of the stack." : how(play, units, spaces)),
    ),
    caution(play),
    takeBack,
    strip(play),
    lookedAt(play),
    place,
    asked && suggested && h("p", { class: "often" }, "This is asked again and again. ", h("span", { class: "row" },
      button(`Ask me only ${orderWords(suggested).toLowerCase()}`, () => giveOrder(play, asked.id, suggested), { cls: "small", title: "A standing order; it can be changed under Orders", data: { order: suggested } }),
      button("Each time", () => { keep(once, true); drawPrompt(play); }, { cls: "small quiet" }))),
    asked && !suggested && button("Standing order", () => { showTab(play, "turn"); play.panels.openOrder(view.rule); }, { cls: "quiet", title: "Let an order answer this for you from now on" }),
    ...(stack.length ? stack.slice(0, 4).map((action) => button(action.label, () => consider(play, action), { data: { action: action.text } })) : buttons(play, free, free.length === play.state.actions.length)),
  ];
}

/** What would be lost by going on. @param {Play} play */
function caution(play) {
  return play.view.caution ? h("p", { class: "warned" }, play.sentence(play.view.caution)) : null;
}

/** Whether only counters are to be placed. @param {Play} play */
export function placing(play) {
  return play.mayAct && play.state.actions.length > 0 && play.state.actions.every((action) => !!play.title.places?.includes(action.kind));
}

/** On a phone the counters beside the map lie in the prompt, so that the map stays in sight. @param {Play} play */
function strip(play) {
  const off = innerWidth <= 700 && onlyUnit(play.state.actions) === null ? besideMap(play) : [];
  if (!off.length) return null;
  return h("ul", { class: "beside", "aria-label": "Beside the map" }, off.slice(0, 24).map((piece) => {
    const on = play.picks.units.includes(piece.id);
    return h("li", null, h("button", { type: "button", class: `unit-card ${on ? "on" : ""}`, "aria-pressed": String(on), "aria-label": piece.name || piece.id, data: { card: piece.id }, onclick: () => clickUnitCard(play, piece.id) }, counterPicture(piece, 46)));
  }));
}

/** On a phone a counter that was only looked at tells here what it is; the rest is under Turn. @param {Play} play */
function lookedAt(play) {
  const piece = innerWidth <= 700 && play.looked && !play.board.fanned && !play.picks.units.includes(play.looked) ? play.piece(play.looked) : null;
  if (!piece) return null;
  const here = piece.space ? (play.board.stacks.get(piece.space)?.length ?? 1) : 1;
  return h("button", { type: "button", class: "unit-card looked", onclick: () => { showTab(play, "turn"); play.panels.chosen.scrollIntoView(); } },
    counterPicture(piece, 46),
    h("span", { class: "grow" }, h("b", null, piece.name || piece.id), h("span", { class: "mut line" }, [...Object.entries(piece.ratings ?? {}).map(([label, value]) => `${label} ${value}`), ...(piece.states ?? []), here > 1 ? `${here} units here` : ""].filter(Boolean).join(" · "))),
    icon("fwd", 18));
}

/** What to do with hand or mouse. @param {Play} play @param {Set<string>} units @param {Set<string>} spaces */
function how(play, units, spaces) {
  if (units.size && !spaces.size && [...units].every((unit) => !play.spaceOf(unit)))
    return innerWidth <= 700
      ? "Choose a counter, then a lit place."
      : "Choose a counter from the list beside the map, then a lit place.";
  const foes = (/** @type {string} */ space) => (play.board.stacks.get(space) ?? []).some((piece) => piece.side !== play.me);
  if (!units.size && spaces.size && [...spaces].every(foes)) return "Choose a place ringed in red.";
  const what = [units.size ? "counter" : "", spaces.size ? "place" : ""].filter(Boolean).join(" or ");
  return what ? `${matchMedia("(pointer: coarse)").matches ? "Tap" : "Click"} a lit ${what}.` : "";
}

/** Before the start: take your seat, or send the other one's link. @param {Play} play */
export function waitingButtons(play) {
  const state = /** @type {any} */ (play.state);
  if (!state.waiting) return [];
  const mine = play.state.you && play.state.you !== "both" ? play.state.players[play.state.you] : null;
  if (mine && !(/** @type {any} */ (mine).joined))
    return [button("Take this seat", () => takeSeat(play), { cls: "primary" })];
  return [button("Links to the seats", () => seatLinks(play), { icon: "link", cls: "primary" })];
}

/** Who watches two opponents sets their pace, and may stop them before his eyes. @param {Play} play */
function watchButtons(play) {
  const { you, players, outcome } = play.state;
  if (you || outcome || Object.values(players ?? {}).some((/** @type {any} */ each) => each.kind !== "opponent")) return null;
  const { paused } = play.playback;
  const at = SPEEDS.findIndex(([speed]) => speed === settings.speed);
  const [next] = SPEEDS[(at + SPEEDS.length - 1) % SPEEDS.length];
  return [
    button(`Speed: ${at < 0 ? "your own" : SPEEDS[at][1].toLowerCase()}`, () => { change({ speed: next }); drawPrompt(play); }, { cls: "quiet", title: "How fast dice and moves are shown", data: { speed: "yes" } }),
    button(paused ? "Go on" : "Pause", () => play.playback.pause(!paused), { icon: paused ? "play" : "pause", data: { pause: "yes" } }),
  ];
}

/** Whether an action carries on with the game. @param {Play} play @param {Action} action */
function goesOn(play, action) {
  return !!play.title.goes_on?.includes(action.kind);
}

/** Buttons for actions, the main one last. @param {Play} play @param {Action[]} actions @param {boolean} primary @param {number} [most] */
export function buttons(play, actions, primary, most = innerWidth <= 700 ? 3 : 4) {
  /** @type {Map<string, Action[]>} */
  const kinds = new Map();
  for (const action of actions) kinds.set(action.kind, [...(kinds.get(action.kind) ?? []), action]);
  // The same unit in several ways, of which one gives nothing up: that one is offered, the others on demand.
  const plain = (/** @type {Action[]} */ [first, ...others]) => others.length > 1 && first.units.length > 0 && !first.price && others.every((each) => !!each.price && each.units.join() === first.units.join());
  const grouped = actions.length > most ? [...kinds.values()].flatMap((group) => (plain(group) ? [group.slice(1), group.slice(0, 1)] : [group])) : actions.map((action) => [action]);
  const direct = grouped.length > most ? grouped.slice(-(most - 1)) : grouped;
  const rest = grouped.slice(0, grouped.length - direct.length).flat();
  // One button alone invites, and of several the one that goes on with the game; a real choice is left to the player.
  const main = !primary ? -1 : direct.length === 1 ? 0 : direct.findLastIndex(([first]) => goesOn(play, first));
  // Where one unit alone may act, the prompt has named it already.
  const alone = onlyUnit(play.state.actions);
  const out = direct.map((group, at) => {
    const cls = at === main ? "primary" : "";
    if (group.length === 1)
      return button(unnamed(group[0].label, alone), () => consider(play, group[0]), { cls, data: { action: group[0].text } });
    const words = group[0].price && kinds.get(group[0].kind)?.[0] !== group[0] ? "Other ways" : common(group.map((action) => action.label));
    return button(
      `${words} … (${group.length})`,
      () => list(play, words, group),
      { cls, data: { more: group[0].kind } },
    );
  });
  if (rest.length)
    out.unshift(button(`More choices (${rest.length})`, () => list(play, "Choices", rest), { data: { more: "all" } }));
  return out;
}

/** A label without the unit at its end or before its price. @param {string} label @param {string|null} unit */
function unnamed(label, unit) {
  const [, what, name, price] = /^(.*) (?:with|of) (.*?)( \([^()]*\))?$/.exec(label) ?? [];
  return unit && what && bare(name) === bare(unit) ? `${what}${price ?? ""}` : label;
}

/** The words on the button that does it. @param {Play} play @param {Action} action */
export function verb(play, action) {
  const words = action.label.split(/ (?:on|with|to|from|in|of|against) |[,:(]/)[0].trim();
  const first = words.length <= 18 ? words : action.label.split(/[ ,:(]/)[0];
  const word = action.kind === "attack" ? "Attack" : action.units.some((unit) => unit === first || play.piece(unit)?.name?.includes(first)) ? capital(action.kind) : first;
  // A price has a word ("2 of 6 MF"); a number alone, or a code without a space, is a place.
  const cost = /\((\d[^()]* [^()]*|[^()]* \d[^()]*)\)\s*$/.exec(action.label)?.[1];
  return action.label.length < 26 ? action.label : cost ? `${word}, ${cost}` : word;
}

/** Many choices in a list. @param {Play} play @param {string} title @param {Action[]} actions @param {HTMLElement|null} [_from] */
export function list(play, title, actions, _from) {
  const box = dialog(
    title,
    h(
      "div",
      { class: "choice-list" },
      actions.map((action, at) =>
        h(
          "button",
          {
            type: "button",
            class: "choice",
            data: { action: action.text },
            onclick: () => {
              box.close();
              consider(play, action);
            },
          },
          h("span", { class: "num fig", "aria-hidden": "true" }, at + 1),
          h("span", { class: "grow" }, action.label),
        ),
      ),
    ),
  );
}

/** The words that some labels share, at the beginning or at the end. @param {string[]} labels */
export function common(labels) {
  // Prices at the end are what tells them apart.
  labels = labels.map((label) => label.replace(/ \([^()]*\)$/, ""));
  const words = labels[0].split(" ");
  let count = 0;
  while (count < words.length - 1 && labels.every((label) => label.split(" ")[count] === words[count])) count += 1;
  if (count) return words.slice(0, count).join(" ").replace(/[,:]$/, "");
  let last = 0;
  while (last < words.length - 1 && labels.every((label) => label.split(" ").at(-1 - last) === words.at(-1 - last)))
    last += 1;
  return capital(last ? words.slice(-last).join(" ") : words[0]);
}
