// One websocket to a game. Every request has an id and waits for its answer; after a broken
// connection it is sent again with the same id, which the server carries out only once.

/** @typedef {"connecting"|"open"|"lost"|"closed"} Status */

/**
 * @typedef {{message: (message: any) => void, status: (status: Status, tries: number) => void}} Handlers
 * @typedef {{message: any, resolve: (answer: any) => void, reject: (error: any) => void}} Waiting
 */

export class Refused extends Error {
  /** @param {string} text @param {string|null} rule @param {any} [answer] */
  constructor(text, rule, answer = {}) {
    super(text);
    this.rule = rule;
    this.answer = answer;
  }
}

export class Live {
  /** @param {string} game @param {string} seat @param {Handlers} handlers */
  constructor(game, seat, handlers) {
    this.game = game;
    this.seat = seat;
    this.handlers = handlers;
    this.seq = -1;
    this.tries = 0;
    this.ended = false;
    /** @type {Map<string, Waiting>} */
    this.waiting = new Map();
    this.session = Math.random().toString(36).slice(2, 10) + Date.now().toString(36);
    this.count = 0;
    /** @type {WebSocket|null} */
    this.socket = null;
    this.heard = Date.now();
    this.timer = window.setInterval(() => this.watch(), 5000);
    addEventListener("online", this.retry);
    this.connect();
  }

  retry = () => { if (!this.ended && this.socket?.readyState !== WebSocket.OPEN) this.connect(); };

  connect() {
    clearTimeout(this.again);
    this.handlers.status(this.tries ? "lost" : "connecting", this.tries);
    const query = new URLSearchParams();
    if (this.seat) query.set("seat", this.seat);
    if (this.seq >= 0) query.set("since", String(this.seq));
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/games/${encodeURIComponent(this.game)}/live?${query}`);
    this.socket?.close();
    this.socket = socket;
    socket.onopen = () => {
      if (socket !== this.socket) return;
      this.tries = 0;
      this.heard = Date.now();
      this.handlers.status("open", 0);
      for (const { message } of this.waiting.values()) socket.send(JSON.stringify(message));
    };
    socket.onmessage = (event) => {
      this.heard = Date.now();
      this.receive(JSON.parse(event.data));
    };
    socket.onclose = (event) => {
      if (socket !== this.socket || this.ended) return;
      if (event.code === 4404 || event.code === 4403 || event.code === 1008) {
        this.end();
        this.handlers.message({ type: "gone", code: event.code, reason: event.reason });
        return;
      }
      this.tries += 1;
      this.handlers.status("lost", this.tries);
      this.again = window.setTimeout(() => this.connect(), Math.min(8000, 300 * 2 ** this.tries));
    };
  }

  /** @type {number|undefined} */
  again;

  watch() {
    if (this.ended || this.socket?.readyState !== WebSocket.OPEN) return;
    const silent = Date.now() - this.heard;
    if (silent > 35000) this.socket.close();
    else if (silent > 20000) this.ask("ping", {}).catch(() => {});
  }

  /** @param {any} message */
  receive(message) {
    if (message.type === "ack" || message.type === "error") {
      const waits = this.waiting.get(message.id);
      if (!waits) { if (message.type === "error") this.handlers.message(message); return; }
      this.waiting.delete(message.id);
      if (message.type === "ack") waits.resolve(message);
      else waits.reject(new Refused(message.error, message.rule ?? null, message));
      return;
    }
    if (message.type === "update") {
      if (message.seq <= this.seq) return;
      this.seq = message.seq;
    } else if (message.type === "state" || message.type === "resume") {
      this.seq = message.seq;
    }
    this.handlers.message(message);
  }

  /** @param {string} type @param {Record<string, any>} fields @returns {Promise<any>} */
  ask(type, fields) {
    const id = `${this.session}-${++this.count}`;
    const message = { type, id, ...fields };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { message, resolve, reject });
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    });
  }

  /** For tests and for a machine that slept: drop the line and take it up again. */
  drop() {
    this.socket?.close();
  }

  end() {
    this.ended = true;
    clearInterval(this.timer);
    clearTimeout(this.again);
    removeEventListener("online", this.retry);
    this.socket?.close();
  }
}
