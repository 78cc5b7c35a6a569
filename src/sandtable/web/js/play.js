// A game on the screen: what the server says, what the player picks, and what is sent back.

import { $, announce, button, capital, dialog, h, icon, iconButton, mark, put, toast } from "./dom.js";
import { api, cached, change, gameUrl, keep, keepSeat, mySeats, recall, reducedMotion, settings, shortName, theme, titleInfo } from "./api.js";
import { Board, counterPicture, overlayGroup } from "./board.js";
import { choose, NOTHING, onlyUnit, pickSpace, pickUnit, siblings, wouldBe } from "./choices.js";
import { costShort, pathTo } from "./geometry.js";
import { Live, Refused } from "./live.js";
import { Panels } from "./panels.js";
import { showOdds } from "./sheet.js";
import { Playback } from "./playback.js";
import { Scrubber } from "./scrubber.js";
import { TextView } from "./textview.js";
import { Guide } from "./guide.js";
import { keysHelp, keyboard } from "./keys.js";
import { openReport } from "./report.js";

/** @typedef {import("./types.js").Action} Action */
/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").GameState} GameState */
/** @typedef {import("./types.js").LogLine} LogLine */
/** @typedef {import("./types.js").TitleInfo} TitleInfo */
/** @typedef {import("./types.js").Rule} Rule */
/** @typedef {import("./types.js").Odds} Odds */

export class Play {
  /** @param {string} game @param {string} seat @param {HTMLElement} root */
  constructor(game, seat, root) {
    this.id = game;
    this.seat = seat;
    this.root = root;
    /** @type {GameState} */
    this.state = /** @type {any} */ (null);
    /** @type {TitleInfo} */
    this.title = /** @type {any} */ (null);
    /** @type {Map<string, Rule>} */
    this.rules = new Map();
    /** @type {LogLine[]} */
    this.log = [];
    /** @type {import("./choices.js").Picks} */
    this.picks = NOTHING;
    /** @type {{action: Action, odds: Odds|null, final: string}|null} */
    this.armed = null;
    /** @type {string|null} */
    this.looked = null;
    /** @type {Set<string>} */
    this.tools = new Set(recall("tools", ["reach"]));
    this.busy = "";
    this.ended = false;
    /** @type {{at: number, view: View, log: LogLine[]}|null} */
    this.past = null;
    /** @type {any[]} */
    this.queue = [];
    this.draining = false;
    this.tab = "map";

    this.board = new Board({
      unit: (id, how) => this.clickUnit(id, how),
      space: (id, how) => this.clickSpace(id, how),
      drop: (unit, space) => this.drop(unit, space),
      hover: (unit, space, x, y) => this.hover(unit, space, x, y),
      mayDrag: (unit) => this.mayAct && this.choices().fits.some((action) => action.units.includes(unit) && action.spaces.length > 0),
      look: () => this.look(),
    });
    this.panels = new Panels(this);
    this.playback = new Playback(this);
    this.scrubber = new Scrubber(this);
    this.text = new TextView(this);
    this.guide = new Guide(this);
    this.build();
    const known = mySeats().find((each) => each.game === game)?.title;
    if (known) for (const part of this.fetchMap(known)) part.catch(() => {});
    this.unbind = keyboard(this);
    this.onTheme = () => this.drawGround();
    addEventListener("themechange", this.onTheme);
    this.live = new Live(game, seat, { message: (message) => this.receive(message), status: (status, tries) => this.connection(status, tries) });
    /** @type {any} */ (window).sandtable = this;
  }

  leave() {
    this.live.end();
    this.unbind();
    removeEventListener("themechange", this.onTheme);
    this.playback.stop();
  }

  // The frame.

  build() {
    this.el = h("div", { class: "game", data: { tab: "map" } });
    this.top = h("header", { class: "top" });
    this.notice = h("div", { class: "notice", role: "status", hidden: true });
    this.rail = h("nav", { class: "rail", "aria-label": "Map tools" });
    this.tip = h("div", { class: "tip", hidden: true, "aria-hidden": "true" });
    this.menu = h("div", { class: "menu on-map", hidden: true });
    this.legend = h("div", { class: "legend on-map", hidden: true });
    this.overview = h("button", { type: "button", class: "overview on-map", "aria-label": "Overview: show the whole map", hidden: true, onclick: /** @param {MouseEvent} event */ (event) => this.jump(event) });
    this.prompt = h("section", { class: "prompt", "aria-label": "What to do" });
    this.sheet = h("aside", { class: "sheet", hidden: true, "aria-label": "Odds" });
    this.board.el.append(this.tip, this.menu, this.legend, this.overview);
    this.tabs = h("nav", { class: "tabs", "aria-label": "Parts of the game" }, [["map", "layers", "Map"], ["turn", "clock", "Turn"], ["log", "text", "Log"], ["rules", "book", "Rules"], ["text", "eye", "Text"]].map(([id, sign, word]) =>
      h("button", { type: "button", data: { tab: id }, onclick: () => this.showTab(id) }, icon(sign, 22), word)));
    this.el.append(
      h("a", { class: "skip", href: "#prompt", onclick: /** @param {Event} event */ (event) => { event.preventDefault(); $("button", this.prompt)?.focus(); } }, "Skip to choices"),
      this.top, this.notice, this.rail,
      h("main", { class: "table", "aria-label": "Game" }, this.board.el), this.prompt, this.scrubber.el, this.panels.el, this.panels.second, this.sheet, this.text.el, this.tabs);
    put(this.root, this.el);
    this.showTab("map");
    this.say("Fetching the game …");
  }

  /** @param {string} tab */
  showTab(tab) {
    if (tab === "text") { this.textView(true); return; }
    this.tab = tab;
    this.el?.setAttribute("data-tab", tab);
    for (const each of this.tabs?.querySelectorAll("button") ?? []) each.setAttribute("aria-current", String(each.dataset.tab === tab));
    if (tab === "log" || tab === "rules") this.panels.open(tab);
  }

  /** @param {boolean} on */
  textView(on) {
    this.text.show(on);
    this.el?.classList.toggle("as-text", on);
    keep("text", on);
    if (!on) { this.board.apply(); this.render(); }
  }

  // What the server says.

  /** @param {string} status @param {number} tries */
  connection(status, tries) {
    if (!this.notice) return;
    if (status === "open" && this.wasLost) this.checkVersion();
    this.wasLost = status === "lost" || (this.wasLost && status !== "open");
    if (status === "lost") {
      this.notice.hidden = false;
      put(this.notice, `The connection is lost. Trying again${tries > 1 ? ` (${tries})` : ""} … Nothing you did is lost.`, button("Try now", () => this.live.connect(), { cls: "small" }));
    } else if (status === "open" && !this.notice.dataset.keep) this.notice.hidden = true;
  }

  /** @param {any} message */
  async receive(message) {
    switch (message.type) {
      case "state": {
        this.queue = [];
        await this.begin(message);
        break;
      }
      case "resume": {
        this.log = [...this.log.filter((line) => line.seq <= message.seq), ...message.log.filter((/** @type {LogLine} */ line) => !this.log.some((known) => known.seq === line.seq))];
        const { log: _, ...rest } = message;
        this.state = { ...this.state, ...rest };
        await this.fetchArt(this.state.view.pieces ?? []);
        this.settle();
        break;
      }
      case "update":
        this.queue.push(message);
        this.drain();
        break;
      case "chat":
        this.state?.chat?.push(message);
        this.panels.chatArrived(message);
        break;
      case "presence":
        if (this.state) { this.state.players = message.players; this.drawTop(); }
        break;
      case "offer":
        if (this.state) { this.state.offers = message.offers ?? this.state.offers; this.drawOffers(); }
        break;
      case "thinking":
        this.busy = `${this.nameOf(message.side)} is thinking …`;
        this.drawPrompt();
        break;
      case "clock":
        if (this.state) { this.state.clocks = message.clocks ?? message; this.drawTop(); }
        break;
      case "error":
        toast([message.error, " ", this.rule(message.rule)]);
        break;
      case "version":
      case "reload":
        this.oldTab();
        break;
      case "gone":
        this.say(message.reason || "This game is not here, or the link does not open it.");
        this.prompt?.append(button("To the front page", () => { location.hash = "#/"; }, { cls: "primary" }));
        break;
    }
  }

