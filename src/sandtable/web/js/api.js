// Requests to the server, and what this browser remembers.

/** @typedef {import("./types.js").TitleInfo} TitleInfo */

export class ApiError extends Error {
  /** @param {string} text @param {number} status @param {string|null} [rule] */
  constructor(text, status, rule = null) {
    super(text);
    this.status = status;
    this.rule = rule;
  }
}

/** @param {string} path @param {any} [body] @param {RequestInit} [init] @returns {Promise<any>} */
export async function api(path, body, init = {}) {
  /** @type {Response} */
  let answer;
  try {
    answer = await fetch(`/api/${path}`, body === undefined ? init : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), ...init });
  } catch {
    throw new ApiError("The server does not answer. Check that it runs, then try again.", 0);
  }
  const type = answer.headers.get("content-type") ?? "";
  const content = type.includes("json") ? await answer.json() : await answer.text();
  if (!answer.ok) throw new ApiError(content?.error ?? `The server answered ${answer.status}.`, answer.status, content?.rule ?? null);
  return content;
}

/** @type {Map<string, Promise<any>>} */
const once = new Map();

/** A request whose answer never changes while the page is open. @param {string} path @returns {Promise<any>} */
export function cached(path) {
  const found = once.get(path);
  if (found) return found;
  const asked = api(path);
  once.set(path, asked);
  asked.catch(() => once.delete(path));
  return asked;
}

/** @returns {Promise<TitleInfo[]>} */
export function titles() {
  return cached("titles");
}

/** @param {string} id @returns {Promise<TitleInfo>} */
export async function titleInfo(id) {
  const found = (await titles()).find((each) => each.id === id);
  if (!found) throw new ApiError(`No title is called ${id}.`, 404);
  return found;
}

/** The title without its subtitle. @param {string} name */
export function shortName(name) {
  return name.split(":")[0] === "Gazala" ? name.replace(/ \(.*\)$/, "") : name.split(":")[0];
}

// What this browser remembers: settings, seats, notes. Losing it loses comfort, never a game.

/** @typedef {{theme: string, speed: number, confirm: boolean, follow: boolean, relief: boolean, name: string}} Settings */

/** @type {Settings} */
const DEFAULTS = { theme: "system", speed: 1, confirm: false, follow: true, relief: true, name: "" };

/** @template T @param {string} key @param {T} otherwise @returns {T} */
export function recall(key, otherwise) {
  try {
    const text = localStorage.getItem(`sandtable.${key}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** @param {string} key @param {any} value */
export function keep(key, value) {
  try {
    localStorage.setItem(`sandtable.${key}`, JSON.stringify(value));
  } catch {
    // A full or forbidden store only means that nothing is remembered.
  }
}

/** How fast dice and moves of others are shown. @type {[number, string][]} */
export const SPEEDS = [[0, "At once"], [0.5, "Fast"], [1, "Normal"], [2, "Slow"]];

/** @type {Settings} */
export const settings = { ...DEFAULTS, ...recall("settings", {}) };

/** @param {Partial<Settings>} some */
export function change(some) {
  Object.assign(settings, some);
  keep("settings", settings);
  applyTheme();
}

/** @returns {"day"|"night"} */
export function theme() {
  if (settings.theme === "day" || settings.theme === "night") return settings.theme;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "night" : "day";
}

export function applyTheme() {
  if (document.documentElement.dataset.theme === theme()) return;
  document.documentElement.dataset.theme = theme();
  dispatchEvent(new CustomEvent("themechange"));
}

export function reducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @typedef {{game: string, title: string, seats: Record<string, string>, mode: string, at: number, over?: boolean, turn?: string, from?: string, levels?: string[]}} Seat */

/** @returns {Seat[]} */
export function mySeats() {
  return recall("seats", /** @type {Seat[]} */ ([]));
}

/** @param {Seat} seat */
export function keepSeat(seat) {
  const others = mySeats().filter((each) => each.game !== seat.game);
  const before = mySeats().find((each) => each.game === seat.game);
  keep("seats", [{ turn: before?.turn, from: before?.from, levels: before?.levels, ...seat, seats: { ...before?.seats, ...seat.seats } }, ...others].slice(0, 60));
}

/** How far a game of one's own has come, for the list on the front page. @param {string} game @param {string} turn */
export function keepTurn(game, turn) {
  const seats = mySeats();
  const seat = seats.find((each) => each.game === game);
  if (!seat || seat.turn === turn) return;
  seat.turn = turn;
  keep("seats", seats);
}

/** Where a game is found. @param {string} game @param {string} [token] @param {string} [rest] */
export function gameUrl(game, token = "", rest = "") {
  return `#/game/${encodeURIComponent(game)}${token ? `?seat=${encodeURIComponent(token)}` : ""}${rest}`;
}
