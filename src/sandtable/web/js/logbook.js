// The log as a player reads it: a move of many steps is one line, and a reason is given once for all it explains.

/** @typedef {import("./types.js").LogLine} LogLine */

const STEP = /^(.+?): (\S.*?) to (\S.*?)\.$/;

/**
 * Lines for reading, in order. Steps of the same counters that follow each other become one line with `steps`;
 * a reason that was just given by the same side is left out.
 * @param {LogLine[]} lines @returns {(LogLine & {steps?: string[]})[]}
 */
export function readable(lines) {
  /** @type {(LogLine & {steps?: string[]})[]} */
  const out = [];
  /** @type {Map<string, string>} the last reason of each side */
  const said = new Map();
  /** @type {{line: LogLine & {steps?: string[]}, head: string, to: string}|null} the move that goes on */
  let going = null;
  for (const line of lines) {
    const by = line.by ?? "";
    if (line.kind === "Reason") {
      if (said.get(by) === line.text) continue;
      said.set(by, line.text);
      out.push(line);
      continue;
    }
    const [, head, from, to] = STEP.exec(line.text) ?? [];
    if (head && going && going.head === head && going.to === from && going.line.by === line.by && going.line.rule === line.rule) {
      const steps = [...(going.line.steps ?? []), to];
      Object.assign(going.line, { steps, text: `${head}: ${steps[0]} to ${to}.` });
      going.to = to;
      continue;
    }
    const own = { ...line };
    out.push(own);
    going = head ? { line: Object.assign(own, { steps: [from, to] }), head, to } : null;
    if (!head && by) for (const side of said.keys()) if (side !== by) said.delete(side);
  }
  return out;
}