  wasLost = false;

  /** After a lost line the server may be a newer one: its page then has another tag. */
  async checkVersion() {
    try {
      const tag = (await fetch("/", { cache: "no-store" })).headers.get("etag");
      const scripts = (await fetch("/static/js/play.js", { cache: "no-store" })).headers.get("etag");
      const now = `${tag} ${scripts}`;
      if (this.version && this.version !== now) this.oldTab();
      this.version = now;
    } catch {
      // The next reconnection asks again.
    }
  }

  /** @type {string|undefined} */
  version;

  oldTab() {
    if (!this.notice) return;
    this.notice.dataset.keep = "yes";
    this.notice.hidden = false;
    put(this.notice, "The server has a newer version of this page.", button("Reload", () => location.reload(), { cls: "small" }));
  }

  /** @param {any} message */
  async begin(message) {
    const first = !this.state;
    this.state = message;
    this.log = message.log ?? [];
    this.past = null;
    const id = message.view.title;
    if (first) {
      const [title, data, svg] = await Promise.all([...this.fetchMap(id), this.fetchArt(message.view.pieces ?? [])]);
      this.title = title;
      cached(`titles/${id}/rules`).then((rules) => { this.rules = new Map(rules.map((/** @type {Rule} */ rule) => [rule.number, rule])); this.panels.draw(); });
      this.board.load(data, svg);
      document.title = `${shortName(title.name)} · Sandtable`;
      this.remember();
      this.drawRail();
      this.board.setPieces(this.state.view.pieces ?? []);
      this.firstLook();
      performance.mark("board");
      setTimeout(() => this.checkVersion(), 3000);
      if (recall("text", false)) this.textView(true);
      this.guide.begin();
    } else await this.fetchArt(message.view.pieces ?? []);
    this.settle();
    this.board.el.dataset.ready = "yes";
  }

  /** All that the map needs; asked for at once where the title is known. @param {string} id */
  fetchMap(id) {
    return /** @type {const} */ ([titleInfo(id), cached(`titles/${id}/board`), cached(`titles/${id}/board.svg?theme=${theme()}`)]);
  }

  remember() {
    const known = mySeats().find((each) => each.game === this.id);
    const mine = this.state.you === "both" ? Object.keys(this.state.players ?? {}) : this.state.you ? [this.state.you] : [];
    if (!mine.length) return;
    keepSeat({ game: this.id, title: this.state.view.title, mode: known?.mode ?? (this.state.you === "both" ? "hotseat" : "link"), at: Date.now(), over: !!this.state.outcome, seats: { ...known?.seats, ...Object.fromEntries(mine.map((side) => [side, known?.seats?.[side] ?? this.seat])) } });
  }

  /** @param {Piece[]} pieces */
  async fetchArt(pieces) {
    const keys = [...new Set(pieces.map((piece) => piece.art ?? "").filter((key) => key && !this.board.known.has(key)))];
    if (!keys.length) return;
    const title = this.state?.view.title;
    try {
      this.board.learn(await api(`art/${title}`, { keys }));
    } catch (error) {
      console.warn("counters", error);
    }
  }

  async drawGround() {
    if (!this.title) return;
    this.board.setGround(await cached(`titles/${this.title.id}/board.svg?theme=${theme()}`));
    this.drawOverview(true);
    this.drawTop();
  }

  /** Updates are shown one after another, in order. */
  async drain() {
    if (this.draining) return;
    this.draining = true;
    while (this.queue.length) {
      const message = this.queue.shift();
      const behind = this.queue.length > 12;
      try {
        await this.fetchArt(message.view.pieces ?? []);
        if (!this.past && !behind) await this.playback.show(message);
      } catch (error) {
        console.error(error);
      }
      this.absorb(message);
    }
    this.draining = false;
    this.settle();
  }

  /** @param {any} message */
  absorb(message) {
    if (message.undone) this.log = this.log.filter((line) => line.seq !== message.undone);
    for (const event of message.events ?? []) this.log.push({ seq: message.seq, text: event.text, rule: event.rule, kind: event.kind, by: message.by, only: event.only });
    if (message.reason) this.log.push({ seq: message.seq, text: message.reason, kind: "Reason", by: message.by });
    const keepFields = ["seq", "view", "actions", "can_undo", "outcome", "offers", "clocks"];
    for (const field of keepFields) if (field in message) /** @type {any} */ (this.state)[field] = message[field];
    this.busy = "";
    this.picks = NOTHING;
    this.armed = null;
    this.looked = null;
    this.board.fan(null);
    const spoken = (message.events ?? []).map((/** @type {any} */ event) => event.text).join(" ");
    if (spoken) announce(spoken, true);
    this.guide.happened(message);
  }

  /** Everything is as the server says: draw it. */
  settle() {
    if (!this.title) return;
    const alone = this.mayAct ? onlyUnit(this.state.actions) : null;
    if (alone && !this.picks.units.length) this.picks = { units: [alone], spaces: [] };
    this.render();
    if (this.state.outcome && !this.ended) {
      this.ended = true;
      this.remember();
      if (!this.past) openReport(this);
    }
  }

  // What is true now.

  /** @returns {View} */
  get view() {
    return this.past?.view ?? this.state.view;
  }

  get mayAct() {
    return !!this.state && !this.past && !this.state.outcome && this.state.actions.length > 0;
  }

  /** The side this player looks as. */
  get me() {
    return this.state.you === "both" ? this.state.view.actor : this.state.you;
  }

  /** @param {string|null|undefined} side */
  nameOf(side) {
    return side ? this.title?.side_names[side] ?? capital(side) : "";
  }

  /** @param {string} unit */
  spaceOf = (unit) => this.piece(unit)?.space ?? null;

  /** @param {string} unit @returns {Piece|undefined} */
  piece(unit) {
    return this.view.pieces?.find((piece) => piece.id === unit);
  }

  choices() {
    return choose(this.mayAct ? this.state.actions : [], this.picks, this.spaceOf);
  }

  /** @param {string} id */
  spaceName(id) {
    const space = this.board.spaces.get(id);
    if (!space) return id;
    return space.name && space.name !== id ? `${space.name} (${id})` : id;
  }

  // Drawing.

  render() {
    if (!this.title || !this.state) return;
    this.board.setPieces((this.view.pieces ?? []));
    this.drawTop();
    this.drawOverlays();
    this.light();
    this.drawPrompt();
    this.panels.draw();
    this.scrubber.draw();
    this.text.draw();
    this.drawOverview();
    this.drawOffers();
    this.guide.draw();
  }

