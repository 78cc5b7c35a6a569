// What lights up on the map: what may be chosen, reach, the way, and overlays.

import { $, h, icon, put } from "./dom.js";
import { keep, recall } from "./api.js";
import { overlayGroup } from "./overlays.js";
import { formationThatActs } from "./tracks.js";
import { showWay } from "./ways.js";
import { namedPlaces } from "./words.js";
import { advised } from "./advice.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").Overlay} Overlay */

/** @param {Play} play */
export function light(play) {
  if (play.playing) {
    play.board.light({});
    return;
  }
  const { units, spaces, fits, exact } = play.choices();
  const foes = new Set(
    (play.view.pieces ?? []).filter((piece) => piece.side !== play.me && piece.space).map((piece) => piece.space ?? ""),
  );
  // The place a question is about, if the enemy stands there: a battle that is being put together.
  const named = play.mayAct ? namedPlaces(play) : [];
  const asked = named.filter((id) => foes.has(id));
  const threats = [...asked, ...[...spaces].filter((space) => foes.has(space))];
  const unit = play.picks.units[0];
  const costs = play.mayAct ? reachOf(play, unit) : unit ? play.view.reach?.[unit] : null;
  /** @type {Record<string, string>|null} */
  let reach = null;
  if (play.tools.has("reach") && costs)
    reach = Object.fromEntries(Object.entries(costs).filter(([space]) => !play.mayAct || spaces.has(space)));
  const end = play.armed?.action.spaces.at(-1) ?? play.picks.spaces.at(-1);
  const own = unit ? play.spaceOf(unit) : null;
  const fight = play.fight && !play.board.areas && play.mayAct ? strikes(play, play.fight) : null;
  // While a fight is weighed the map shows the fight: where one could go instead can wait.
  const weighed = fight && play.armed;
  if (weighed) reach = null;
  const advice = advised(play);
  const aims = (advice?.spaces ?? []).filter((id) => foes.has(id));
  const from = play.spaceOf(advice?.units[0] ?? "");
  play.board.light({
    units: play.mayAct && !weighed ? units : [],
    spaces: play.mayAct && !weighed ? spaces : [],
    warned: play.mayAct ? namedPlaces(play, play.view.caution ?? "") : [],
    threats: play.mayAct ? [...(weighed ? [] : threats), ...aims, ...(fight?.targets ?? [])] : [],
    // Who is attacked is ringed as a target, not as chosen.
    chosen: [...play.picks.units, ...(advice?.units ?? []), ...(play.looked ? [play.looked] : [])].filter((id) => !fight || play.piece(id)?.side === play.me),
    // Where nothing can be clicked, what the question is about shows at least.
    chosenSpaces: (units.size + spaces.size ? play.picks.spaces : [...play.picks.spaces, ...named.filter((id) => !foes.has(id))]).filter((id) => !fight?.targets.includes(id)).concat((advice?.spaces ?? []).filter((id) => !foes.has(id))),
    reach,
    stops: reach && stopsOf(play, costs),
    arrows: fight?.arrows ?? (play.armed && own && end && foes.has(end) ? [[own, end]] : from ? aims.map((aim) => /** @type {[string, string]} */ ([from, aim])) : []),
  });
  play.aimed = "";
  showWay(play, play.armed?.action ?? advice);
  play.board.el.dataset.fits = String(fits.length);
  play.board.el.dataset.exact = String(exact.length);
}

/**
 * Who strikes whom in a fight: the hexes attacked, and arrows to them from the hexes beside them.
 * @param {Play} play @param {import("./types.js").Sheet} sheet
 */
function strikes(play, sheet) {
  const hexes = (/** @type {import("./types.js").Force} */ force) => [...new Set(force.parts.flatMap((part) => play.spaceOf(part.unit) ?? []))];
  const targets = hexes(sheet.defender);
  const pairs = hexes(sheet.attacker).flatMap((from) => targets.map((to) => ({ from, to, far: play.board.distance(from, to) })));
  const near = Math.min(...pairs.map((pair) => pair.far)) * 1.25;
  const arrows = pairs.filter((pair) => pair.far <= near).map(({ from, to }) => /** @type {[string, string]} */ ([from, to]));
  return { targets, arrows };
}

/** @param {Play} play @param {string|undefined} unit */
export function reachOf(play, unit) {
  const reach = play.view.reach ?? {};
  if (unit && reach[unit]) return reach[unit];
  if (unit) return null;
  const units = Object.keys(reach);
  // Nobody is picked but the places are lit: the group that is moving now.
  const lit = play.state.actions.filter((action) => !action.units.length && action.spaces.length === 1);
  // Orders for places where one's own units stand are no move.
  if (lit.every((action) => play.board.stacks.get(action.spaces[0])?.some((piece) => piece.side === play.me))) return null;
  const known = lit.filter((action) => reach[units[0]]?.[action.spaces[0]] !== undefined);
  return known.length && known.length >= lit.length * 0.8 ? reach[units[0]] : null;
}

/** Where whoever has this reach must stop, with the rule. @param {Play} play @param {Record<string, string>|null|undefined} reach */
export function stopsOf(play, reach) {
  const unit = Object.entries(play.view.reach ?? {}).find(([, costs]) => costs === reach)?.[0];
  return (unit && play.view.stops?.[unit]) || null;
}

