// Shapes on the board: outlines of sets of spaces, what lies under a point, and ways through them.

/** @typedef {import("./types.js").BoardSpace} BoardSpace */

/** @param {number[][]} polygon */
export function ringPath(polygon) {
  return `M${polygon.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`;
}

/** @param {number[][]} polygon @param {number} by 1 leaves it, .95 draws it inside */
export function shrink(polygon, by) {
  const cx = polygon.reduce((sum, p) => sum + p[0], 0) / polygon.length;
  const cy = polygon.reduce((sum, p) => sum + p[1], 0) / polygon.length;
  return polygon.map(([x, y]) => [cx + (x - cx) * by, cy + (y - cy) * by]);
}

/**
 * The outline of a set of spaces: sides that belong to one of them only, joined to loops.
 * @param {BoardSpace[]} spaces
 */
export function outline(spaces) {
  /** @type {Map<string, number[][]>} */
  const sides = new Map();
  const name = /** @param {number[]} p */ (p) => `${Math.round(p[0])},${Math.round(p[1])}`;
  for (const space of spaces) {
    space.polygon.forEach((a, at) => {
      const b = space.polygon[(at + 1) % space.polygon.length];
      const back = `${name(b)} ${name(a)}`;
      if (sides.has(back)) sides.delete(back);
      else sides.set(`${name(a)} ${name(b)}`, [a, b]);
    });
  }
  /** @type {Map<string, number[][][]>} */
  const from = new Map();
  for (const side of sides.values()) {
    const key = name(side[0]);
    from.set(key, [...(from.get(key) ?? []), side]);
  }
  let path = "";
  for (const side of sides.values()) {
    const starts = from.get(name(side[0]));
    if (!starts?.includes(side)) continue;
    /** @type {number[][]|undefined} */
    let next = side;
    let first = true;
    while (next) {
      const now = /** @type {number[][]} */ (next);
      const list = /** @type {number[][][]} */ (from.get(name(now[0])));
      list.splice(list.indexOf(now), 1);
      if (first) path += `M${now[0][0].toFixed(1)} ${now[0][1].toFixed(1)}`;
      path += `L${now[1][0].toFixed(1)} ${now[1][1].toFixed(1)}`;
      first = false;
      next = from.get(name(now[1]))?.[0];
    }
  }
  return path;
}

/** @param {number[][]} polygon @param {number} x @param {number} y */
export function inside(polygon, x, y) {
  let within = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const [xi, yi] = polygon[i];
    const [xj, yj] = polygon[j];
    if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) within = !within;
  }
  return within;
}

/** A smooth line through points. @param {number[][]} points */
export function spline(points) {
  if (points.length < 3) return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
  const p = [points[0], ...points, points[points.length - 1]];
  let d = `M${points[0][0].toFixed(1)} ${points[0][1].toFixed(1)}`;
  for (let i = 1; i < p.length - 2; i++) {
    const [a, b, c, e] = [p[i - 1], p[i], p[i + 1], p[i + 2]];
    d += `C${(b[0] + (c[0] - a[0]) / 6).toFixed(1)} ${(b[1] + (c[1] - a[1]) / 6).toFixed(1)} ${(c[0] - (e[0] - b[0]) / 6).toFixed(1)} ${(c[1] - (e[1] - b[1]) / 6).toFixed(1)} ${c[0].toFixed(1)} ${c[1].toFixed(1)}`;
  }
  return d;
}

const VULGAR = /** @type {Record<string, string>} */ ({ "1/2": "½", "1/4": "¼", "3/4": "¾", "1/3": "⅓", "2/3": "⅔", "1/6": "⅙", "5/6": "⅚" });
const DECIMAL = /** @type {Record<string, string>} */ ({ 5: "½", 25: "¼", 75: "¾", 33: "⅓", 67: "⅔", 17: "⅙", 83: "⅚", 2: "⅕", 4: "⅖", 6: "⅗", 8: "⅘", "08": "¹⁄₁₂", 42: "⁵⁄₁₂", 58: "⁷⁄₁₂", 92: "¹¹⁄₁₂" });

/** The short form that fits into a hex. @param {string} cost */
export function costShort(cost) {
  return cost.replace(/(\d+)?[ ]?\b([1-5])\/([2346])/, (whole, n, a, b) => (VULGAR[`${a}/${b}`] ? `${n ?? ""}${VULGAR[`${a}/${b}`]}` : whole))
    .replace(/(\d+)\.(\d+)/, (whole, n, d) => (DECIMAL[d] ? `${n === "0" ? "" : n}${DECIMAL[d]}` : whole))
    .replace(/\s*(MPs?|MFs?|movement.*|points?)$/i, "").replace(/(\d)\s+([¼½¾⅓⅔])/, "$1$2");
}

/** @param {BoardSpace|null|undefined} space @returns {space is BoardSpace} */
export function isSpace(space) {
  return !!space;
}