  light() {
    const { units, spaces, fits, exact } = this.choices();
    const foes = new Set((this.view.pieces ?? []).filter((piece) => piece.side !== this.me && piece.space).map((piece) => piece.space ?? ""));
    const threats = [...spaces].filter((space) => foes.has(space));
    const unit = this.picks.units[0];
    const costs = this.mayAct ? this.reachOf(unit) : unit ? this.view.reach?.[unit] : null;
    /** @type {Record<string, string>|null} */
    let reach = null;
    if (this.tools.has("reach") && costs) reach = Object.fromEntries(Object.entries(costs).filter(([space]) => !this.mayAct || spaces.has(space)));
    const end = this.armed?.action.spaces.at(-1) ?? this.picks.spaces.at(-1);
    /** @type {any} */
    let path = null;
    if (unit && end && costs?.[end]) path = this.way(unit, end, costs);
    const own = unit ? this.spaceOf(unit) : null;
    this.board.light({
      units: this.mayAct ? units : [], spaces: this.mayAct ? spaces : [], threats: this.mayAct ? threats : [], chosen: [...this.picks.units, ...(this.looked ? [this.looked] : [])], chosenSpaces: this.picks.spaces, reach, path,
      arrows: this.armed && own && end && foes.has(end) ? [[own, end]] : [],
    });
    this.board.el.dataset.fits = String(fits.length);
    this.board.el.dataset.exact = String(exact.length);
  }

  /** @param {string|undefined} unit */
  reachOf(unit) {
    const reach = this.view.reach ?? {};
    if (unit && reach[unit]) return reach[unit];
    if (unit) return null;
    const units = Object.keys(reach);
    // Nobody is picked but the places are lit: the group that is moving now.
    const lit = this.state.actions.filter((action) => !action.units.length && action.spaces.length === 1);
    const known = lit.filter((action) => reach[units[0]]?.[action.spaces[0]] !== undefined);
    return known.length && known.length >= lit.length * 0.8 ? reach[units[0]] : null;
  }

  /** @param {string} unit @param {string} end @param {Record<string, string>} costs */
  way(unit, end, costs) {
    const start = this.spaceOf(unit);
    if (!start) return null;
    const spaces = this.board.areas ? [start, end] : pathTo(this.board.spaces, costs, start, end);
    const piece = this.piece(unit);
    const move = piece?.ratings && (piece.ratings.MF ?? piece.ratings.MA ?? piece.ratings.MP ?? piece.ratings.Movement);
    return { spaces, costs, ghost: unit, tag: move && /\d/.test(move) && /\d/.test(costs[end]) ? `${costShort(costs[end])} of ${move}${/MF|MP/.exec(costs[end])?.[0] ? ` ${/MF|MP/.exec(costs[end])?.[0]}` : ""}` : costs[end] };
  }

  drawTop() {
    if (!this.title || !this.top) return;
    const { players, you } = this.state;
    const view = this.view;
    const scenario = this.title.scenarios.find((each) => each.id === view.scenario);
    const who = (/** @type {string} */ side) => {
      const player = players?.[side] ?? {};
      const self = you === side;
      const name = self ? "You" : player.kind === "opponent" ? `${capital(player.level || "opponent")} (computer)` : player.name || (you === "both" ? this.nameOf(side) : `${this.nameOf(side)} player`);
      const clock = this.state.clocks?.[side] ?? this.state.clocks?.left?.[side];
      return h("span", { class: `side ${view.actor === side ? "now" : ""}` }, mark(side), name, clock !== undefined && h("span", { class: "clock fig" }, clockText(clock)));
    };
    const order = you && you !== "both" ? [you, ...this.title.sides.filter((side) => side !== you)] : this.title.sides;
    put(this.top, 
      h("a", { class: "wordmark", href: "#/" }, "Sandtable"), h("span", { class: "sep", "aria-hidden": "true" }),
      h("h1", { class: "game-name" }, shortName(this.title.name)), h("span", { class: "scenario" }, scenario?.name ?? ""),
      h("span", { class: "when" }, this.past ? [`Line ${this.past.at}`, " · "] : null, view.turn, view.actor && !view.over ? [" · ", h("b", null, `${this.nameOf(view.actor)} to decide`)] : null),
      h("span", { class: "players" }, who(order[0]), h("span", { class: "against" }, "against"), who(order[1])),
      !you && h("span", { class: "watching" }, "watching"),
      h("span", { class: "top-tools" },
        h("button", { type: "button", class: "icon take-back-top", "aria-label": "Take back", disabled: !this.state.can_undo || !!this.past, onclick: () => this.undo() }, icon("undo")),
        iconButton("book", "Rules", () => { this.showTab("rules"); this.panels.open("rules"); }),
        iconButton(theme() === "day" ? "moon" : "sun", theme() === "day" ? "Night colours" : "Day colours", () => { change({ theme: theme() === "day" ? "night" : "day" }); }),
        iconButton("menu", "Menu", () => this.openMenu())));
  }

  drawRail() {
    if (!this.rail) return;
    const groups = new Set((this.state.view.overlays ?? []).map((overlay) => overlayGroup(overlay.id)));
    /** @type {[string, string, string, string][]} */
    const tools = [["reach", "reach", "Reach", "R"]];
    if (groups.has("supply")) tools.push(["supply", "supply", "Supply", "S"]);
    if (groups.has("zones")) tools.push(["zones", "zoc", "Zones", "Z"]);
    if (groups.has("command")) tools.push(["command", "command", "Command", "C"]);
    if (groups.has("other")) tools.push(["other", "layers", "More", "M"]);
    if (Object.keys(this.state.view.control ?? {}).length) tools.push(["control", "flag", "Control", "V"]);
    tools.push(["names", "eye", "Names", "G"]);
    put(this.rail, h("button", { type: "button", class: "tool layers", "aria-label": "Layers", "aria-expanded": String(this.rail.classList.contains("open")), onclick: () => { this.rail?.classList.toggle("open"); this.drawRail(); } }, icon("layers", 22)),
      ...tools.map(([id, sign, word, key]) => h("button", { type: "button", class: "tool", "aria-pressed": String(this.tools.has(id)), title: `${word} (${key})`, data: { tool: id }, onclick: () => this.toggle(id) }, icon(sign), word)),
      h("span", { class: "grow" }),
      h("button", { type: "button", class: "tool short", "aria-label": "Closer", title: "Closer (+)", onclick: () => this.board.zoom(1.3) }, icon("plus")),
      h("button", { type: "button", class: "tool short", "aria-label": "Farther", title: "Farther (−)", onclick: () => this.board.zoom(1 / 1.3) }, icon("minus")),
      h("button", { type: "button", class: "tool short", "aria-label": "Whole map", title: "Whole map (0)", onclick: () => this.board.fit() }, icon("fit")),
      h("button", { type: "button", class: "tool", title: "Find (F)", onclick: () => this.find() }, icon("find"), "Find"),
      h("button", { type: "button", class: "tool", title: "Text view (T)", onclick: () => this.textView(true) }, icon("text"), "Text"));
    this.board.el.classList.toggle("no-names", this.tools.has("names"));
  }

  /** @param {string} tool */
  toggle(tool) {
    if (!this.tools.delete(tool)) this.tools.add(tool);
    keep("tools", [...this.tools]);
    this.drawRail();
    this.drawOverlays();
    this.light();
    announce(`${capital(tool)} ${this.tools.has(tool) ? "shown" : "hidden"}`);
  }

  drawOverlays() {
    const view = this.view;
    const lead = this.piece(this.picks.units[0] ?? this.looked ?? "");
    const mine = lead?.formation ? (view.overlays ?? []).filter((overlay) => overlayGroup(overlay.id) === "command" && overlay.name.endsWith(` ${lead.formation}`)) : [];
    const shown = (view.overlays ?? []).filter((overlay) => this.tools.has(overlayGroup(overlay.id)) && (overlayGroup(overlay.id) !== "command" || !mine.length || mine.includes(overlay)));
    this.board.setOverlays(shown, this.tools.has("control") ? view.control ?? null : null, view.markers ?? [], this.me);
    if (!this.legend) return;
    this.legend.hidden = !shown.length && !this.tools.has("control");
    put(this.legend, h("h3", null, "Overlays"),
      ...shown.slice(0, 10).map((overlay) => h("div", { class: "row" }, h("i", { class: `key ${overlayGroup(overlay.id)} ${overlay.side === this.me ? "own" : "foe"}` }), h("span", null, overlay.name, overlay.text && h("span", { class: "mut" }, ` ${overlay.text}`)))),
      this.tools.has("control") && h("div", { class: "row" }, h("i", { class: "key control" }), "Control and victory points"));
  }

