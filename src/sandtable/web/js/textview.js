// The same game in words: prompt, numbered choices, what is near, log, and a line to type moves.

import { $, announce, button, capital, h, percent, put } from "./dom.js";
import { shortName } from "./api.js";
import { textView } from "./frame.js";
import { reachOf } from "./lights.js";
import { readable } from "./logbook.js";
import { since } from "./since.js";
import { clear, commit, consider, undo, whyNot } from "./choosing.js";
import { hint } from "./advice.js";
import { placeRest } from "./around.js";
import { giveOrder, orderWords } from "./panels.js";
import { common, placing } from "./prompt.js";
import { waitsFor } from "./thinking.js";
import { formationThatActs } from "./tracks.js";
import { decides, nationName, outcomeWords, pathWords, pieceLine, pieceWords, sheetWords, sideWords, spaceLine, wayWord } from "./words.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Track} Track */
/** @typedef {import("./types.js").Action} Action */

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const DIRECTIONS = ["east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east"];

export class TextView {
  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    this.el = h("div", { class: "text-view", hidden: true });
    this.on = false;
    /** @type {Action[][]} */
    this.groups = [];
    /** @type {string[]} */
    this.keys = [];
    /** @type {string|null} */
    this.inside = null;
    this.answer = "";
    this.here = "";
    this.allTracks = false;
  }

  /** @param {boolean} on */
  show(on) {
    this.on = on;
    this.el.hidden = !on;
    this.inside = null;
    this.draw();
    if (on) $("h2", this.el)?.focus?.();
  }

  draw() {
    if (!this.on || !this.play.title) return;
    const play = this.play;
    const had = /** @type {HTMLElement|null} */ (document.activeElement);
    const inside = !!had && this.el.contains(had);
    const typing = had === $(".typed", this.el);
    const kept = inside ? had.dataset.stay : "";
    const typed = $(".typed", this.el)?.value ?? "";
    const view = play.view;
    const lead = formationThatActs(play)?.formation;
    const who = play.state.outcome ? "The game is over" : play.mayAct ? `Your turn: ${play.nameOf(view.actor)}${lead ? `, ${lead}` : ""}` : decides(play.nameOf(view.actor));
    // Examples that mean something here: what can be played, and a place.
    const about = play.state.actions.filter((each) => each.units.length + each.spaces.length);
    const like = about.find((each) => each.units.length && each.spaces.length) ?? about[0];
    const place = like?.spaces.at(-1) ?? view.pieces?.find((piece) => piece.space)?.space ?? "4";
    const left = h("main", { class: "text-left", "aria-label": "Your turn" },
      h("h2", { tabindex: "-1", data: { stay: "who" } }, who), h("p", { class: "text-when" }, [view.turn, view.phase].filter(Boolean).join(", "), ". ", trackWords(shortTracks(play))),
      shortTracks(play).length < (view.tracks ?? []).length && h("details", { class: "text-tracks", open: this.allTracks, ontoggle: /** @param {Event} event */ (event) => { this.allTracks = /** @type {HTMLDetailsElement} */ (event.target).open; } }, h("summary", null, "All tracks"), h("p", null, trackWords(view.tracks ?? []))),
      since(play), h("div", { class: "text-prompt" }, this.question(), " ", play.rule(view.rule), view.caution ? h("p", { class: "warned" }, view.caution) : null),
      play.guide.inText(), this.armedBox(), play.advice?.el, this.choiceList(),
      h("form", { class: "type-line", onsubmit: /** @param {Event} event */ (event) => { event.preventDefault(); this.typed(); } },
        h("label", { class: "row" }, h("span", { "aria-hidden": "true" }, ">"), h("input", { type: "text", class: "typed", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": "Type a number, a move or a question", value: typed, placeholder: "a number, or type the move" }), h("button", { class: "btn small", type: "submit" }, "Do it"))),
      h("p", { class: "text-answer", role: "status" }, this.answer),
      h("dl", { class: "text-help" }, [[`? ${place}`, "what stands there and what lies around it"], ["odds 2", "the chances of choice 2, each modifier"], [`why not ${like?.text ?? "move X 4"}`, "whether that is allowed, or the rule that forbids it"], ["hint", "what a general would do, and why; also hint officer, hint general:5"], ["units", "all your units by formation"], ["supply", "supply in sentences"], ["orders", "answers given once for all"], ["undo", "take back"]].map(([key, what]) => [h("dt", null, key), h("dd", null, what)])));
    const right = h("aside", { class: "text-right", "aria-label": "Near you and log" }, h("h2", null, "Near you"), this.near(), h("h2", { id: "text-log" }, "Log, newest first"),
      h("ol", { class: "text-log", reversed: true }, readable(play.past ? play.past.log : play.log).slice(-60).reverse().map((line) => h("li", { data: { seq: line.seq, by: line.by ?? "" } }, h("span", { class: "fig" }, `${line.seq} `), line.by ? `${play.nameOf(line.by)}. ` : "", play.sentence(line.text, true), " ", line.reason ? `${play.nameOf(line.by)}: ${line.reason} ` : "", line.rule ? play.rule(line.rule) : null))));
    put(this.el, h("header", { class: "top text-top" }, h("a", { class: "wordmark", href: "#/" }, "Sandtable"), h("h1", { class: "game-name" }, shortName(play.title.name)), h("span", { class: "scenario" }, play.title.scenarios.find((each) => each.id === view.scenario)?.name ?? ""), h("span", { class: "grow" }),
      h("a", { href: "#choices", onclick: /** @param {Event} event */ (event) => { event.preventDefault(); $(".text-choices button", this.el)?.focus(); } }, "Skip to choices"), h("a", { href: "#log", onclick: /** @param {Event} event */ (event) => { event.preventDefault(); const log = $("#text-log", this.el); log?.setAttribute("tabindex", "-1"); log?.focus(); } }, "Skip to log"),
      play.state.can_undo && !play.past && button("Take back", () => undo(play), { icon: "undo", cls: "quiet on-bar", data: { stay: "undo" } }),
      button("Map view", () => textView(play, false), { icon: "layers", cls: "quiet on-bar", data: { stay: "map" } })), left, right);
    if (typing) $(".typed", this.el)?.focus();
    else if (inside) this.stay(kept);
  }

  /** What is asked; if somebody else is, who, and that an opponent thinks about it. */
  question() {
    const play = this.play;
    if (play.mayAct || play.past || play.state.outcome) return h("b", null, play.state.outcome?.text ?? play.view.prompt);
    const { waits, theirs } = waitsFor(play);
    return [h("b", { data: { thinks: "yes" } }, waits), " ", theirs];
  }

  /** Everything was drawn anew: the focus goes to what is to be answered, where it was, or to the choices. @param {string|undefined} kept */
  stay(kept) {
    const spots = [".text-armed .primary", kept ? `[data-stay="${CSS.escape(kept)}"]` : "", ".text-choices h3", "h2"];
    for (const spot of spots) {
      const el = spot && (spot !== spots[0] || this.play.armed !== this.answered) ? $(spot, this.el) : null;
      if (el) { el.focus({ preventScroll: false }); break; }
    }
    this.answered = this.play.armed;
  }

  /** @type {Play["armed"]} */
  answered = null;

  armedBox() {
    const armed = this.play.armed;
    if (!armed) return null;
    return h("div", { class: "text-armed", role: "alertdialog", "aria-label": `${armed.action.label}?` }, h("b", null, `${armed.action.label}? `), armed.final === "dice" ? `Dice are rolled${armed.rolls.length ? ` for ${armed.rolls.join(" and ")}` : ""}; this cannot be taken back. ` : armed.final ? "This cannot be taken back. " : "",
      armed.sheet ? h("ul", null, sheetWords(this.play, armed.sheet).map((line) => h("li", null, line))) : null,
      armed.odds ? h("ul", null, armed.odds.outcomes.map((each) => h("li", null, `${capital(outcomeWords(armed.sheet, each.text))}: ${percent(Number(each.probability))}`)), armed.odds.modifiers.map((each) => h("li", { class: "mut" }, `${each.name} ${each.value > 0 ? "+" : ""}${each.value} `, this.play.rule(each.rule)))) : null,
      h("div", { class: "row" }, button("Yes", () => commit(this.play, armed.action), { cls: "primary", data: { action: armed.action.text, stay: "yes" } }), button("No", () => clear(this.play), { data: { stay: "no" } })));
  }

  /** Choices: by unit where there are many, so that no list is longer than a page. */
  choiceList() {
    const play = this.play;
    const actions = play.mayAct ? play.state.actions : [];
    const byUnit = (/** @type {Action} */ action) => (actions.length > 12 && action.units.length ? `${action.kind} ${action.units[0]}` : action.text);
    const fine = grouped(actions, byUnit);
    // Many of one kind are one choice with many ways: an order for each of ten formations.
    const kinds = grouped([...fine.values()], ([first]) => first.kind);
    const many = (/** @type {Action} */ action) => {
      const same = kinds.get(action.kind) ?? [];
      return fine.size > 12 && same.length > 3 && same.every((each) => each.length === 1);
    };
    const groups = grouped(actions, (action) => (many(action) ? `${action.kind} *` : byUnit(action)));
    if (this.inside && groups.has(this.inside)) {
      const inner = this.nearestFirst(groups.get(this.inside) ?? []);
      this.groups = inner.map((action) => [action]);
      return h("div", { class: "text-choices" }, h("h3", { tabindex: "-1" }, `${this.groupName(inner)}: ${inner.length} ways`), h("ol", null, inner.map((action, at) => this.item(at, action.label, this.costOf(action), [action])), h("li", null, h("button", { type: "button", class: "text-choice", onclick: () => { this.inside = null; this.draw(); } }, h("span", { class: "num fig" }, "0"), h("span", { class: "grow" }, h("b", null, "Back to all choices"))))));
    }
    this.inside = null;
    this.groups = [...groups.values()];
    this.keys = [...groups.keys()];
    if (!actions.length) return h("p", { class: "mut" }, play.state.outcome ? "" : "You have nothing to choose now. What happens is read to you.");
    return h("div", { class: "text-choices" }, h("h3", { tabindex: "-1" }, `Your choices, ${groups.size}`), h("ol", null, [...groups].map(([key, group], at) => this.item(at, group.length > 1 ? this.groupName(group) : group[0].label, group.length > 1 ? this.groupWords(group) : this.costOf(group[0]), group, key)), this.restItem(groups.size + 1)));
  }

  /** While counters are placed: the computer may place what is left. @param {number} at */
  restItem(at) {
    if (!placing(this.play)) return null;
    return h("li", null, h("button", { type: "button", class: "text-choice", data: { stay: "rest" }, onclick: () => placeRest(this.play) }, h("span", { class: "num fig", "aria-hidden": "true" }, at), h("span", { class: "grow" }, h("b", null, this.play.placing ? "Stop placing" : "Place the rest for me"))));
  }

  /** Places in reach, the nearest first. @param {Action[]} actions */
  nearestFirst(actions) {
    const { board, view } = this.play;
    const far = (/** @type {Action} */ action) => {
      const from = this.play.spaceOf(action.units[0] ?? Object.keys(view.reach ?? {})[0] ?? "");
      return from && action.spaces.length ? board.distance(from, action.spaces.at(-1) ?? "") : 0;
    };
    return actions.map((action) => ({ action, d: far(action) })).sort((a, b) => a.d - b.d).map(({ action }) => action);
  }

  /** @param {Action[]} group */
  groupName(group) {
    if (!group[0].units.length || group.some((action) => action.units[0] !== group[0].units[0])) return `${common(group.map((action) => action.label))} …`;
    const unit = group[0].units[0];
    const piece = this.play.piece(unit);
    const named = group[0].label.indexOf(unit);
    const verb = named > 0 ? group[0].label.slice(0, named).trim() : group[0].label.split(" ")[0];
    return `${verb} ${piece?.name || unit}${piece?.space ? ` from ${this.play.spaceName(piece.space)}` : ""}`;
  }

  /** @param {Action} action */
  costOf(action) {
    const cost = action.units[0] && action.spaces.length ? this.play.view.reach?.[action.units[0]]?.[action.spaces[action.spaces.length - 1]] : null;
    const group = !action.units.length && action.spaces.length ? reachOf(this.play, undefined)?.[action.spaces[action.spaces.length - 1]] : null;
    const found = cost ?? group;
    const halts = this.stops(action) ? "must stop there" : "";
    const words = [found ? (/[a-z]/i.test(found) ? found : `costs ${found}`) : "", halts, this.whither(action, !!group)].filter(Boolean).join(", ");
    return [action.price ?? "", words || this.inReach(action)].filter(Boolean).join("; ");
  }

  /** Whether a move to this place must end there. @param {Action} action */
  stops(action) {
    const mover = action.units[0] ?? Object.keys(this.play.view.reach ?? {})[0] ?? "";
    return action.spaces.length === 1 && !!this.play.view.stops?.[mover]?.[action.spaces[0]];
  }

  /** How many places a unit could go to. @param {Action} action */
  inReach(action) {
    const reach = action.spaces.length || action.units.length !== 1 || !/^Move\b/.test(action.label) ? null : this.play.view.reach?.[action.units[0]];
    // Where its moves are choices of their own this one is something else.
    const moves = this.play.state.actions.some((each) => each.units[0] === action.units[0] && reach?.[each.spaces.at(-1) ?? ""] !== undefined);
    return reach && !moves ? `${Object.keys(reach).length} places in reach` : "";
  }

  /** What several ways of one choice have in common, and what they are. @param {Action[]} group */
  groupWords(group) {
    const [first] = group;
    const same = (/** @type {(action: Action) => string|undefined} */ of) => (group.every((action) => of(action) === of(first)) ? of(first) ?? "" : "");
    const units = new Set(group.map((action) => action.units[0] ?? ""));
    const spaces = new Set(group.map((action) => action.spaces.at(-1) ?? ""));
    const name = (/** @type {string} */ id) => this.play.piece(id)?.name || id;
    // An order for a whole formation is called by the formation, not by its first unit.
    const shared = common(group.map((action) => action.label));
    const whole = group.length <= 12 && group.every((action) => action.units.length > 1 && action.label.startsWith(shared));
    const what = whole ? listed(group.map((action) => action.label.slice(shared.length).trim())) : units.size > 1 && units.size <= 12 && units.size === group.length ? listed([...units].map(name))
      : spaces.size > 8 ? `${spaces.size} places${group.some((action) => this.costOf(action)) ? " in reach" : ""}`
        : spaces.size > 1 && spaces.size === group.length ? listed([...spaces].map((id) => this.play.spaceName(id))) : `${group.length} ways`;
    return [same((action) => action.price), what].filter(Boolean).join("; ");
  }

  /** How a place lies to where the unit is now, and who is there. @param {Action} action @param {boolean} moves whether the group that moves now is meant */
  whither(action, moves) {
    const play = this.play;
    const to = action.spaces.at(-1) ?? "";
    const mover = action.units[0] ?? (moves ? Object.keys(play.view.reach ?? {})[0] : "");
    const from = play.spaceOf(mover ?? "");
    if (from === to || !play.board.spaces.has(to)) return "";
    const there = play.board.stacks.get(to) ?? [];
    const named = (/** @type {boolean} */ own) => listed(there.filter((piece) => (piece.side === play.me) === own).map((piece) => piece.name || piece.id));
    const [friends, foes] = [named(true), named(false)];
    return [from ? this.direction(from, to) : "", friends && `with ${friends}`, foes && `against ${foes}`].filter(Boolean).join(", ");
  }

  /** @param {number} at @param {string} label @param {string} more @param {Action[]} group @param {string} [key] */
  item(at, label, more, group, key) {
    return h("li", null, h("button", { type: "button", class: "text-choice", data: { stay: group[0].text, ...(group.length === 1 ? { action: group[0].text } : {}) }, onclick: () => this.take(group, key) }, h("span", { class: "num fig", "aria-hidden": "true" }, at + 1), h("span", { class: "grow" }, h("b", null, label), more && h("span", { class: "mut line" }, more))), this.ruleOf(group[0]));
  }

  /** Standing orders in sentences, and how to give one. */
  orderWords() {
    const { title, state, me } = this.play;
    const now = state.view.orders ?? {};
    return title.interrupts.map(({ id, name, settings = [] }) => `${name}: ${orderWords(now[id] ?? now[`${me} ${id}`] ?? "ask")}. Type order ${id} and one of: ask, ${settings.join(", ")}.`).join(" ");
  }

  /** The rule that allows a choice. @param {Action} action */
  ruleOf(action) {
    return this.play.rule(this.play.title.action_rules?.[action.kind]);
  }

  /** @param {Action[]} group @param {string} [key] */
  take(group, key) {
    if (group.length === 1) { consider(this.play, group[0]); return; }
    this.inside = key ?? null;
    this.draw();
    if (document.activeElement !== $(".typed", this.el)) $(".text-choices button", this.el)?.focus();
    announce(`${this.groupName(group)}: ${group.length} ways. ${group.length <= 12 ? group.map((action, at) => `${at + 1}, ${action.label}`).join("; ") : ""}`);
  }

  /** @param {string} text */
  reply(text) {
    this.answer = text;
    const where = $(".text-answer", this.el);
    if (where) where.textContent = text;
  }

  async typed() {
    const field = $(".typed", this.el);
    const text = field.value.trim();
    field.value = "";
    const play = this.play;
    if (!text) return;
    this.reply("");
    if (play.armed && /^(y|yes)$/i.test(text)) { commit(play, play.armed.action); return; }
    if (play.armed && /^(n|no)$/i.test(text)) { clear(play); return; }
    if (text === "0") { this.inside = null; this.draw(); return; }
    if (Number(text) === this.groups.length + 1 && !this.inside && placing(play)) { placeRest(play); return; }
    if (/^\d{1,3}$/.test(text) && this.groups[Number(text) - 1]) { const group = this.groups[Number(text) - 1]; this.take(group, this.keys[Number(text) - 1]); return; }
    const [word, ...rest] = text.split(/\s+/);
    const tail = rest.join(" ");
    if (word === "?" || word === "look") { this.reply(this.describe(tail)); return; }
    if (word === "undo") { undo(play); return; }
    if (word === "units") { this.reply(this.unitsByFormation()); return; }
    if (word === "supply" || word === "command" || word === "zones") { this.reply(this.overlayWords(word)); return; }
    if (word === "hint") { hint(play, tail || undefined); return; }
    if (word === "orders" && play.state.you) { this.reply(this.orderWords()); return; }
    if (word === "order" && play.title.interrupts.some((each) => each.id === rest[0])) { giveOrder(play, rest[0], rest[1] ?? "ask").then(() => this.reply("Order given.")); return; }
    if (word === "odds") {
      const group = /^\d+$/.test(tail) ? this.groups[Number(tail) - 1] : null;
      const action = group?.[0] ?? this.match(tail);
      if (!action) { this.reply("Which choice? Type odds and its number."); return; }
      const found = await play.live.ask("odds", { action: action.text }).catch((error) => { play.refused(error); return null; });
      this.reply(found?.odds ? `${action.label}. ${found.odds.outcomes.map((/** @type {any} */ each) => `${outcomeWords(found.sheet, each.text)} ${percent(each.probability)}`).join(", ")}. ${found.odds.modifiers.map((/** @type {any} */ each) => `${each.name} ${each.value}, rule ${each.rule}`).join("; ")}. ${found.sheet ? sheetWords(play, found.sheet).join(" ") : ""}` : "It rolls no dice.");
      return;
    }
    if (word === "why") {
      const answer = await whyNot(play, tail.replace(/^not\s+/, ""));
      if (answer) this.reply(answer.legal ? "It is allowed." : `${answer.text} Rule ${answer.rule}.`);
      return;
    }
    const action = this.match(text);
    if (action) { consider(play, action); return; }
    const answer = await whyNot(play, text);
    if (answer && !answer.legal) this.reply(`${answer.text} Rule ${answer.rule}.`);
  }

  /** @param {string} text */
  match(text) {
    const fold = (/** @type {string} */ word) => word.toLowerCase().replace(/[\s,]+/g, " ").trim();
    return this.play.state.actions.find((action) => fold(action.text) === fold(text) || fold(action.label) === fold(text)) ?? null;
  }

  /** Where the player's thoughts are: what is picked, else the first unit that can act. */
  near() {
    const play = this.play;
    const first = play.picks.units[0] ?? (play.mayAct ? play.state.actions.find((action) => action.units.length)?.units[0] : null);
    const place = (this.here && play.board.spaces.has(this.here) ? this.here : null) ?? (first ? play.spaceOf(first) : null) ?? (play.mayAct ? play.state.actions.find((action) => action.spaces.length)?.spaces[0] : null) ?? play.view.pieces?.find((piece) => piece.side === play.me && piece.space)?.space;
    if (!place) return h("p", { class: "mut" }, "Nothing yet.");
    return h("div", null, this.placeBlock(place, ""), ...this.around(place).map(([id, words]) => this.placeBlock(id, words)));
  }

  /** Places with units around a place, nearest first. @param {string} id @returns {[string, string][]} */
  around(id) {
    const board = this.play.board;
    return [...board.stacks.keys()].filter((each) => each !== id && board.spaces.has(each)).sort((a, b) => board.distance(id, a) - board.distance(id, b)).slice(0, 7)
      .map((each) => [each, this.direction(id, each)]);
  }

  /** Where one place lies as seen from another: "two hexes north-east". @param {string} from @param {string} to */
  direction(from, to) {
    const board = this.play.board;
    const [a, b] = [board.spaces.get(from), board.spaces.get(to)];
    if (!a || !b) return "";
    const way = DIRECTIONS[(Math.round(Math.atan2(a.y - b.y, b.x - a.x) / (Math.PI / 4)) + 8) % 8];
    if (board.areas) return `${Object.values(a.neighbours ?? {}).includes(to) ? "next to it, " : ""}${way}`;
    const hexes = Math.max(1, Math.round(board.distance(from, to) / board.hex));
    return `${NUMBERS[hexes] ?? hexes} hex${hexes === 1 ? "" : "es"} ${way}`;
  }

  /** @param {string} id @param {string} words */
  placeBlock(id, words) {
    const play = this.play;
    const stack = play.board.stacks.get(id) ?? [];
    return h("section", null, h("h3", { class: "text-place" }, [spaceLine(play, id, true).replaceAll(" · ", ", "), sideWords(play, id), words].filter(Boolean).join(", ")), h("ul", null, stack.length ? stack.map((piece) => h("li", null, h("b", null, piece.name || piece.id), `, ${piece.side === play.me ? "" : `${play.nameOf(piece.side)}, `}${pieceWords(piece)}.`)) : h("li", { class: "mut" }, "No units.")));
  }

  /** @param {string} wanted */
  describe(wanted) {
    const play = this.play;
    const low = wanted.toLowerCase();
    const space = play.board.spaces.get(wanted) ?? play.board.data.spaces.find((each) => each.name.toLowerCase() === low) ?? play.board.data.spaces.find((each) => low && each.name.toLowerCase().includes(low));
    const piece = play.view.pieces?.find((each) => each.id.toLowerCase() === low || each.name?.toLowerCase() === low);
    if (piece) return `${pieceLine(piece)}. ${piece.space ? `In ${play.spaceName(piece.space)}.` : piece.place ?? ""} ${piece.status ? `Values ${piece.status}.` : ""}`;
    if (!space) return `No unit or place is called ${wanted}.`;
    this.here = space.id;
    const stack = play.board.stacks.get(space.id) ?? [];
    const around = Object.entries(space.neighbours ?? {}).map(([way, id]) => {
      const there = play.board.stacks.get(id) ?? [];
      return `${wayWord(way)} ${play.spaceName(id)}${there.length ? ` with ${there.map((each) => each.name || each.id).join(" and ")}` : ""}`.trim();
    }).join(", ");
    setTimeout(() => this.draw());
    const reach = Object.entries(play.view.reach ?? {}).filter(([, costs]) => costs[space.id]).map(([unit, costs]) => `${unit} for ${costs[space.id]}`).join(", ");
    const sides = sideWords(play, space.id);
    return `${spaceLine(play, space.id)}. ${sides ? `${capital(sides)}. ` : ""}${stack.length ? stack.map((each) => `${each.name || each.id}, ${each.side === play.me ? "" : `${play.nameOf(each.side)}, `}${pieceWords(each)}`).join("; ") : "Empty"}. Around it: ${around || "nothing"}. ${reach ? `In reach of ${reach}.` : ""}`;
  }

  unitsByFormation() {
    const play = this.play;
    /** @type {Map<string, string[]>} */
    const groups = new Map();
    for (const piece of play.view.pieces ?? []) {
      if (piece.side !== play.me) continue;
      const key = piece.formation || (nationName(piece) || "Other");
      groups.set(key, [...(groups.get(key) ?? []), `${piece.name || piece.id} ${piece.space ? `in ${play.spaceName(piece.space)}` : piece.place || "in reserve"}${piece.states?.length ? ` (${piece.states.join(", ")})` : ""}`]);
    }
    return [...groups].map(([name, units]) => `${name}: ${units.join(", ")}.`).join(" ");
  }

  /** @param {string} word */
  overlayWords(word) {
    const play = this.play;
    const found = (play.view.overlays ?? []).filter((overlay) => overlay.id.startsWith(word.slice(0, 3)) || overlay.name.toLowerCase().includes(word));
    if (!found.length) return `There is nothing to say about ${word} now.`;
    return found.map((overlay) => `${overlay.name}${overlay.text ? `, ${overlay.text}` : ""}${this.pathOf(overlay)}${overlay.side && overlay.side !== play.me ? "" : this.unitsIn(overlay)}.`).join(" ");
  }

  /** The ways of an overlay as sentences. @param {import("./types.js").Overlay} overlay */
  pathOf(overlay) {
    const lines = (overlay.lines ?? []).filter((line) => line.length > 1);
    return lines.length ? `: ${lines.slice(0, 12).map((line) => pathWords(this.play, line)).join("; ")}` : "";
  }

  /** Which of your units stand in the places of an overlay, and which do not. @param {import("./types.js").Overlay} overlay */
  unitsIn(overlay) {
    const play = this.play;
    const places = new Set(overlay.spaces ?? []);
    if (!places.size) return "";
    const all = (play.view.pieces ?? []).filter((piece) => piece.side === play.me && piece.space);
    const formation = overlay.formation ? all.filter((piece) => piece.formation === overlay.formation) : [];
    const own = formation.length ? formation : all;
    const [within, without] = [own.filter((piece) => places.has(piece.space ?? "")), own.filter((piece) => !places.has(piece.space ?? ""))];
    const names = (/** @type {typeof own} */ list) => (list.length > 20 ? `${list.length} units` : list.map((piece) => piece.name || piece.id).join(", ") || "none");
    return `: ${places.size} places. Your units there: ${without.length ? names(within) : "all"}${without.length && within.length ? `; not there: ${names(without)}` : ""}`;
  }
}

/** What belongs together, in the order it came. @template T @param {T[]} list @param {(each: T) => string} key @returns {Map<string, T[]>} */
function grouped(list, key) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const each of list) groups.set(key(each), [...(groups.get(key(each)) ?? []), each]);
  return groups;
}

/** @param {string[]} words */
function listed(words) {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0] ?? "";
}

/** @param {Track[]} tracks */
function trackWords(tracks) {
  return tracks.length ? `${tracks.filter((track) => track.id !== "turn").map((track) => `${track.name} ${track.value}${track.maximum && /^\d+$/.test(track.value) ? ` of ${track.maximum}` : ""}`).join("; ")}.` : "";
}

/** What one wants to hear each time: not the long lists of formations or chits. @param {Play} play */
function shortTracks(play) {
  const tracks = play.view.tracks ?? [];
  const sort = (/** @type {Track} */ track) => track.id.split("-")[0];
  return tracks.filter((track) => tracks.filter((other) => sort(other) === sort(track)).length < 4).slice(0, 7);
}
