// The log as a player reads it: a move of many steps is one line, so are several moves after each other; a reason belongs to what it explains.

import { spaced } from "./dom.js";

/** @typedef {import("./types.js").LogLine} LogLine */
/** @typedef {LogLine & {steps?: string[], reason?: string}} Entry */

/**
 * Lines for reading, in order. Steps of the same counters that follow each other become one line with `steps`;
 * the reason of an action goes to its last line, or to the next one of its side where the action left no trace.
 * @param {LogLine[]} lines @returns {Entry[]}
 */
export function readable(lines) {
  /** @type {Entry[]} */
  const out = [];
  /** @type {{line: Entry, head: string, to: string}|null} the move that goes on */
  let going = null;
  /** @type {LogLine|null} a reason that waits for its line */
  let early = null;
  /** What each side said last: a plan of several moves has one reason. @type {Map<string, string>} */
  const said = new Map();
  /** Who is in the stack that moves: told where it ends. @type {LogLine|null} */
  let held = null;
  const settle = () => {
    if (held) out.push({ ...held });
    held = null;
  };
  for (const line of lines) {
    if (going && going.line === out.at(-1) && line.aside && line.seq === going.line.seq) {
      held = line;
      continue;
    }
    const last = out.at(-1);
    if (line.kind === "Reason") {
      if (said.get(line.by ?? "") === line.text) continue;
      said.set(line.by ?? "", line.text);
      // What was decided comes first; what followed from it, such as the next phase, after it.
      let at = out.length - 1;
      while (at > 0 && out[at - 1].seq === line.seq && out[at - 1].by === line.by) at -= 1;
      if (last && last.by === line.by && last.seq === line.seq) out[at].reason = spaced(line.text);
      else early = line;
      continue;
    }
    const { who: head = "", start: from = "", end: to = "" } = line.march ?? {};
    if (head && going && going.line === last && going.head === head && going.to === from && going.line.by === line.by && going.line.rule === line.rule) {
      const steps = [...(going.line.steps ?? []), to];
      Object.assign(going.line, { seq: line.seq, steps, text: `${head}: ${steps[0]} to ${to}.` });
      going.to = to;
      early = null;
      held = null;
      continue;
    }
    settle();
    /** @type {Entry} */
    const own = { ...line };
    if (early && early.by === line.by) own.reason = spaced(early.text);
    early = null;
    out.push(own);
    going = head ? { line: Object.assign(own, { steps: [from, to] }), head, to } : null;
  }
  settle();
  return gathered(out);
}

/** Three and more moves of a side after each other are one line; who went along is left out of it. @param {Entry[]} lines @returns {Entry[]} */
function gathered(lines) {
  /** @type {Entry[]} */
  const out = [];
  for (let at = 0; at < lines.length; at += 1) {
    const first = lines[at];
    let end = at + 1;
    const goesOn = (/** @type {Entry} */ line) => (line.march || line.aside) && line.by === first.by && !line.reason && (line.aside || line.rule === first.rule);
    if (first.march) while (end < lines.length && goesOn(lines[end])) end += 1;
    const moves = lines.slice(at, end).filter((line) => line.march);
    if (moves.length < 3) {
      out.push(first);
      continue;
    }
    /** Legs of one unit are one way, though others moved in between. @type {{who: string, from: string, to: string}[]} */
    const legs = [];
    for (const { march, steps = [] } of moves) {
      const before = legs.find((leg) => leg.who === march?.who && leg.to === steps[0]);
      if (before) before.to = steps.at(-1) ?? "";
      else legs.push({ who: march?.who ?? "", from: steps[0], to: steps.at(-1) ?? "" });
    }
    const ways = legs.map(({ who, from, to }) => `${who} ${from} to ${to}`);
    const { by, rule, reason } = first;
    out.push({ seq: lines[end - 1].seq, by, rule, reason, kind: first.kind, text: `${legs.length} move${legs.length > 1 ? "s" : ""}: ${ways.join("; ")}.` });
    at = end - 1;
  }
  return out;
}