  // The prompt.

  /** @param {string} text */
  say(text) {
    put(this.prompt, h("p", { class: "say" }, text));
  }

  /** A rule number that opens its rule. @param {string|null|undefined} number */
  rule(number) {
    if (!number) return null;
    const rule = this.rules.get(number);
    return h("button", { type: "button", class: "rule", title: rule ? rule.heading : `Rule ${number}`, "aria-label": `Rule ${number}${rule ? `, ${rule.heading}` : ""}`, onclick: /** @param {Event} event */ (event) => { event.stopPropagation(); this.panels.openRule(number); } }, number);
  }

  drawPrompt() {
    if (!this.prompt || !this.title) return;
    const had = document.activeElement && this.prompt.contains(document.activeElement);
    const parts = this.promptParts();
    put(this.prompt, ...parts);
    if (had) ($(".primary", this.prompt) ?? $("button", this.prompt))?.focus();
  }

  promptParts() {
    const view = this.view;
    const square = mark(view.actor, "big");
    if (this.past) {
      return [square, h("p", { class: "say" }, h("b", null, `You look at line ${this.past.at} of ${this.state.seq}. `), view.prompt, " ", this.rule(view.rule)),
        button("Sandbox from here", () => this.branch(this.past?.at ?? 0), { icon: "branch", cls: "quiet" }), button("Back to now", () => this.scrubber.go(null), { cls: "primary", key: "Esc" })];
    }
    if (this.state.outcome) {
      return [square, h("p", { class: "say" }, h("b", null, this.state.outcome.text), " ", this.rule(this.state.outcome.rule)), button("See the report", () => openReport(this), { cls: "primary" })];
    }
    const takeBack = h("button", { type: "button", class: "btn quiet take-back", disabled: !this.state.can_undo, onclick: () => this.undo(), title: "Take back (U)" }, icon("undo", 17), "Take back");
    if (!this.mayAct) {
      const waits = /** @type {any} */ (this.state).waiting ? "The game begins when the other seat is taken." : this.busy || (this.state.you ? `${this.nameOf(view.actor)} decides. You see it here when it happens.` : "You are watching.");
      return [square, h("p", { class: "say" }, h("b", null, waits), " ", h("span", { class: "mut" }, view.prompt), " ", this.rule(view.rule)),
        ...this.waitingButtons()];
    }
    if (this.armed) {
      const { action, final, odds } = this.armed;
      const wider = this.choices().fits.filter((other) => other !== action && other.spaces.length > action.spaces.length && !other.units.length).slice(0, 2);
      return [square, h("p", { class: "say" }, h("b", null, `${action.label}?`), " ", odds || final === "dice" ? "The dice are rolled at once and nothing before them can be taken back." : final ? "The other side decides next; this cannot be taken back." : h("span", { class: "mut" }, view.prompt), " ", this.rule(view.rule)),
        takeBack, button("Cancel", () => this.clear(), { key: "Esc" }), ...wider.map((other) => button(other.label, () => this.consider(other), { data: { action: other.text } })), button(this.verb(action), () => this.commit(action), { cls: "primary", key: "Enter", icon: odds ? "dice" : undefined, data: { action: action.text } })];
    }
    const { exact, fits, free, units, spaces } = this.choices();
    const setup = this.state.actions.every((action) => /^(place|setup|post)$/.test(action.kind));
    const place = setup ? button(this.placing ? "Stop" : "Place the rest for me", () => this.placeRest(), { data: { place: "rest" } }) : null;
    if (this.picks.units.length + this.picks.spaces.length) {
      const direct = fits.length <= 4 ? [...fits.filter((action) => !exact.includes(action) && (action.spaces.length > 1 || !action.spaces.length)), ...exact] : exact;
      const names = [...this.picks.units, ...this.picks.spaces.map((space) => this.spaceName(space))].join(", ");
      const more = [...spaces].length ? "Choose a lit place." : [...units].length ? "Choose another lit unit." : "";
      const only = onlyUnit(this.state.actions) !== null;
      return [square, h("p", { class: "say" }, only ? h("b", null, view.prompt) : [h("b", null, `${names}. `), more || view.prompt], " ", this.rule(view.rule)), takeBack,
        !only && button("Cancel", () => this.clear(), { key: "Esc" }), place,
        ...this.buttons(direct, direct.length === 1 || (!spaces.size && !units.size)), ...(only ? this.buttons(free, false) : [])];
    }
    return [square, h("p", { class: "say" }, h("b", null, view.prompt), " ", this.rule(view.rule)), takeBack, place, ...this.buttons(free, free.length === this.state.actions.length)];
  }

  /** Before the start: take your seat, or send the other one's link. */
  waitingButtons() {
    const state = /** @type {any} */ (this.state);
    if (!state.waiting) return [];
    const mine = this.state.you && this.state.you !== "both" ? this.state.players[this.state.you] : null;
    if (mine && !(/** @type {any} */ (mine).joined)) return [button("Take this seat", () => this.takeSeat(), { cls: "primary" })];
    return [button("Links to the seats", () => this.seatLinks(), { icon: "link", cls: "primary" })];
  }

  takeSeat() {
    const name = h("input", { type: "text", maxlength: "40", value: settings.name });
    const words = h("input", { type: "text", maxlength: "200" });
    const bids = /** @type {any} */ (this.title).bids;
    const bid = h("input", { type: "number", value: "10" });
    const box = dialog("Take this seat", h("div", null, h("label", { class: "field" }, h("span", null, "Your name"), name), h("label", { class: "field" }, h("span", null, "Your words for the dice"), words, h("span", { class: "mut" }, "They are mixed into the seed, so that nobody alone decides the dice.")), bids ? h("label", { class: "field" }, h("span", null, "Your bid, if sides are decided by bids"), bid) : null,
      h("div", { class: "row" }, button("Not now", () => box.close()), button("Begin", async () => {
        try {
          const header = await api(`games/${this.id}${this.seat ? `?seat=${encodeURIComponent(this.seat)}` : ""}`);
          await api(`games/${this.id}/join`, { seat: this.seat, side: this.state.you, name: name.value, words: words.value, ...(header.bidding ? { bid: Number(bid.value) } : {}) });
          change({ name: name.value });
          box.close();
        } catch (error) {
          this.refused(error);
        }
      }, { cls: "primary", data: { join: "yes" } }))));
  }

  /** Buttons for actions, the main one last. @param {Action[]} actions @param {boolean} primary */
  buttons(actions, primary) {
    const most = innerWidth < 700 ? 2 : 4;
    /** @type {Map<string, Action[]>} */
    const kinds = new Map();
    for (const action of actions) kinds.set(action.kind, [...(kinds.get(action.kind) ?? []), action]);
    const grouped = actions.length > most ? [...kinds.values()] : actions.map((action) => [action]);
    const direct = grouped.length > most ? grouped.slice(-(most - 1)) : grouped;
    const rest = grouped.slice(0, grouped.length - direct.length).flat();
    const out = direct.map((group, at) => {
      const cls = primary && at === direct.length - 1 ? "primary" : "";
      if (group.length === 1) return button(group[0].label, () => this.consider(group[0]), { cls, data: { action: group[0].text } });
      return button(`${common(group.map((action) => action.label))} … (${group.length})`, () => this.list(common(group.map((action) => action.label)), group), { cls, data: { more: group[0].kind } });
    });
    if (rest.length) out.unshift(button(`More choices (${rest.length})`, () => this.list("Choices", rest), { data: { more: "all" } }));
    return out;
  }

