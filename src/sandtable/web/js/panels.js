// The paper beside the map: tracks, what is chosen, the log, rules, orders, chat and notes.

import { $, announce, button, camp, capital, h, icon, mark, put } from "./dom.js";
import { keep, recall } from "./api.js";
import { counterPicture } from "./board.js";
import { drawTracks } from "./tracks.js";
import { showTab } from "./frame.js";
import { clickUnitCard } from "./choosing.js";
import { readable } from "./logbook.js";
import { unitList } from "./unitlist.js";
import { kindWord, nationName, pieceName } from "./words.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").LogLine} LogLine */

const TABS = [["log", "Log"], ["rules", "Rules"], ["units", "Units"], ["orders", "Orders"], ["chat", "Talk"], ["notes", "Notes"]];

export class Panels {
  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    this.tab = innerWidth >= 2200 ? "units" : "log";
    this.unread = 0;
    /** @type {string|null} */
    this.ruleOpen = null;
    this.search = "";
    this.tracks = h("section", { class: "sec tracks", "aria-label": "Tracks" });
    this.chosen = h("section", { class: "sec chosen", "aria-label": "Chosen" });
    this.head = h("div", { class: "tab-row", role: "tablist", "aria-label": "Log, rules and more" });
    this.body = h("div", { class: "tab-body", role: "tabpanel", tabindex: "0" });
    // The newest line stays in sight when the parts above grow, unless somebody has scrolled back.
    this.newest = true;
    this.size = "";
    this.body.addEventListener("scroll", () => {
      // A list that was laid out anew moves by itself: nobody scrolled it.
      const size = `${this.body.clientHeight} ${this.body.scrollHeight}`;
      if (size === this.size) this.newest = newestFirst() ? this.body.scrollTop < 30 : this.body.scrollTop + this.body.clientHeight >= this.body.scrollHeight - 30;
    });
    this.sizes = new ResizeObserver(() => {
      this.size = `${this.body.clientHeight} ${this.body.scrollHeight}`;
      if (this.newest && this.tab === "log" && !this.play.past) this.body.scrollTop = newestFirst() ? 0 : this.body.scrollHeight;
    });
    this.sizes.observe(this.body);
    this.el = h("aside", { class: "panel", "aria-label": "State of the game" }, h("h2", { class: "sr" }, "State of the game"), this.tracks, this.chosen, h("section", { class: "sec paper" }, this.head, this.body));
    this.second = h("aside", { class: "panel second", "aria-label": "Log" });
  }

  draw() {
    drawTracks(this.play, this.tracks);
    this.drawChosen();
    this.drawTab();
    if (innerWidth >= 2200) {
      put(this.second, h("section", { class: "sec paper" }, h("h2", null, "Log"), this.logList(true)), h("section", { class: "sec rule-card" }, this.ruleCard(this.ruleOpen ?? this.play.view.rule)));
      const list = $(".log", this.second);
      if (list) list.scrollTop = list.scrollHeight;
    }
  }

  // What is chosen, or looked at.

  drawChosen() {
    const had = document.activeElement;
    const card = had instanceof HTMLElement && this.chosen.contains(had) ? had.dataset.card ?? "" : null;
    this.fillChosen();
    // Who chose a card with the keyboard stays on it.
    if (card !== null) ($(`[data-card="${CSS.escape(card)}"]`, this.chosen) ?? this.play.board.el).focus({ preventScroll: true });
  }

  fillChosen() {
    const play = this.play;
    const picked = play.picks.units.map((id) => play.piece(id)).filter((piece) => !!piece);
    const looked = play.looked ? play.piece(play.looked) : null;
    const lead = picked[0] ?? looked;
    const space = lead?.space ?? play.picks.spaces[0] ?? play.board.fanned ?? (play.board.cursor && document.activeElement === play.board.el ? play.board.cursor : null);
    const stack = space ? play.board.stacks.get(space) ?? [] : lead ? [lead] : [];
    const list = lead && !stack.includes(lead) ? [lead, ...stack] : stack;
    const wait = this.waiting(list);
    if (!list.length && !space) {
      put(this.chosen, ...(wait ? [wait] : [this.advice()]));
      return;
    }
    const marked = list.filter((piece) => play.picks.units.includes(piece.id)).length;
    const { units } = play.choices();
    put(this.chosen, 
      h("div", { class: "row spread" }, h("h3", null, space ? play.spaceName(space) : lead?.place ? capital(lead.place) : "", marked > 0 && list.length > 1 ? `, ${marked} chosen` : ""), h("span", { class: "mut" }, [space ? this.spaceFacts(space) : "", lead?.standing].filter(Boolean).join(" · "))),
      h("ul", { class: "unit-list" }, list.slice(0, 12).map((piece) => this.unitCard(piece, play.picks.units.includes(piece.id), units.has(piece.id)))),
      lead && this.unitSheet(lead), wait);
  }

  /** What to do while nothing is chosen. */
  advice() {
    const play = this.play;
    const { units, spaces } = play.choices();
    const touch = matchMedia("(pointer: coarse)").matches;
    const [press, key] = [touch ? "Tap" : "Click", (/** @type {string} */ name, /** @type {string} */ what) => (touch ? [] : [h("kbd", null, name), what])];
    const keys = touch ? ["Advice is in the menu."] : key("?", " shows all keys.");
    if (!play.mayAct) return h("p", { class: "mut" }, `${press} a counter or a place to read about it. `, ...(touch ? [] : keys));
    if (!units.size && !spaces.size) return h("p", { class: "mut" }, "Answer with a button below the map. ", ...key("H", " asks for advice, "), ...keys);
    return h("p", { class: "mut" }, `${press} a lit counter or place. `, ...key("N", " goes to the next, "), ...key("H", " asks for advice, "), ...keys);
  }

  /** @param {string} id */
  spaceFacts(id) {
    const space = this.play.board.spaces.get(id);
    const held = this.play.view.control?.[id];
    return [[space?.terrain ?? []].flat().join(", "), space?.vp ? `${space.vp} VP` : "", held ? `held by ${this.play.nameOf(held)}` : ""].filter(Boolean).join(" · ");
  }

  /** Counters that can act but stand beside the map, but for those shown above already. @param {Piece[]} shown */
  waiting(shown) {
    const play = this.play;
    if (!play.mayAct) return null;
    const { units } = play.choices();
    const off = [...units].map((id) => play.piece(id)).filter((piece) => piece && !piece.space && !shown.includes(piece));
    if (!off.length) return null;
    return h("div", null, h("h3", null, "Beside the map"), h("ul", { class: "unit-list" }, off.slice(0, 80).map((piece) => piece && this.unitCard(piece, false, true))));
  }

  /** @param {Piece} piece @param {boolean} chosen @param {boolean} lit */
  unitCard(piece, chosen, lit) {
    const play = this.play;
    const ratings = Object.entries(piece.ratings ?? {}).map(([label, value]) => `${label} ${value}`).join(" · ");
    return h("li", null, h("button", { type: "button", class: `unit-card ${chosen ? "on" : ""} ${lit ? "lit" : ""}`, "aria-pressed": String(chosen), data: { card: piece.id }, onclick: () => clickUnitCard(play, piece.id) },
      counterPicture(piece, 46),
      h("span", { class: "grow" }, h("b", null, pieceName(piece)), h("span", { class: "mut line" }, ratings), (piece.states ?? []).length ? h("span", { class: "states" }, (piece.states ?? []).map((state) => h("span", { class: "state" }, state))) : null),
      chosen ? icon("check", 18) : null));
  }

  /** Everything the viewer may know of a unit. @param {Piece} piece */
  unitSheet(piece) {
    const facts = [["Side", this.play.nameOf(piece.side)], ["Nation", nationName(piece)], ["Formation", piece.formation], ["Kind", [piece.size, kindWord(piece)].filter(Boolean).join(" ")], ["Steps", !piece.full_steps ? "" : piece.steps === undefined ? `${piece.full_steps} at full strength; what is left is hidden` : `${piece.steps} of ${piece.full_steps}`], ["Where", piece.space ? this.play.spaceName(piece.space) : piece.place ?? ""], ["Values", piece.status === "known" ? "as printed in the rulebook" : piece.status ? "reconstructed; the printed counter may differ" : ""]];
    return h("details", { class: "unit-sheet", open: recall("sheet", false), ontoggle: /** @param {Event} event */ (event) => keep("sheet", /** @type {HTMLDetailsElement} */ (event.target).open) }, h("summary", null, "More about ", piece.name || piece.id),
      h("dl", null, facts.filter(([, value]) => value).map(([label, value]) => [h("dt", null, label), h("dd", null, value)]), Object.entries(piece.ratings ?? {}).map(([label, value]) => [h("dt", null, label), h("dd", { class: "fig" }, value)])));
  }

  // Tabs.

  /** @param {string} tab */
  open(tab) {
    this.tab = tab;
    if (tab === "chat") this.unread = 0;
    if (tab !== "rules") this.ruleOpen = null;
    this.body.scrollTop = 0;
    this.drawTab();
  }

  /** The standing orders, at the one that answers the question of this rule. @param {string} rule */
  openOrder(rule) {
    this.open("orders");
    const found = $(`[data-order="${rule}"]`, this.body);
    found?.scrollIntoView({ block: "nearest" });
    $("select", found ?? this.body)?.focus({ preventScroll: true });
  }

  /** @param {string} number */
  openRule(number) {
    const told = this.play.rules.get(number);
    if (this.play.text.on) { this.play.text.reply(told ? `Rule ${number}, ${told.heading}. ${told.text}` : `Rule ${number}.`); return; }
    this.ruleOpen = number;
    this.search = "";
    if (innerWidth < 900) showTab(this.play, "rules");
    if (innerWidth >= 2200) this.draw();
    this.tab = "rules";
    this.drawTab();
    $(`[data-rule="${number}"]`, this.body)?.scrollIntoView({ block: "nearest" });
    const rule = this.play.rules.get(number);
    if (rule) announce(`Rule ${number}, ${rule.heading}. ${rule.text}`);
  }

  drawTab() {
    if (!this.play.title) return;
    const orders = this.play.title.interrupts?.length && this.play.state.you;
    put(this.head, ...TABS.filter(([id]) => id !== "orders" || orders).map(([id, word]) => h("button", { type: "button", role: "tab", "aria-selected": String(this.tab === id), class: "tab", onclick: () => this.open(id) }, word, id === "chat" && this.unread ? h("span", { class: "dot", "aria-label": `${this.unread} new` }, this.unread) : null)));
    const typing = document.activeElement instanceof HTMLElement && this.body.contains(document.activeElement) && /INPUT|TEXTAREA/.test(document.activeElement.tagName);
    if (typing) return;
    const content = { log: () => this.logList(), rules: () => this.ruleList(), units: () => unitList(this.play), orders: () => this.orders(), chat: () => this.chat(), notes: () => this.notes() }[this.tab] ?? (() => this.logList());
    put(this.body, content());
    const log = $(".log", this.body);
    if (!log || this.play.past) return;
    this.newest = true;
    this.body.scrollTop = newestFirst() ? 0 : this.body.scrollHeight;
    // The list may be measured only later: while the odds lie over the panel it has no size.
    this.sizes.disconnect();
    this.sizes.observe(this.body);
    this.sizes.observe(log);
  }

  /** @param {boolean} [all] */
  logList(all = false) {
    const play = this.play;
    const lines = play.past ? play.past.log : play.log;
    const list = h("ol", { class: "log", "aria-label": newestFirst() ? "Log, newest first" : "Log", tabindex: all ? "0" : null });
    const shown = readable(lines).slice(all ? -400 : -160);
    for (const line of newestFirst() ? turned(shown) : shown) {
      const head = !!line.opens;
      list.append(head ? h("li", { class: "turn" }, line.text) : h("li", { class: `entry ${camp(line.by)} ${line.kind === "Reason" ? "reason" : ""}`, data: { seq: line.seq, by: line.by ?? "" } },
        h("button", { type: "button", class: "n fig", "aria-label": `Look at line ${line.seq}`, onclick: () => play.scrubber.go(line.seq) }, line.seq), h("span", { title: (line.steps?.length ?? 0) > 2 ? line.steps?.join(" → ") : null }, play.sentence(line.text, true), " ", line.rule ? play.rule(line.rule) : null, line.reason ? this.why(`${play.nameOf(line.by)}: ${line.reason}`) : null)));
    }
    if (!lines.length) list.append(h("li", { class: "mut" }, "Nothing has happened yet."));
    return list;
  }

  /** The opponent's reason, on demand. @param {string} reason */
  why(reason) {
    const said = h("span", { class: "said", hidden: true }, reason);
    const ask = h("button", { type: "button", class: "why", "aria-expanded": "false", onclick: () => { said.hidden = !said.hidden; ask.setAttribute("aria-expanded", String(!said.hidden)); } }, "why?");
    return [" ", ask, said];
  }

  /** @param {string} number */
  ruleCard(number) {
    const rule = this.play.rules.get(number);
    return rule ? h("article", { data: { rule: number } }, h("div", { class: "row spread" }, h("h3", null, rule.heading), h("span", { class: "rule" }, number)), h("p", null, rule.text), h("p", { class: "mut small" }, "In our words. The rulebook has the full text.")) : h("p", { class: "mut" }, `Rule ${number}.`);
  }

  ruleList() {
    const rules = [...this.play.rules.values()];
    const results = h("div", { class: "rule-list" });
    const field = h("input", { type: "text", placeholder: "Search the rules", "aria-label": "Search the rules", value: this.search, oninput: () => { this.search = field.value; fill(); } });
    const fill = () => {
      const wanted = this.search.trim().toLowerCase();
      const found = wanted ? rules.filter((rule) => `${rule.number} ${rule.heading} ${rule.text}`.toLowerCase().includes(wanted)) : rules;
      results.replaceChildren(...found.slice(0, 400).map((rule) => h("details", { open: rule.number === this.ruleOpen || (!!wanted && found.length < 5) }, h("summary", { data: { rule: rule.number } }, h("span", { class: "rule" }, rule.number), " ", rule.heading), h("p", null, rule.text))));
    };
    fill();
    return h("div", null, this.ruleOpen ? h("div", { class: "rule-card" }, this.ruleCard(this.ruleOpen)) : null, field, results, h("p", { class: "mut small" }, "In our words. The rulebook has the full text. ", this.play.title.credits));
  }

  orders() {
    const play = this.play;
    const side = play.me;
    const now = play.state.view.orders ?? {};
    return h("div", { class: "orders" }, h("p", null, "Standing orders answer for you in the other side's turn, so that the game need not wait."),
      play.title.interrupts.map((each) => {
        const key = `${side} ${each.id}`;
        return h("label", { class: "field", data: { order: each.rule } }, h("span", null, each.name, " ", play.rule(each.rule)), h("select", { onchange: /** @param {Event} event */ (event) => giveOrder(play, each.id, /** @type {HTMLSelectElement} */ (event.target).value) },
          ["ask", ...(each.settings ?? ["never", "never-now"])].map((way) => h("option", { value: way, selected: (now[key] ?? now[each.id] ?? "ask") === way }, orderWords(way)))));
      }));
  }

  chat() {
    const play = this.play;
    const field = h("input", { type: "text", maxlength: "2000", placeholder: "Say something", "aria-label": "Say something" });
    const list = h("ol", { class: "chat" }, (play.state.chat ?? []).map((said) => h("li", null, said.by ? mark(said.by) : null, h("b", null, ` ${said.name || play.nameOf(said.by) || "Spectator"} `), said.text)));
    return h("form", { onsubmit: /** @param {Event} event */ (event) => { event.preventDefault(); const text = field.value.trim(); if (!text) return; field.value = ""; play.live.ask("chat", { text }).then(() => { if (document.activeElement === field) { field.blur(); this.drawTab(); $("input", this.body)?.focus(); } }, (error) => play.refused(error)); } }, list, h("div", { class: "row" }, field, h("button", { type: "submit", class: "btn small" }, "Say")));
  }

  /** @param {any} said */
  chatArrived(said) {
    if (this.tab !== "chat") { this.unread += 1; this.drawTab(); } else put(this.body, this.chat());
    announce(`${said.name || "Somebody"} says: ${said.text}`);
  }

  notes() {
    const play = this.play;
    let timer = 0;
    const field = h("textarea", { rows: "12", "aria-label": "Notes only you see", placeholder: "Plans, reminders. Only you see this.", value: play.state.note ?? recall(`note.${play.id}`, ""), oninput: () => { clearTimeout(timer); timer = window.setTimeout(() => { play.state.note = field.value; keep(`note.${play.id}`, field.value); if (play.state.you) play.live.ask("note", { text: field.value }).catch((error) => play.refused(error)); }, 500); } });
    return h("div", null, field);
  }
}

