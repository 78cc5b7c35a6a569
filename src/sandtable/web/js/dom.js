// Small helpers to build elements. No framework: the page is a few hundred nodes and a map.

/** @typedef {Node|string|number|false|null|undefined|any[]} Child */

/**
 * An element with attributes, listeners (onclick: fn) and children.
 * @param {string} tag
 * @param {Record<string, any>|null} [props]
 * @param {...Child} children
 * @returns {HTMLElement & Record<string, any>}
 */
export function h(tag, props, ...children) {
  const el = document.createElement(tag);
  set(el, props);
  fill(el, children);
  return el;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * An SVG element.
 * @param {string} tag
 * @param {Record<string, any>|null} [props]
 * @param {...Child} children
 * @returns {SVGElement & Record<string, any>}
 */
export function s(tag, props, ...children) {
  const el = document.createElementNS(SVG, tag);
  set(el, props);
  fill(el, children);
  return /** @type {any} */ (el);
}

/** @param {Element} el @param {Record<string, any>|null|undefined} props */
function set(el, props) {
  for (const [key, value] of Object.entries(props ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (key === "style") {
      const { style } = /** @type {HTMLElement} */ (el);
      for (const [name, wanted] of Object.entries(value)) if (name.startsWith("--")) style.setProperty(name, wanted); else /** @type {any} */ (style)[name] = wanted;
    }
    else if (key === "data") for (const [k, v] of Object.entries(value)) /** @type {HTMLElement} */ (el).dataset[k] = String(v);
    else if (key.startsWith("on")) el.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked") /** @type {any} */ (el)[key] = value;
    else el.setAttribute(key, value === true ? "" : String(value));
  }
}

/** @param {Element} el @param {Child[]} children */
function fill(el, children) {
  for (const child of children) {
    if (child === false || child === null || child === undefined) continue;
    if (Array.isArray(child)) fill(el, child);
    else el.append(child instanceof Node ? child : String(child));
  }
}

/** Replace everything inside an element. @param {Element|null|undefined} el @param {...Child} children */
export function put(el, ...children) {
  if (!el) return;
  el.replaceChildren();
  fill(el, children);
}

/** @param {string} selector @param {ParentNode} [root] @returns {any} */
export function $(selector, root = document) {
  return root.querySelector(selector);
}

/** @type {Record<string, string>} */
const ICONS = {
  supply: "M5 8h8l4 4v8H5ZM7 8V5h4v3", zoc: "M12 3l7.8 4.5v9L12 21l-7.8-4.5v-9ZM12 9.4a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2",
  command: "M12 21V11M8 21h8M9 8a4.2 4.2 0 0 1 6 0M6.4 5.2a8 8 0 0 1 11.2 0", reach: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17",
  key: "M4 5h16v14H4ZM7 9h4M7 12h4M7 15h4M14 9h3M14 12h3M14 15h3", layers: "M12 3 3 8l9 5 9-5ZM3 12l9 5 9-5M3 16l9 5 9-5", find: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5l5 5", plus: "M12 5v14M5 12h14", minus: "M5 12h14",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5", undo: "M8 5 4 9l4 4M4 9h9a6 6 0 0 1 0 12h-3", back: "m14 6-6 6 6 6", fwd: "m10 6 6 6-6 6", first: "M18 6l-6 6 6 6M8 6v12", last: "m6 6 6 6-6 6M16 6v12",
  play: "M8 5l11 7-11 7Z", pause: "M8 5v14M16 5v14", branch: "M6 3a2 2 0 1 0 0 4 2 2 0 0 0 0-4M6 17a2 2 0 1 0 0 4 2 2 0 0 0 0-4M18 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4M6 7v10M18 10c0 5-12 3-12 7",
  book: "M4 5a8 8 0 0 1 8 1 8 8 0 0 1 8-1v14a8 8 0 0 0-8 1 8 8 0 0 0-8-1ZM12 6v14", text: "M4 6h16M4 10h16M4 14h11M4 18h8", menu: "M4 7h16M4 12h16M4 17h16",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2", moon: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10Z",
  help: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1 1-1.1 1.8M12 17v.2", x: "M6 6l12 12M18 6 6 18", check: "m5 12 5 5L19 7",
  dice: "M7 4h10a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3M8.5 8.5h.1M15.5 15.5h.1M12 12h.1M15.5 8.5h.1M8.5 15.5h.1",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1", person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4 21a8 8 0 0 1 16 0",
  cpu: "M8 6h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2M9 2v4M15 2v4M9 18v4M15 18v4M2 9h4M2 15h4M18 9h4M18 15h4", two: "M8 4.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4M2 20a6 6 0 0 1 12 0M16.5 6.4a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2M14.5 14.2A5 5 0 0 1 22 19",
  eye: "M2 12s4-7 10-7 10 7 10 7-4 7-10 7S2 12 2 12ZM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6", clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M12 7v5l3.5 2", flag: "M5 21V4h12l-2.5 4L17 12H5",
  plane: "M12 3.2c1 0 1.5 1.3 1.5 2.8v3.4l7 4.2v2l-7-2v4l2 1.6v1.4L12 19.8l-3.5.8v-1.4l2-1.6v-4l-7 2v-2l7-4.2V6c0-1.5.5-2.8 1.5-2.8Z",
  mail: "M5 5h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2m-2 2 9 6 9-6", share: "M12 15V3M8 7l4-4 4 4M5 12v8h14v-8", dl: "M12 3v12M8 11l4 4 4-4M5 17v3h14v-3", down: "m6 9 6 6 6-6", arrow: "M5 12h14M13 6l6 6-6 6",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.6.5.9 1.3.9 2.1h5.2c0-.8.3-1.6.9-2.1A6 6 0 0 0 12 3", chat: "M4 5h16v11H9l-5 4Z", gear: "M4 7h10M18 7h2M4 17h4M12 17h8M16 4.5v5M10 14.5v5", shield: "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6Z",
};

/** @param {string} name @param {number} [size] @returns {SVGElement} */
export function icon(name, size = 20) {
  return s("svg", { class: "ic", width: size, height: size, viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": 1.7, "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true" }, s("path", { d: ICONS[name] ?? ICONS.help }));
}

/**
 * A button with a word and perhaps an icon and its key.
 * @param {string} text @param {(event: Event) => void} onclick
 * @param {{icon?: string, key?: string, cls?: string, title?: string, data?: Record<string, any>}} [more]
 */
export function button(text, onclick, more = {}) {
  return h("button", { type: "button", class: `btn ${more.cls ?? ""}`, onclick, title: more.title, data: more.data ?? {} }, more.icon && icon(more.icon, 18), text, more.key && h("kbd", { "aria-hidden": "true" }, more.key));
}

/** A button that is only an icon. @param {string} name @param {string} label @param {(event: Event) => void} onclick @param {Record<string, any>} [props] */
export function iconButton(name, label, onclick, props = {}) {
  return h("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick, ...props }, icon(name));
}

/** Axis or not: what a side looks like, whatever the title calls it. @param {string|null|undefined} side */
export function camp(side) {
  return side ? (side === "axis" ? "axis" : "allied") : "";
}

/** The square that stands for a side. @param {string|null|undefined} side @param {string} [cls] */
export function mark(side, cls = "") {
  return h("i", { class: `mark ${camp(side) || "allied"} ${cls}`, "aria-hidden": "true" });
}

/** @param {number} p 0 to 1 */
export function percent(p) {
  const value = p * 100;
  return value > 0 && value < 1 ? "under 1\u00a0%" : value > 99 && value < 100 ? "over 99\u00a0%" : `${Math.round(value)}\u00a0%`;
}

/** Chances in a sentence of an opponent as the page writes them: a figure and its sign stay in one line. @param {string} text */
export function spaced(text) {
  return text.replace(/(\d)%/g, "$1\u00a0%");
}

/** A number with its sign and a real minus. @param {number} n */
export function signed(n) {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0";
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What is still to be said, by place. @type {Map<string, Set<string>>} */
const unsaid = new Map();

/** Say something to a screen reader: what comes at once is said in one go, each sentence once. @param {string} text @param {boolean} [result] */
export function announce(text, result = false) {
  const place = result ? "#results" : "#polite";
  const waiting = unsaid.get(place);
  if (waiting) { waiting.add(text); return; }
  unsaid.set(place, new Set([text]));
  const where = $(place);
  if (where) where.textContent = "";
  setTimeout(() => {
    if (where) where.textContent = [...(unsaid.get(place) ?? [])].join(" ");
    unsaid.delete(place);
  }, 60);
}

/** @type {number} */
let toastTimer = 0;

/** One sentence at the lower edge, gone after a while. @param {Child} content @param {number} [ms] */
export function toast(content, ms = 6000) {
  $(".toast")?.remove();
  const box = h("div", { class: "toast" }, h("span", { class: "grow" }, content), iconButton("x", "Close", () => box.remove()));
  // Over an open dialog, not behind it.
  ($("dialog[open]") ?? document.body).append(box);
  announce(box.textContent ?? "", true);
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => box.remove(), ms);
}

/**
 * A modal dialog; Esc and the cross close it.
 * @param {string} title @param {Child} content @param {{cls?: string, onclose?: () => void}} [more]
 * @returns {HTMLDialogElement}
 */
export function dialog(title, content, more = {}) {
  const box = /** @type {HTMLDialogElement} */ (/** @type {unknown} */ (h("dialog", { class: more.cls ?? "", "aria-label": title }, h("div", { class: "row dialog-head" }, h("h2", { class: "grow" }, title), iconButton("x", "Close", () => box.close())), content)));
  // Its first sentence is heard with its name.
  const first = content instanceof HTMLElement && content.firstElementChild?.tagName === "P" ? content.firstElementChild : null;
  if (first) {
    first.id = "dialog-says";
    box.setAttribute("aria-describedby", first.id);
  }
  const opener = document.activeElement;
  box.addEventListener("close", () => {
    box.remove();
    if (document.activeElement === document.body) /** @type {HTMLElement|null} */ (opener?.isConnected && opener !== document.body ? opener : $(".map"))?.focus({ preventScroll: true });
    more.onclose?.();
  });
  box.addEventListener("click", (event) => { if (event.target === box) box.close(); });
  document.body.append(box);
  box.showModal();
  $(".choice-list .choice", box)?.focus();
  return box;
}
