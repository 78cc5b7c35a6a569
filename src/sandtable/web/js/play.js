// A game on the screen: what the server says, what the player picks, and what is sent back.

import { $, announce, capital, h, toast } from "./dom.js";
import { cached, keepTurn, mySeats, recall, shortName } from "./api.js";
import { drawGround, fetchArt, fetchMap, remember } from "./fetching.js";
import { receive } from "./messages.js";
import { followBattle } from "./battle.js";
import { checkVersion, connection } from "./connection.js";
import { Board } from "./board.js";
import { choose, NOTHING, onlyUnit } from "./choices.js";
import { Live, Refused } from "./live.js";
import { keyboard } from "./keys.js";
import { openReport } from "./report.js";
import { Panels } from "./panels.js";
import { Playback } from "./playback.js";
import { Scrubber } from "./scrubber.js";
import { TextView } from "./textview.js";
import { Guide } from "./guide.js";
import { readable } from "./logbook.js";
import { comeBack, saw } from "./since.js";
import { Terms } from "./terms.js";
import { tidy } from "./words.js";
import { build, drawRail, drawTop, textView } from "./frame.js";
import { drawOverlays, light } from "./lights.js";
import { drawPrompt } from "./prompt.js";
import { clear, clickSpace, clickUnit, clickUnitCard, commit, drop } from "./choosing.js";
import { hover } from "./pointing.js";
import { bringChoices, drawOverview, firstLook, keepInSight, look } from "./looking.js";
import { drawOffers } from "./around.js";
import { closeAdvice, placeAdvice } from "./advice.js";
import { thinkingOnce } from "./thinking.js";
import { decides } from "./words.js";