/** A phone shows the newest line where one looks first. */
export function newestFirst() {
  return innerWidth <= 700;
}

/** Newest first; what opens a turn still stands above the lines of that turn. @template {LogLine} T @param {T[]} lines @returns {T[]} */
function turned(lines) {
  /** @type {T[][]} */
  const turns = [[]];
  for (const line of lines) {
    if (line.opens) turns.push([line]);
    else turns[turns.length - 1].splice(turns[turns.length - 1][0]?.opens ? 1 : 0, 0, line);
  }
  return turns.reverse().flat();
}

/** Counters without a place on the map that can be chosen now, or are. @param {Play} play @returns {Piece[]} */
export function besideMap(play) {
  if (!play.mayAct || play.past) return [];
  const can = new Set(play.state.actions.filter((action) => action.spaces.length && action.units.length === 1).map((action) => action.units[0]));
  return /** @type {Piece[]} */ ([...can].map((id) => play.piece(id)).filter((piece) => piece && !piece.space));
}

/** @param {Play} play @param {string} interrupt @param {string} setting */
export function giveOrder(play, interrupt, setting) {
  return play.live.ask("order", { interrupt, setting, side: play.me }).then(() => announce("Order given."), (error) => play.refused(error));
}

/** Settings whose name alone says too little. @type {Record<string, string>} */
const SETTINGS = {
  ask: "Ask me", never: "Never", "never-now": "Not now; ask again later", always: "Always", "always-now": "Always, for now", strongest: "The strongest",
  "from-3-ap": "Ask me from 3 Attrition Points on", "entering-only": "Ask me when an enemy enters", "leaving-only": "Ask me when an enemy leaves", "level-4-up": "Ask me while a formation has level 4 or more",
  "combat-only": "Ask me about combat, retreats before it and reaction", "even-odds": "At even odds or better", "always-home": "Always, by the way home", "even-odds-home": "At even odds or better, by the way home",
  even: "Spread hits evenly, ask about retreats", hold: "Spread hits evenly and hold", best: "Whoever is best", first: "The first possible place",
};

/** @param {string} way */
export function orderWords(way) {
  return SETTINGS[way] ?? (way.charAt(0).toUpperCase() + way.slice(1)).replaceAll("-", " ");
}

export { button };