/** Many formations would be a tangle of lines: one outline a side for all that is in somebody's range. @param {Play} play @param {Overlay[]} ranges @returns {Overlay[]} */
function together(play, ranges) {
  const sides = play.me ? [play.me] : play.title.sides;
  return sides.flatMap((side) => {
    const own = ranges.filter((overlay) => overlay.side === side);
    const spaces = [...new Set(own.flatMap((overlay) => overlay.spaces ?? []))];
    return spaces.length ? [{ ...own[0], id: `command-${side}`, name: `Command ranges of the ${play.nameOf(side)} together`, formation: "", spaces, text: "choose a counter for its own" }] : [];
  });
}

/** @param {Play} play */
export function drawOverlays(play) {
  const view = play.view;
  play.board.furnish(view);
  const lead = play.piece(play.picks.units[0] ?? play.looked ?? "") ?? formationThatActs(play);
  // Of many formations the one that is looked at or acts; all of them only while none does.
  const ofLead = (/** @type {Overlay} */ overlay) => !!lead?.formation && overlay.formation === lead.formation;
  const known = (view.overlays ?? []).filter((overlay) => play.tools.has(overlayGroup(overlay.id)));
  const one = known.some((overlay) => overlayGroup(overlay.id) === "command" && ofLead(overlay));
  const isCommand = (/** @type {Overlay} */ overlay) => overlayGroup(overlay.id) === "command";
  const shown = [...known.filter((overlay) => !isCommand(overlay) || ofLead(overlay)), ...(one ? [] : together(play, known.filter(isCommand)))];
  play.board.setOverlays(shown, play.tools.has("control") ? (view.control ?? {}) : null, view.markers ?? [], play.me);
  play.legend.hidden = !shown.length && !play.tools.has("control");
  const paths = shown.filter((overlay) => overlayGroup(overlay.id) === "supply" && overlay.lines?.length);
  const lost = shown.filter((overlay) => overlayGroup(overlay.id) === "supply" && overlay.cut);
  const row = (/** @type {string} */ kind, /** @type {string|undefined} */ rule, /** @type {any[]} */ ...words) => h("div", { class: "row" }, h("i", { class: `key ${kind}` }), h("span", { class: "grow" }, ...words), play.rule(rule));
  // A phone has no room for it until it is asked for.
  const open = recall("legend", innerWidth > 700);
  const fold = () => {
    keep("legend", !open);
    drawOverlays(play);
    $(".fold", play.legend)?.focus();
  };
  const way = paths.find((overlay) => !overlay.cut);
  put(
    play.legend,
    h("button", { type: "button", class: "fold", "aria-expanded": String(open), onclick: fold }, h("h3", null, "Overlays"), icon(open ? "down" : "fwd", 16)),
    ...(!open ? [] : [
    way && row("path", way.rule, "Supply path, with its length off the road"),
    lost.length > 0 && row("path cut", lost[0].rule, `Path too long or cut: ${lost.map((overlay) => overlay.formation || overlay.name).join(", ")}`),
    ...shown
      .filter((overlay) => overlay.spaces?.length)
      .slice(0, 10)
      .map((overlay) =>
        row(`${overlay.id === "supply-roads" ? "lit" : overlayGroup(overlay.id)} ${overlay.side === play.me ? "own" : "foe"}`, overlay.rule, overlay.name, overlay.text && h("span", { class: "mut" }, `, ${overlay.text}`)),
      ),
    play.tools.has("control") && row("control", "", "Control and victory points"),
    ]),
  );
  placeLegend(play);
}

/** The legend goes to the corner where it covers the fewest counters. @param {Play} play */
export function placeLegend(play) {
  const { legend, board } = play;
  if (legend.hidden || innerWidth < 700 || !board.el.clientWidth) return;
  legend.dataset.corner = emptiest(board, legend.offsetWidth, legend.offsetHeight, ["west", "east", "south-east"].filter((corner) => play.guide.el.hidden || corner !== play.guide.corner));
}

/**
 * The corner of the map where something of this size covers the fewest counters; the lower left is the overview's.
 * @param {import("./board.js").Board} board @param {number} w @param {number} h
 * @param {string[]} corners the first is taken if all are alike
 * @param {{x: number, y: number}[]} [bare] what must rather stay in sight
 */
export function emptiest(board, w, h, corners, bare = []) {
  const [width, height] = [board.el.clientWidth, board.el.clientHeight];
  const half = (board.counter * board.scale) / 2;
  const seen = (/** @type {{x: number, y: number}[]} */ places) => places.map((at) => board.toScreen(at.x, at.y));
  const [spots, shown] = [seen([...board.spots.values()]), seen(bare)];
  const covered = corners.map((corner) => {
    const x = corner === "west" ? 12 : width - w - 12;
    const y = corner === "south-east" ? height - h - 70 : 12;
    const under = (/** @type {{x: number, y: number}[]} */ places) => places.filter((at) => at.x > x - half && at.x < x + w + half && at.y > y - half && at.y < y + h + half).length;
    return under(spots) + 1000 * under(shown);
  });
  return corners[covered.indexOf(Math.min(...covered))];
}