/** @typedef {import("./types.js").Action} Action */
/** @typedef {import("./types.js").Piece} Piece */
/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").GameState} GameState */
/** @typedef {import("./types.js").LogLine} LogLine */
/** @typedef {import("./types.js").TitleInfo} TitleInfo */
/** @typedef {import("./types.js").Rule} Rule */
/** @typedef {import("./types.js").Odds} Odds */
/** @typedef {import("./types.js").Sheet} Sheet */
/** @typedef {import("./types.js").Leg} Leg */

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
    /** @type {{action: Action, odds: Odds|null, sheet: Sheet|null, final: string, rolls: string[]}|null} */
    this.armed = null;
    /** A battle that is being put together: "shown" while its sheet lies open, "hidden" if it was closed. */
    this.battle = "";
    /** The fight whose odds lie open. @type {Sheet|null} */
    this.fight = null;
    /** @type {string|null} */
    this.looked = null;
    /** @type {Set<string>} */
    this.tools = new Set(recall("tools", ["reach"]));
    /** What is being played back. @type {{by: string, text: string}|null} */
    this.playing = null;
    this.ended = false;
    /** The position whose choices were brought into sight. */
    this.brought = -1;
    /** Who decided when the page was last drawn; null if it was not this player. @type {string|null|undefined} */
    this.decided = undefined;
    /** @type {{at: number, view: View, log: LogLine[]}|null} */
    this.past = null;
    /** @type {any[]} */
    this.queue = [];
    /** @type {Promise<void>|null} */
    this.drained = null;
    /** What happened while the player was away: after one line, until another. @type {{after: number, until: number}|null} */
    this.missed = null;
    this.tab = "map";
    this.wasLost = false;
    this.sending = false;
    this.considering = false;
    this.placing = false;
    /** What was advised and lies beside the map. @type {import("./advice.js").Advice|null} */
    this.advice = null;
    /** Whether what is confirmed was chosen on the map. */
    this.fromMap = false;
    /** What happened since it was last told to who listens, and what was asked then. @type {{text: string, headline: boolean}[]} */
    this.heard = [];
    this.asked = "";
    /** What the menu by the pointer offers. @type {Action[]} */
    this.options = [];
    /** @type {number|undefined} */
    this.hoverTimer = undefined;
    /** Ways of moves that were asked for in the position of `waysAt`. @type {Map<string, Promise<Leg[]>>} */
    this.ways = new Map();
    this.waysAt = -1;
    /** The move whose way is shown. */
    this.aimed = "";
    /** @type {number|undefined} */
    this.aimTimer = undefined;
    /** When the opponent began to think. */
    this.thinksSince = performance.now();
    /** @type {number|undefined} */
    this.thinkTimer = undefined;
    /** @type {string|undefined} */
    this.version = undefined;

    this.el = h("div", { class: "game", data: { tab: "map" } });
    this.top = h("header", { class: "top" });
    this.notice = h("div", { class: "notice", role: "status", hidden: true });
    this.rail = h("nav", { class: "rail", "aria-label": "Map tools" });
    this.tip = h("div", { class: "tip", hidden: true, "aria-hidden": "true" });
    this.menu = h("div", { class: "menu on-map", hidden: true });
    this.legend = h("div", { class: "legend on-map", hidden: true });
    this.prompt = h("section", { id: "prompt", class: "prompt", "aria-label": "What to do" });
    this.sheet = h("aside", { class: "sheet", hidden: true, "aria-label": "Odds" });
    this.hand = h("section", { class: "hand on-map", hidden: true, "aria-label": "In hand" });
    this.overview = h("button", {
      type: "button",
      class: "overview on-map",
      "aria-label": "Overview: show the whole map",
      hidden: true,
    });
    this.tabs = h("nav", { class: "tabs", "aria-label": "Parts of the game" });

    this.board = new Board({
      unit: (id, how) => clickUnit(this, id, how),
      space: (id, how) => clickSpace(this, id, how),
      drop: (unit, space) => drop(this, unit, space),
      hover: (unit, space, x, y) => hover(this, unit, space, x, y),
      mayDrag: (unit) =>
        this.mayAct && this.choices().fits.some((action) => action.units.includes(unit) && action.spaces.length > 0),
      look: () => look(this),
    });
    this.panels = new Panels(this);
    this.playback = new Playback(this);
    this.scrubber = new Scrubber(this);
    this.text = new TextView(this);
    this.guide = new Guide(this);
    this.terms = new Terms();
    build(this);
    const known = mySeats().find((each) => each.game === game)?.title;
    if (known) for (const part of fetchMap(known)) part.catch(() => {});
    this.unbind = keyboard(this);
    this.onTheme = () => drawGround(this);
    addEventListener("themechange", this.onTheme);
    this.onSight = () => {
      if (document.hidden || !this.title || this.draining) return;
      comeBack(this);
      this.settle();
    };
    document.addEventListener("visibilitychange", this.onSight);
    this.live = new Live(game, seat, {
      message: (message) => receive(this, message),
      status: (status, tries) => connection(this, status, tries),
    });
    /** @type {any} */ (window).sandtable = this;
  }

  leave() {
    this.live.end();
    this.terms.card.remove();
    this.unbind();
    removeEventListener("themechange", this.onTheme);
    document.removeEventListener("visibilitychange", this.onSight);
    this.playback.stop();
    clearTimeout(this.thinkTimer);
  }

  // What the server says.

  /** @param {any} message */
  async begin(message) {
    const first = !this.state;
    this.state = message;
    this.thinksFrom(message);
    this.log = message.log ?? [];
    this.past = null;
    this.forget();
    const id = message.view.title;
    if (first) {
      const [title, data, svg] = await Promise.all([...fetchMap(id), fetchArt(this, message.view.pieces ?? [])]);
      this.title = title;
      this.terms.codes = title.meanings ?? {};
      cached(`titles/${id}/rules`).then((rules) => {
        this.rules = new Map(rules.map((/** @type {Rule} */ rule) => [rule.number, rule]));
        this.panels.draw();
      });
      this.guide.load().then(() => {
        this.terms.learn(this.guide.words);
        drawPrompt(this);
        this.panels.draw();
      });
      this.board.load(data, svg);
      document.title = `${shortName(title.name)} · Sandtable`;
      remember(this);
      drawRail(this);
      this.board.setPieces(this.state.view.pieces ?? []);
      firstLook(this);
      performance.mark("board");
      setTimeout(() => checkVersion(this), 3000);
      if (recall("text", false)) textView(this, true);
      this.guide.begin();
    } else await fetchArt(this, message.view.pieces ?? []);
    if (first) {
      announce(`${shortName(this.title.name)}. ${this.view.turn}. ${this.state.you && this.state.you !== "both" ? `You are the ${this.nameOf(this.state.you)}.` : ""}`);
      if (document.activeElement === document.body && !this.text.on) this.board.el.focus({ preventScroll: true });
    }
    comeBack(this);
    this.settle();
    this.board.el.dataset.ready = "yes";
  }

  /** An opponent may have thought for a while when its game is opened. @param {{thinking?: {elapsed?: number}|null}} message */
  thinksFrom({ thinking }) {
    this.thinksSince = performance.now() - 1000 * (thinking?.elapsed ?? 0);
  }

  /** Updates are shown one after another, in order. */
  drain() {
    if (!this.past) this.scrubber.tell();
    this.drained ??= this.showQueue().finally(() => {
      this.drained = null;
      this.playing = null;
      this.playback.hurried = false;
      this.settle();
    });
  }

  /** While something is played back: complete it, then go on. Returns false if nothing was. @param {() => void} then */
  afterPlayback(then) {
    if (!this.drained) return false;
    this.playback.hurry();
    this.drained.then(then);
    return true;
  }

  get draining() {
    return !!this.drained;
  }

  async showQueue() {
    while (this.queue.length) {
      await this.playback.unpaused();
      const message = this.queue.shift();
      // Who only watches misses nothing, unless it becomes too much to keep.
      const behind = this.queue.length > (this.state.you ? 12 : 300);
      try {
        await fetchArt(this, message.view.pieces ?? []);
        if (!this.past && !behind) await this.playback.show(message);
        else this.playback.banner((message.events ?? []).filter((/** @type {import("./types.js").GameEvent} */ event) => event.headline).map((/** @type {import("./types.js").GameEvent} */ event) => event.text));
      } catch (error) {
        console.error(error);
      }
      this.note(message);
      // A state that came meanwhile, after a lost line, is newer than what was played back.
      if (message.seq > this.state.seq) this.absorb(message);
      // What was placed, lost or taken shows at once, not only when everything has been played back.
      if (this.queue.length && this.playing && !this.past) {
        this.board.setPieces(this.view.pieces ?? []);
        drawTop(this);
        drawOverlays(this);
        if (!this.state.you) {
          saw(this);
          this.panels.draw();
          this.scrubber.draw();
        }
      }
    }
  }

  /** The position is another one: what was picked in the old one means nothing now. */
  forget() {
    closeAdvice(this, true);
    this.picks = NOTHING;
    this.armed = null;
    this.looked = null;
    this.tip.hidden = true;
    clearTimeout(this.hoverTimer);
    this.board.fan(null);
  }

  /** The sentences of an update go into the log, once. @param {any} message */
  note(message) {
    if (this.log.some((line) => line.seq === message.seq)) return;
    const { seq, by } = message;
    for (const { text, rule, kind, only, march, aside, opens } of message.events ?? []) this.log.push({ seq, text, rule, kind, by, only, march, aside, opens });
    if (message.reason) this.log.push({ seq, text: message.reason, kind: "Reason", by });
    this.log.sort((a, b) => a.seq - b.seq);
  }

  /** @param {any} message */
  absorb(message) {
    if (message.undone) this.log = this.log.filter((line) => line.seq !== message.undone);
    const keepFields = ["seq", "view", "actions", "can_undo", "outcome", "ladder", "offers", "clocks"];
    for (const field of keepFields) if (field in message) /** @type {any} */ (this.state)[field] = message[field];
    this.forget();
    const { seq, by } = message;
    if (by && by !== this.state.you && this.state.you !== "both") this.decided = null;
    if (by && (by === this.state.you || this.state.you === "both")) $(".toast:not(.failure)")?.remove();
    const spoken = readable((message.events ?? []).map((/** @type {any} */ event) => ({ ...event, seq, by }))).map((line) => this.terms.plain(line.text)).join(" ");
    if (spoken) this.heard.push({ text: spoken, headline: message.events.some((/** @type {any} */ event) => event.headline) });
    this.guide.happened(message);
  }

  /** Everything is as the server says: draw it. */
  /** To a screen reader: what happened, the newest if it was much, then what is asked now. */
  tell() {
    // A turn or a phase that began is told even among many things.
    const told = this.heard.filter((each, at) => each.headline || at >= this.heard.length - 8);
    const more = this.heard.length - told.length;
    if (told.length) announce(`${more ? `${more} more things happened, see the log. ` : ""}${told.map((each) => each.text).join(" ")}`, true);
    this.heard = [];
    const asks = this.state.outcome ? "" : this.mayAct ? `${this.view.prompt} ${this.view.caution ?? ""}`.trim() : thinkingOnce(this) || `${decides(this.nameOf(this.view.actor))}.`;
    if (asks && asks !== this.asked) announce(asks);
    this.asked = asks;
  }

  settle() {
    if (!this.title) return;
    this.playback.makeRoom();
    const alone = this.mayAct ? onlyUnit(this.state.actions) : null;
    if (alone && !this.picks.units.length) this.picks = { units: [alone], spaces: [] };
    this.render();
    saw(this);
    keepTurn(this.id, this.state.view.turn);
    this.tell();
    bringChoices(this);
    keepInSight(this);
    if (this.battle) followBattle(this);
    if (this.state.outcome && !this.ended) {
      this.ended = true;
      remember(this);
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
    return side ? (this.title?.side_names[side] ?? capital(side)) : "";
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
    // Who alone may act lies on top of its stack.
    const alone = this.mayAct ? onlyUnit(this.state.actions) : null;
    const pieces = this.view.pieces ?? [];
    this.board.setPieces(alone ? [...pieces.filter((piece) => piece.id === alone), ...pieces.filter((piece) => piece.id !== alone)] : pieces);
    this.el.classList.toggle("looks-back", !!this.past);
    drawTop(this);
    drawOverlays(this);
    light(this);
    drawPrompt(this);
    this.panels.draw();
    this.scrubber.draw();
    this.text.draw();
    placeAdvice(this);
    drawOverview(this);
    drawOffers(this);
    this.guide.draw();
  }

  /** A sentence as a player reads it, its words of the trade explained on a click. @param {string} text @param {boolean} [plainly] without such words */
  sentence(text, plainly = false) {
    return this.terms.mark(this, tidy(this, text), plainly);
  }

  /** A rule number that opens its rule. @param {string|null|undefined} number */
  rule(number) {
    if (!number) return null;
    const rule = this.rules.get(number);
    return h(
      "button",
      {
        type: "button",
        class: "rule",
        title: rule ? rule.heading : `Rule ${number}`,
        "aria-label": `Rule ${number}${rule ? `, ${rule.heading}` : ""}`,
        onclick: /** @param {Event} event */ (event) => {
          event.stopPropagation();
          this.panels.openRule(number);
        },
      },
      number,
    );
  }

  // What tests and the console may do.

  /** @param {Action} action */
  commit(action) {
    return commit(this, action);
  }

  clear() {
    clear(this);
  }

  /** @param {string} unit */
  clickUnitCard(unit) {
    clickUnitCard(this, unit);
  }

  /** @param {unknown} error */
  refused(error) {
    const rule = error instanceof Refused ? error.rule : null;
    const text = error instanceof Error ? error.message : String(error);
    // What names a rule begins with a name as it is printed.
    toast([rule ? text : capital(text), " ", this.rule(rule)]);
  }

  refresh() {
    if (this.tools.has("command")) drawOverlays(this);
    light(this);
    drawPrompt(this);
    this.panels.drawChosen();
    this.text.draw();
    this.guide.draw();
    keepInSight(this);
  }
}