  /** The words on the button that does it. @param {Action} action */
  verb(action) {
    const word = action.label.split(/[ ,:(]/)[0];
    const cost = /\(([^()]*\d[^()]*)\)\s*$/.exec(action.label)?.[1];
    return action.label.length < 26 ? action.label : cost ? `${word}, ${cost}` : word;
  }

  /** Many choices in a list. @param {string} title @param {Action[]} actions @param {HTMLElement|null} [_from] */
  list(title, actions, _from) {
    const box = dialog(title, h("div", { class: "choice-list" }, actions.map((action, at) => h("button", { type: "button", class: "choice", data: { action: action.text }, onclick: () => { box.close(); this.consider(action); } }, h("span", { class: "num fig" }, at + 1), h("span", { class: "grow" }, action.label)))));
  }

  // Choosing.

  /** @param {string} id @param {{touch: boolean, shift: boolean, x: number, y: number}} how */
  clickUnit(id, how) {
    this.playback.hurry();
    this.closeMenu();
    const piece = this.piece(id);
    const space = piece?.space ?? null;
    const stack = space ? this.board.stacks.get(space) ?? [] : [];
    const wasFanned = this.board.fanned === space;
    const { spaces, units } = this.choices();
    // A lit place with somebody in it: the place is meant, unless a lit unit there is.
    if (this.mayAct && space && spaces.has(space) && !units.has(id) && this.picks.units.length) { this.clickSpace(space, how); return; }
    if (!this.board.areas && stack.length > 1 && !wasFanned) {
      this.board.fan(space);
      const lit = stack.filter((each) => units.has(each.id));
      if (lit.length === 1) id = lit[0].id;
      else if (lit.length > 1) { this.looked = null; this.picks = lit.every((each) => !this.picks.units.includes(each.id)) ? NOTHING : this.picks; this.looked = id; this.refresh(); return; }
    } else if (stack.length <= 1) this.board.fan(null);
    this.looked = id;
    this.board.cursor = null;
    if (!this.mayAct) { this.refresh(); return; }
    const next = pickUnit(this.state.actions, this.picks, id, this.spaceOf);
    if (!next) {
      if (space && pickSpace(this.state.actions, this.picks, space, this.spaceOf)) { this.clickSpace(space, how); return; }
      if (piece && piece.side === this.me) this.why({ unit: id });
      this.picks = onlyUnit(this.state.actions) ? this.picks : NOTHING;
      this.armed = null;
      this.refresh();
      return;
    }
    this.pick(next, how);
  }

  /** The same from the list beside the map or by its number. @param {string} id */
  clickUnitCard(id) {
    this.looked = id;
    const next = this.mayAct ? pickUnit(this.state.actions, this.picks, id, this.spaceOf) : null;
    const space = this.spaceOf(id);
    const at = space ? this.board.spaces.get(space) : null;
    if (at) this.board.reveal(at.x, at.y);
    if (next) this.pick(next, { touch: false, shift: false, ...this.board.toScreen(at?.x ?? 0, at?.y ?? 0) });
    else this.refresh();
  }

  /** @param {string} id @param {{touch: boolean, shift: boolean, x: number, y: number}} how */
  clickSpace(id, how) {
    this.playback.hurry();
    this.closeMenu();
    this.board.fan(null);
    if (!this.mayAct) {
      this.looked = this.board.stacks.get(id)?.[0]?.id ?? null;
      this.refresh();
      return;
    }
    if (this.armed && this.armed.action.spaces.at(-1) === id && this.armed.action.spaces.length === 1) { this.commit(this.armed.action); return; }
    const next = pickSpace(this.state.actions, this.picks, id, this.spaceOf);
    if (!next) {
      if (this.picks.units.length) { this.why({ space: id }); return; }
      const stack = this.board.stacks.get(id);
      if (stack?.length) { this.clickUnit(stack[0].id, how); return; }
      this.why({ space: id });
      return;
    }
    this.pick(next, how);
  }

  /** @param {import("./choices.js").Picks} next @param {{touch: boolean, shift: boolean, x: number, y: number}} how */
  pick(next, how) {
    this.picks = next;
    this.armed = null;
    const { exact, fits } = this.choices();
    if (fits.length === 1 && (exact.length || !fits[0].spaces.length)) { this.consider(fits[0], how.touch || !exact.length); return; }
    this.refresh();
    if (exact.length > 1 && exact.length === fits.length) this.openChoices(exact, how);
    else if (!exact.length && fits.length && !this.picks.units.length && fits.every((action) => action.units.length) && fits.length <= 9) this.openChoices(fits, how);
    else if (exact.length === 1 && next.spaces.length) this.armQuietly(exact[0]);
  }

  /** An action that is complete although more could be added. @param {Action} action */
  armQuietly(action) {
    this.armed = { action, odds: null, final: "" };
    this.refresh();
  }

  /**
   * Before an action is sent: show its odds, ask if it cannot be taken back, or just do it.
   * @param {Action} action @param {boolean} [ask]
   */
  async consider(action, ask = false) {
    this.closeMenu();
    this.picks = { units: [...action.units], spaces: [...action.spaces] };
    if (action.units.length > 1 || action.spaces.length > 1) this.picks = { units: action.units, spaces: action.spaces };
    /** @type {{odds: Odds|null, final: string}} */
    let found = { odds: null, final: "" };
    if (this.considering || this.sending) return;
    this.considering = true;
    try {
      const answer = await this.live.ask("odds", { action: action.text });
      found = { odds: answer.odds ?? null, final: answer.final ?? "" };
    } catch (error) {
      this.refused(error);
      return;
    } finally {
      this.considering = false;
    }
    // A labelled button that only passes the turn is clear enough, unless units could still act.
    const free = !action.units.length && !action.spaces.length;
    const idle = free && !this.state.actions.some((other) => other.units.length === 1 || other.spaces.length);
    const asks = found.odds || found.final === "dice" || (found.final === "turn" && !idle);
    if (!asks && !ask && !settings.confirm) { this.commit(action); return; }
    this.armed = { action, ...found };
    this.refresh();
    if (found.odds) showOdds(this, action, found.odds);
    $(".prompt .primary", this.el)?.focus({ preventScroll: true });
    announce(`${action.label}? ${found.odds ? "Dice are rolled." : ""} Enter does it, Escape leaves it.`);
  }

  /** @param {Action} action */
  async commit(action) {
    if (this.sending) return;
    this.sending = true;
    this.closeSheet();
    this.armed = null;
    this.busy = "";
    const started = performance.now();
    this.el?.classList.add("sending");
    try {
      await this.live.ask("play", { action: action.text, seq: this.state.seq });
      performance.measure("play", { start: started });
    } catch (error) {
      this.refused(error);
      this.settle();
    } finally {
      this.sending = false;
      this.el?.classList.remove("sending");
    }
  }

  sending = false;
  considering = false;

  /** @param {unknown} error */
  refused(error) {
    const rule = error instanceof Refused ? error.rule : null;
    const text = error instanceof Error ? error.message : String(error);
    toast([text, " ", this.rule(rule)]);
    announce(text, true);
  }

  async undo() {
    if (!this.state?.can_undo || this.past) return;
    try {
      await this.live.ask("undo", { seq: this.state.seq });
    } catch (error) {
      this.refused(error);
    }
  }

  /** @param {{unit?: string, space?: string}} clicked */
  async why(clicked) {
    const text = wouldBe(this.state.actions, this.picks, clicked, this.spaceOf);
    if (!text) return;
    await this.whyNot(text);
  }

  /** @param {string} text */
  async whyNot(text) {
    try {
      const answer = await this.live.ask("why", { action: text });
      if (answer.legal) toast("That is allowed.");
      else { toast([answer.text, " ", this.rule(answer.rule)]); announce(answer.text, true); }
      return answer;
    } catch (error) {
      this.refused(error);
      return null;
    }
  }

  clear() {
    this.picks = NOTHING;
    this.armed = null;
    this.looked = null;
    this.board.fan(null);
    this.closeMenu();
    this.closeSheet();
    const alone = this.mayAct ? onlyUnit(this.state.actions) : null;
    if (alone) this.picks = { units: [alone], spaces: [] };
    this.refresh();
  }

  closeSheet() {
    if (this.sheet && !this.sheet.hidden) { this.sheet.hidden = true; this.el?.classList.remove("with-sheet"); this.board.apply(); }
  }

  refresh() {
    if (this.tools.has("command")) this.drawOverlays();
    this.light();
    this.drawPrompt();
    this.panels.drawChosen();
    this.text.draw();
    this.guide.draw();
  }

  /** @param {string} unit @param {string} space */
  drop(unit, space) {
    if (!this.mayAct) return;
    this.picks = { units: [unit], spaces: [] };
    const spot = this.board.toScreen(this.board.spaces.get(space)?.x ?? 0, this.board.spaces.get(space)?.y ?? 0);
    if (this.spaceOf(unit) === space) { this.refresh(); return; }
    this.clickSpace(space, { touch: false, shift: false, ...spot });
  }

  /** A small menu by the pointer. @param {Action[]} actions @param {{x: number, y: number}} at */
  openChoices(actions, at) {
    if (!this.menu) return;
    const menu = this.menu;
    this.options = actions;
    put(menu, ...actions.slice(0, 12).map((action, index) => h("button", { type: "button", data: { action: action.text }, onclick: () => this.consider(action) }, index < 9 && h("kbd", { "aria-hidden": "true" }, index + 1), action.label)));
    menu.hidden = false;
    const box = this.board.el;
    menu.style.left = `${Math.max(8, Math.min(at.x + 8, box.clientWidth - menu.offsetWidth - 8))}px`;
    menu.style.top = `${Math.max(8, Math.min(at.y + 8, box.clientHeight - menu.offsetHeight - 8))}px`;
    $("button", menu)?.focus({ preventScroll: true });
    announce(`${actions.length} choices: ${actions.map((action, index) => `${index + 1}, ${action.label}`).join("; ")}`);
  }

  /** @type {Action[]} */
  options = [];

  closeMenu() {
    if (this.menu) this.menu.hidden = true;
    this.options = [];
  }

  /** @param {string|null} unit @param {string|null} space @param {number} x @param {number} y */
  hover(unit, space, x, y) {
    clearTimeout(this.hoverTimer);
    if (this.tip) this.tip.hidden = true;
    const picked = this.picks.units[0];
    if (this.mayAct && picked && !this.armed) {
      const costs = this.view.reach?.[picked];
      if (space && costs?.[space] && this.choices().spaces.has(space)) this.board.drawPath(this.way(picked, space, costs));
      else this.board.drawPath(null);
    }
    if (!unit && !space) return;
    this.hoverTimer = window.setTimeout(() => {
      if (!this.tip || !this.state || !this.title) return;
      const piece = unit ? this.piece(unit) : null;
      this.tip.textContent = piece ? pieceLine(piece) : this.spaceLine(space ?? "");
      this.tip.hidden = false;
      this.tip.style.left = `${Math.min(x + 14, this.board.el.clientWidth - this.tip.offsetWidth - 8)}px`;
      this.tip.style.top = `${Math.min(y + 16, this.board.el.clientHeight - this.tip.offsetHeight - 8)}px`;
    }, 250);
  }

  /** @type {number|undefined} */
  hoverTimer;

  /** A place in one line. @param {string} id */
  spaceLine(id) {
    const space = this.board.spaces.get(id);
    if (!space) return id;
    const held = this.view.control?.[id];
    return [this.spaceName(id), [space.terrain ?? []].flat().join(", "), space.vp ? `${space.vp} victory point${space.vp > 1 ? "s" : ""}` : "", held ? `held by ${this.nameOf(held)}` : "", space.status === "reconstructed" ? "reconstructed" : ""].filter(Boolean).join(" · ");
  }

  // Keys that need the map.

  /** The next unit or space that can act. @param {number} by */
  nextUnit(by) {
    if (!this.mayAct) return;
    const { units, spaces } = choose(this.state.actions, NOTHING, this.spaceOf);
    const list = [...units].filter((unit) => this.spaceOf(unit) || true);
    if (!list.length) {
      const places = [...spaces];
      if (!places.length) { $(".prompt .btn:not(.take-back)", this.el)?.focus(); return; }
      const at = places.indexOf(this.board.cursor ?? "");
      this.board.setCursor(places[(at + by + places.length) % places.length]);
      this.readCursor();
      return;
    }
    const now = list.indexOf(this.picks.units[0] ?? this.looked ?? "");
    const unit = list[(now + by + list.length) % list.length];
    this.picks = NOTHING;
    this.armed = null;
    this.closeSheet();
    this.picks = { units: [unit], spaces: [] };
    this.looked = unit;
    const space = this.spaceOf(unit);
    if (space) this.board.setCursor(space);
    this.refresh();
    const piece = this.piece(unit);
    announce(`${piece ? pieceLine(piece) : unit}${space ? `, in ${this.spaceName(space)}` : ""}. ${this.choices().fits.length} actions.`);
  }

  readCursor() {
    const id = this.board.cursor;
    if (!id) return;
    const stack = this.board.stacks.get(id) ?? [];
    const { spaces } = this.choices();
    const unit = this.picks.units[0];
    const cost = unit ? this.view.reach?.[unit]?.[id] : null;
    announce(`${this.spaceLine(id)}. ${stack.length ? stack.map((piece) => pieceLine(piece)).join("; ") : "Empty"}. ${spaces.has(id) ? `May be chosen${cost ? `, ${cost}` : ""}.` : ""}`);
  }

  enter() {
    if (this.armed) { this.commit(this.armed.action); return; }
    const id = this.board.cursor;
    if (!id) { this.board.walk(0, 0); this.readCursor(); return; }
    const space = this.board.spaces.get(id);
    const at = this.board.toScreen(space?.x ?? 0, space?.y ?? 0);
    const { spaces, units } = this.choices();
    const how = { touch: false, shift: false, ...at };
    if (spaces.has(id)) { this.clickSpace(id, how); return; }
    const stack = this.board.stacks.get(id) ?? [];
    const lit = stack.filter((piece) => units.has(piece.id));
    if (lit.length > 1) { this.chooseUnit(lit); return; }
    if (lit.length) { this.looked = lit[0].id; const next = pickUnit(this.state.actions, this.picks, lit[0].id, this.spaceOf); if (next) this.pick(next, how); return; }
    this.clickSpace(id, how);
  }

  /** Several units to act in one space. @param {Piece[]} pieces */
  chooseUnit(pieces) {
    const box = dialog("Which unit?", h("div", { class: "choice-list" }, pieces.map((piece, at) => h("button", { type: "button", class: "choice", data: { digit: at + 1 }, onclick: () => { box.close(); this.board.el.focus(); this.looked = piece.id; const next = pickUnit(this.state.actions, this.picks, piece.id, this.spaceOf); if (next) this.pick(next, { touch: false, shift: false, x: 40, y: 40 }); } }, counterPicture(piece, 40), h("span", { class: "grow" }, pieceLine(piece)), h("kbd", null, at + 1)))));
  }

  async oddsNow() {
    if (this.armed?.odds) { showOdds(this, this.armed.action, this.armed.odds); return; }
    const { exact, fits, free } = this.choices();
    for (const action of [...exact, ...(this.picks.units.length ? fits : []), ...free]) {
      const answer = await this.live.ask("odds", { action: action.text }).catch(() => null);
      if (answer?.odds) { this.armed = { action, odds: answer.odds, final: "dice" }; this.picks = { units: action.units, spaces: action.spaces }; this.refresh(); showOdds(this, action, answer.odds); return; }
    }
    toast("No dice are rolled by what you have chosen. Choose an attack first.");
  }

  placing = false;

  /** Let a recruit set up what is still to be placed; it stops at the first real decision. */
  async placeRest() {
    if (this.placing) { this.placing = false; return; }
    this.placing = true;
    try {
      while (this.placing && this.mayAct && this.state.actions.every((action) => /^(place|setup|post)$/.test(action.kind))) {
        const seq = this.state.seq;
        const advice = await this.live.ask("hint", { level: "recruit" });
        await this.live.ask("play", { action: advice.action, seq });
        for (let i = 0; i < 100 && (this.state.seq === seq || this.draining); i++) await new Promise((resolve) => setTimeout(resolve, 15));
      }
    } catch (error) {
      this.refused(error);
    } finally {
      this.placing = false;
      this.settle();
    }
  }

  async hint() {
    if (!this.mayAct) { toast("Hints come when it is your decision."); return; }
    this.busy = "Asking for advice …";
    toast("Asking for advice …", 60000);
    try {
      const answer = await this.live.ask("hint", {});
      const action = this.state.actions.find((each) => each.text === answer.action);
      this.busy = "";
      $(".toast")?.remove();
      const box = dialog("Advice", h("div", null, h("p", null, h("b", null, action?.label ?? answer.action)), h("p", null, answer.reason || "It looks best from here."), h("div", { class: "row" }, button("Close", () => box.close()), action && button("Choose it", () => { box.close(); this.armQuietlyFor(action); }, { cls: "primary" }))));
    } catch (error) {
      this.busy = "";
      this.refused(error);
    }
  }

  /** @param {Action} action */
  armQuietlyFor(action) {
    this.picks = { units: action.units, spaces: action.spaces };
    this.consider(action, true);
  }

  // Looking.

  firstLook() {
    const board = this.board;
    if ((board.areas && innerWidth >= 700) || !board.el.clientWidth) { board.fit(); return; }
    const me = this.me;
    const { units, spaces } = this.choices();
    const focus = [...units].map((unit) => this.spaceOf(unit)).concat([...spaces]).map((id) => board.spaces.get(id ?? "")).filter((space) => !!space);
    const own = (this.view.pieces ?? []).filter((piece) => piece.space && (!me || piece.side === me)).map((piece) => board.spaces.get(piece.space ?? "")).filter((space) => !!space);
    const list = focus.length ? focus : own;
    const H = innerWidth < 700 ? 54 : innerWidth > 2200 ? 74 : 60;
    const scale = Math.max(H / board.hex, board.fitScale());
    if (!list.length) { board.centre(board.data.width / 2, board.data.height / 2, scale); return; }
    const middle = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
    board.centre(middle(list.map((space) => space.x)), middle(list.map((space) => space.y)), scale);
  }

  look() {
    if (!this.overview || this.overview.hidden) return;
    const a = this.board.toBoard(0, 0);
    const b = this.board.toBoard(this.board.el.clientWidth, this.board.el.clientHeight);
    for (const each of this.overview.querySelectorAll(".window")) for (const [key, value] of Object.entries({ x: a.x, y: a.y, width: b.x - a.x, height: b.y - a.y })) each.setAttribute(key, String(value));
    const all = a.x <= 0 && a.y <= 0 && b.x >= this.board.data.width && b.y >= this.board.data.height;
    this.overview.classList.toggle("useless", all);
  }

  /** @param {boolean} [anew] */
  drawOverview(anew = false) {
    const box = this.overview;
    if (!box || this.board.areas || innerWidth < 700) return;
    box.hidden = false;
    const { width, height } = this.board.data;
    if (!box.firstChild || anew) {
      const NS = "http://www.w3.org/2000/svg";
      const svg = document.createElementNS(NS, "svg");
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.setAttribute("preserveAspectRatio", "xMidYMid meet");
      const make = (/** @type {string} */ tag, /** @type {Record<string, any>} */ props) => { const el = document.createElementNS(NS, tag); for (const [key, value] of Object.entries(props)) el.setAttribute(key, String(value)); svg.append(el); return el; };
      make("image", { href: `/api/titles/${this.title.id}/relief.webp?theme=${theme()}`, width, height, preserveAspectRatio: "none" });
      make("g", { class: "dots" });
      make("rect", { class: "window back", fill: "none" });
      make("rect", { class: "window", fill: "none" });
      put(box, svg);
      box.style.aspectRatio = `${width} / ${height}`;
    }
    const dots = /** @type {Element} */ (box.querySelector(".dots"));
    const r = Math.max(width, height) / 90;
    dots.innerHTML = [...this.board.stacks].map(([id, stack]) => {
      const space = this.board.spaces.get(id);
      return space ? `<rect x="${space.x - r / 2}" y="${space.y - r / 2}" width="${r}" height="${r}" rx="${stack[0].side === "axis" ? 0 : r / 2}" class="${stack[0].side}"/>` : "";
    }).join("");
    this.look();
  }

  /** @param {MouseEvent} event */
  jump(event) {
    const box = this.overview?.getBoundingClientRect();
    if (!box || !event.clientX) { this.board.fit(); return; }
    this.board.centre(((event.clientX - box.left) / box.width) * this.board.data.width, ((event.clientY - box.top) / box.height) * this.board.data.height);
  }

  find() {
    const results = h("div", { class: "choice-list" });
    const field = h("input", { type: "text", placeholder: "Unit or place", "aria-label": "Unit or place", oninput: () => search() });
    const search = () => {
      const wanted = field.value.trim().toLowerCase();
      const found = wanted ? [
        ...(this.view.pieces ?? []).filter((piece) => piece.space && `${piece.id} ${piece.name ?? ""} ${piece.formation ?? ""}`.toLowerCase().includes(wanted)).map((piece) => ({ text: `${pieceLine(piece)}, ${this.spaceName(piece.space ?? "")}`, space: piece.space ?? "", unit: piece.id })),
        ...this.board.data.spaces.filter((space) => `${space.id} ${space.name ?? ""}`.toLowerCase().includes(wanted)).map((space) => ({ text: this.spaceLine(space.id), space: space.id, unit: null })),
      ].slice(0, 12) : [];
      put(results, ...found.map((each) => h("button", { type: "button", class: "choice", onclick: () => { box.close(); this.goTo(each.space, each.unit); } }, each.text)));
    };
    const box = dialog("Find", h("div", null, field, results));
    field.focus();
    field.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter") $(".choice", results)?.click(); });
  }

  /** @param {string} space @param {string|null} [unit] */
  goTo(space, unit = null) {
    const at = this.board.spaces.get(space);
    if (!at) return;
    this.board.centre(at.x, at.y, Math.max(this.board.scale, Math.min(54 / this.board.hex, 2)));
    this.board.setCursor(space);
    this.looked = unit ?? this.looked;
    this.refresh();
    this.board.el.focus();
    this.readCursor();
  }

  // Around the game.

  openMenu() {
    const link = `${location.origin}/${gameUrl(this.id)}`;
    const playing = !this.state.outcome && this.state.you;
    const item = (/** @type {string} */ sign, /** @type {string} */ text, /** @type {() => void} */ act) => h("button", { type: "button", class: "choice", onclick: () => { box.close(); act(); } }, icon(sign), h("span", { class: "grow" }, text));
    const box = dialog("Menu", h("div", { class: "menu-grid" },
      item("hint", "Ask for advice", () => this.hint()),
      item("book", "Guided first turn", () => this.guide.restart()),
      item("help", "Keys", () => keysHelp()),
      item("gear", "Settings", () => openSettings(this)),
      item("link", "Links to the seats", () => this.seatLinks()),
      item("eye", "Copy a link to watch", () => copy(link)),
      item("dl", "Record of the game", () => { window.open(`/api/games/${this.id}/record${this.seat ? `?seat=${this.seat}` : ""}`); }),
      item("branch", "Sandbox from here", () => this.branch(this.state.seq)),
      playing && item("shield", "Offer a draw", () => this.live.ask("offer", { what: "draw" }).then(() => toast("A draw is offered."), (error) => this.refused(error))),
      playing && item("flag", "Resign", () => this.resign()),
      this.state.outcome && item("play", "Report", () => openReport(this)),
      item("fwd", "Front page", () => { location.hash = "#/"; })));
  }

  resign() {
    const box = dialog("Resign?", h("div", null, h("p", null, "The game ends at once and the other side wins."), h("div", { class: "row" }, button("Play on", () => box.close()), button("Resign", () => { box.close(); this.live.ask("resign", {}).catch((error) => this.refused(error)); }, { cls: "primary" }))));
  }

  seatLinks() {
    const known = mySeats().find((each) => each.game === this.id);
    const rows = Object.entries(known?.seats ?? {}).map(([side, token]) => {
      const url = `${location.origin}/${gameUrl(this.id, token)}`;
      return h("div", { class: "row seat-link" }, mark(side), h("b", null, this.nameOf(side)), h("input", { type: "text", readonly: true, value: url, "aria-label": `Link to the ${this.nameOf(side)} seat` }), button("Copy", () => copy(url), { cls: "small" }));
    });
    dialog("Links to the seats", h("div", null, h("p", null, "Whoever has a link can play that side. Send the other side's link to your friend; keep yours."), rows.length ? rows : h("p", null, "This browser holds no seat of this game."), h("p", { class: "mut" }, "To watch only: ", `${location.origin}/${gameUrl(this.id)}`)));
  }

  drawOffers() {
    const offers = this.state.offers ?? {};
    const [what, by] = Object.entries(offers).find(([, side]) => side !== this.state.you && this.state.you !== "both") ?? [];
    const old = $(".offer", this.el);
    if (!what || !this.state.you) { old?.remove(); return; }
    if (old) return;
    const answer = (/** @type {boolean} */ yes) => this.live.ask("answer", { what, yes }).then((result) => { $(".offer", this.el)?.remove(); if (result.rematch) location.hash = gameUrl(result.rematch, this.seat); }, (error) => this.refused(error));
    this.el?.append(h("div", { class: "offer on-map", role: "alertdialog", "aria-label": "Offer" }, h("span", null, `${this.nameOf(/** @type {string} */ (by))} offers a ${what}.`), button("Decline", () => answer(false), { cls: "small" }), button("Accept", () => answer(true), { cls: "small primary" })));
  }

  /** @param {number} at */
  async branch(at) {
    const levels = ["yourself", "recruit", "officer", "general"];
    const pick = h("select", { "aria-label": "Against" }, levels.map((level) => h("option", { value: level }, capital(level))));
    const side = h("select", { "aria-label": "You play" }, this.title.sides.map((each) => h("option", { value: each, selected: each === this.me }, this.nameOf(each))));
    const box = dialog("Sandbox", h("div", null, h("p", null, `A copy of the game at line ${at}, to try things out. The real game stays as it is.`), h("label", { class: "field" }, h("span", null, "Against"), pick), h("label", { class: "field" }, h("span", null, "You play"), side),
      h("div", { class: "row" }, button("Cancel", () => box.close()), button("Open the sandbox", async () => {
        const level = pick.value;
        const seats = Object.fromEntries(this.title.sides.map((each) => [each, level !== "yourself" && each !== side.value ? { kind: "opponent", level } : { kind: "human" }]));
        try {
          const made = await api(`games/${this.id}/branch`, { at, seats, seat: this.seat || undefined });
          box.close();
          keepSeat({ game: made.game, title: this.title.id, seats: made.seats, mode: "sandbox", at: Date.now() });
          location.hash = gameUrl(made.game, made.seats[side.value] ?? Object.values(made.seats)[0]);
        } catch (error) {
          box.close();
          this.refused(error);
        }
      }, { cls: "primary", icon: "branch" }))));
  }
}

/** A unit in one line. @param {Piece} piece */
export function pieceLine(piece) {
  const ratings = Object.entries(piece.ratings ?? {}).map(([label, value]) => `${label} ${value}`).join(", ");
  const steps = piece.full_steps ? `${piece.steps ?? 0} of ${piece.full_steps} steps` : "";
  return [piece.name && piece.name !== piece.id ? `${piece.id} ${piece.name}` : piece.id, ratings, steps, (piece.states ?? []).join(", ")].filter(Boolean).join(" · ");
}

/** The words that some labels begin with. @param {string[]} labels */
function common(labels) {
  const words = labels[0].split(" ");
  let count = 0;
  while (count < words.length - 1 && labels.every((label) => label.split(" ")[count] === words[count])) count += 1;
  return count ? words.slice(0, count).join(" ").replace(/[,:]$/, "") : capital(words[0]);
}

/** @param {any} clock */
function clockText(clock) {
  const ms = typeof clock === "number" ? clock : clock?.left ?? clock?.ms ?? 0;
  const seconds = Math.max(0, Math.round(ms > 1e6 ? ms / 1000 : ms));
  const days = Math.floor(seconds / 86400);
  if (days > 1) return `${days} days`;
  const hours = Math.floor(seconds / 3600);
  return hours ? `${hours}:${String(Math.floor((seconds % 3600) / 60)).padStart(2, "0")} h` : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** @param {string} text */
export function copy(text) {
  navigator.clipboard?.writeText(text).then(() => toast("Copied."), () => toast(text, 20000)) ?? toast(text, 20000);
}

/** @param {Play|null} play */
export function openSettings(play) {
  const pick = (/** @type {string} */ label, /** @type {string} */ name, /** @type {[any, string][]} */ values) => h("label", { class: "field" }, h("span", null, label), h("select", { onchange: /** @param {Event} event */ (event) => { const raw = /** @type {HTMLSelectElement} */ (event.target).value; change({ [name]: JSON.parse(raw) }); play?.render(); } }, values.map(([value, word]) => h("option", { value: JSON.stringify(value), selected: /** @type {any} */ (settings)[name] === value }, word))));
  dialog("Settings", h("div", null,
    pick("Colours", "theme", [["system", "As the system has them"], ["day", "Day"], ["night", "Night"]]),
    pick("Dice and moves of the other side", "speed", [[0, "At once"], [0.5, "Fast"], [1, "Normal"], [2, "Slow"]]),
    pick("Before a move that can be taken back", "confirm", [[false, "Move at one click"], [true, "Ask every time"]]),
    pick("The map follows the other side's moves", "follow", [[true, "Yes"], [false, "No"]]),
    reducedMotion() ? h("p", { class: "mut" }, "Your system asks for little motion: moves jump and leave a trail.") : null));
}

export { siblings };
