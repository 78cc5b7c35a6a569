// The log as a player reads it: a move of many steps is one line, and a reason belongs to what it explains.

/** @typedef {import("./types.js").LogLine} LogLine */
/** @typedef {LogLine & {steps?: string[], reason?: string}} Entry */

const STEP = /^(.+?): (\S.*?) to (\S.*?)\.$/;
const HELD = /^In \S.* (?:is|are) now .+\.$/;

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
    if (going && going.line === out.at(-1) && HELD.test(line.text) && line.seq === going.line.seq) {
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
      if (last && last.by === line.by && last.seq === line.seq) out[at].reason = line.text;
      else early = line;
      continue;
    }
    const [, head, from, to] = STEP.exec(line.text) ?? [];
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
    if (early && early.by === line.by) own.reason = early.text;
    early = null;
    out.push(own);
    going = head ? { line: Object.assign(own, { steps: [from, to] }), head, to } : null;
  }
  settle();
  return out;
}
