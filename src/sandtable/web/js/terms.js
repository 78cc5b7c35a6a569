// Words of the trade: the first time a text uses one it can be asked what it means. The words come with the guide of a title.

import { announce, h } from "./dom.js";

/** @typedef {import("./play.js").Play} Play */
/** A word with other ways to say it, what it means, and where the rules say so. @typedef {{word: string, also?: string[], text: string, rule?: string}} Term */

export class Terms {
  constructor() {
    /** @type {Map<string, Term>} */
    this.known = new Map();
    /** @type {RegExp|null} */
    this.pattern = null;
    /** Results as tables print them, in words. @type {Record<string, string>} */
    this.codes = {};
    this.card = h("div", { class: "term-card", popover: "auto" });
  }

  /** @param {Term[]} list */
  learn(list) {
    this.known = new Map(list.flatMap((term) => [term.word, ...(term.also ?? [])].map((word) => [word.toLowerCase(), term])));
    const words = [...this.known.keys()].sort((a, b) => b.length - a.length).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    // Short forms in capitals are no other words: AP is not "ap".
    this.pattern = words.length ? new RegExp(`(?<![\\w-])(?:${words.join("|")})(?![\\w-])`, "gi") : null;
  }

  /** A text whose words of the trade can be clicked, and whose result of a table is said in words. @param {Play} play @param {string} text @param {boolean} [plainly] without such words @returns {(string|HTMLElement)[]} */
  mark(play, text, plainly = false) {
    const [, head, code, end] = /^(.*: |)(\S+?)(\.?)$/.exec(text) ?? [];
    const words = this.codes[code ?? ""];
    if (words && words !== code) return [`${head}${words} `, h("small", { class: "code", title: "as the table prints it" }, code), end];
    const said = text.replace(/\(([^()\s]+)\)/g, (all, each) => (this.codes[each] ? `(${this.codes[each]})` : all));
    return plainly ? [said] : this.words(play, said);
  }

  /** The same without marks, to be read aloud. @param {string} text */
  plain(text) {
    const [, head, code, end] = /^(.*: |)(\S+?)(\.?)$/.exec(text) ?? [];
    return this.codes[code ?? ""] ? `${head}${this.codes[code]}${end}` : text;
  }

  /** @param {Play} play @param {string} text @returns {(string|HTMLElement)[]} */
  words(play, text) {
    if (!this.pattern || !text) return [text];
    /** @type {(string|HTMLElement)[]} */
    const parts = [];
    const seen = new Set();
    let from = 0;
    for (const found of text.matchAll(this.pattern)) {
      const term = this.known.get(found[0].toLowerCase());
      const short = [term?.word ?? "", ...(term?.also ?? [])].find((word) => word.toLowerCase() === found[0].toLowerCase());
      if (!term || seen.has(term) || (short && /^[A-Z]{2,4}$/.test(short) && found[0] !== short)) continue;
      seen.add(term);
      parts.push(text.slice(from, found.index), this.word(play, found[0], term));
      from = (found.index ?? 0) + found[0].length;
    }
    parts.push(text.slice(from));
    return parts;
  }

  /** @param {Play} play @param {string} said @param {Term} term */
  word(play, said, term) {
    const button = h("button", { type: "button", class: "term", title: term.text, "aria-label": `${said}: what is that?`, onclick: /** @param {Event} event */ (event) => { event.stopPropagation(); this.show(play, button, term); } }, said);
    return button;
  }

  /** @param {Play} play @param {HTMLElement} by @param {Term} term */
  show(play, by, term) {
    const card = this.card;
    if (!card.isConnected) document.body.append(card);
    card.replaceChildren(h("b", null, term.word), h("p", null, term.text, " "), ...(term.rule ? [h("span", { class: "row" }, h("span", { class: "mut" }, "The rule:"), /** @type {Node} */ (play.rule(term.rule)))] : []));
    card.showPopover();
    const at = by.getBoundingClientRect();
    const above = at.top > innerHeight / 2;
    card.style.left = `${Math.max(8, Math.min(at.left, innerWidth - card.offsetWidth - 8))}px`;
    card.style.top = `${above ? at.top - card.offsetHeight - 6 : at.bottom + 6}px`;
    announce(`${term.word}. ${term.text}`);
  }
}
