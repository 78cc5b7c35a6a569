// The front page: the four games, yours, open tables, and a new game in three clicks.

import { announce, button, capital, dialog, h, icon, iconButton, mark, put, s, toast } from "./dom.js";
import { api, cached, change, gameUrl, keep, keepSeat, mySeats, settings, shortName, theme, titles } from "./api.js";
import { keysHelp } from "./keys.js";
import { copy, openSettings } from "./around.js";
import { levelName } from "./words.js";

/** @typedef {import("./types.js").TitleInfo} TitleInfo */

/** @type {Record<string, {sub: string, note: string, time: string, kind: string, weight: number}>} */
const BLURB = {
  battleaxe: { sub: "Wavell against Rommel, June 1941", note: "Take Halfaya and Capuzzo before the panzer divisions wake. Impulses end when the sun goes down.", time: "2 h", kind: "areas, 42 units", weight: 2 },
  gallop: { sub: "Both armies, May and June 1942", note: "Whole divisions, one odds table, sandstorms, and the right moment to run for Tobruk.", time: "2 h", kind: "hexes, 34 units", weight: 2 },
  cauldron: { sub: "The southern flank, battalion by battalion", note: "Chits from a cup decide who moves. Breach the mines or lose the supply to go on.", time: "3–7 h", kind: "hexes, 83 units", weight: 3 },
  theseus: { sub: "The Gazala battles in full", note: "Action points, reaction, command and supply. The deepest of the four.", time: "4–12 h", kind: "hexes, 99 units", weight: 5 },
};
const ORDER = ["battleaxe", "gallop", "cauldron", "theseus"];
const LEVELS = [["recruit", "Recruit", "plays at random among sensible moves"], ["officer", "Officer", "knows the rules of thumb and looks one step ahead"], ["general", "General", "tries many plans and asks what the enemy will do about them"]];

/** What a general may be given to think, in seconds for a plan. */
const THINKS = [["", "as long as it needs"], ["2", "2 seconds for a plan"], ["5", "5 seconds for a plan"], ["15", "15 seconds for a plan"], ["30", "30 seconds for a plan"]];

/** @param {HTMLElement} root @param {string} screen @param {string[]} rest */
export async function frontPage(root, screen, rest) {
  const cards = h("div", { class: "cards" });
  const mine = h("div", { class: "game-list" }, h("p", { class: "mut" }, "Looking …"));
  const open = h("div", { class: "game-list" }, h("p", { class: "mut" }, "Looking …"));
  const account = h("button", { type: "button", class: "nav-link", onclick: () => accountDialog() }, icon("person", 18), h("span", { class: "account-name" }, "Sign in"));
  put(root, h("div", { class: "front" },
    h("a", { class: "skip", href: "#games", onclick: /** @param {Event} event */ (event) => { event.preventDefault(); root.querySelector("button")?.focus(); } }, "Skip to games"),
    h("header", { class: "hero" }, h("div", { class: "hero-map", "aria-hidden": "true" }),
      h("div", { class: "hero-bar" }, h("a", { class: "wordmark", href: "#/" }, "Sandtable"), h("span", { class: "grow" }), h("nav", { class: "pill", "aria-label": "Site" },
        h("a", { class: "nav-link", href: "#games", onclick: go("#games") }, "Games"), h("button", { type: "button", class: "nav-link", onclick: () => rulesDialog() }, "Rules"), h("button", { type: "button", class: "nav-link", onclick: () => upload() }, "Open a record"), h("button", { type: "button", class: "nav-link", onclick: () => { keep("text", true); toast("Games open as text from now on. The button Map view goes back."); } }, icon("text", 18), "Text view"), account,
        iconButton("gear", "Settings", () => openSettings(null)), iconButton(theme() === "day" ? "moon" : "sun", "Day or night", (event) => { change({ theme: theme() === "day" ? "night" : "day" }); /** @type {HTMLElement} */ (event.currentTarget).replaceChildren(icon(theme() === "day" ? "moon" : "sun")); }))),
      h("div", { class: "hero-text" }, h("h1", null, "The Western Desert, ", h("br"), "1941 and 1942"), h("p", null, "Four board wargames with every rule enforced. Play a friend, play by post, or play an opponent that explains its moves."),
        h("div", { class: "row wrap" }, button("Start a game", () => newGame(null), { cls: "primary large" }), button("Learn to play", () => chooseLesson(), { cls: "large" }), button("Watch one", () => watch(), { cls: "large" })))),
    h("main", { class: "front-main" }, h("h2", { class: "sr", id: "games" }, "Games"), cards,
      h("div", { class: "thirds" },
        h("section", { "aria-labelledby": "mine-h" }, h("div", { class: "row spread" }, h("h2", { id: "mine-h" }, "Your games"), h("span", { class: "mut mine-count" })), mine),
        h("section", { "aria-labelledby": "open-h" }, h("div", { class: "row spread" }, h("h2", { id: "open-h" }, "Open tables"), h("span", { class: "mut" }, "join as either side")), open),
        h("section", { "aria-labelledby": "ways-h" }, h("h2", { id: "ways-h" }, "Ways to play"), way("cpu", "Against the computer", "recruit, officer or general", () => newGame(null, "opponent")), way("link", "Send a friend a link", "no account needed", () => newGame(null, "link")), way("two", "Both at one screen", "pass the mouse", () => newGame(null, "hotseat")), way("eye", "Watch two opponents", "with a reason for each move", () => newGame(null, "watch")), way("book", "First orders", "learn a game in its first quarter of an hour", () => chooseLesson()))),
      h("footer", { class: "foot mut" }, h("button", { type: "button", class: "nav-link", onclick: () => keysHelp() }, "Keys"), h("button", { type: "button", class: "nav-link", onclick: () => credits() }, "Credits"), "Maps and counters drawn by us from the real ground. Values marked reconstructed may differ from the printed games."))));
  hero(root);
  try {
    put(cards, ...(await shelf()).map(card));
    if (screen === "new") newGame(rest[0] ?? null);
    if (screen === "join" && rest[0]) join(rest[0], rest[1] ?? "");
  } catch (error) {
    put(cards, h("p", { role: "alert" }, error instanceof Error ? error.message : String(error), " ", button("Try again", () => location.reload())));
  }
  const signedIn = api("account").then((found) => /** @type {string} */ (found?.account?.name ?? found?.name ?? "")).catch(() => "");
  lists(mine, open, signedIn);
  signedIn.then((name) => { if (name) account.querySelector(".account-name")?.replaceChildren(name); });
}

/** The titles as they stand on the shelf: the easiest of ours first, then others. */
async function shelf() {
  const place = (/** @type {{id: string}} */ title) => (ORDER.indexOf(title.id) + 9) % 9;
  return (await titles()).filter((title) => title.id !== "toy").sort((a, b) => place(a) - place(b));
}

/** @param {string} id */
function go(id) {
  return (/** @type {Event} */ event) => { event.preventDefault(); document.querySelector(id)?.scrollIntoView({ behavior: "smooth" }); };
}

/** The picture behind the headline: the widest of our maps. @param {HTMLElement} root */
async function hero(root) {
  const where = root.querySelector(".hero-map");
  if (!where) return;
  put(where, h("img", { src: `/static/art/hero-${theme()}.webp`, alt: "", width: 1440, height: 484, onerror: /** @param {Event} event */ (event) => /** @type {HTMLElement} */ (event.target).remove() }));
}

addEventListener("themechange", () => { const front = document.querySelector(".front"); if (front) hero(/** @type {HTMLElement} */ (front)); });

/** @param {TitleInfo} title */
function card(title) {
  const blurb = BLURB[title.id] ?? { sub: "", note: title.scenarios[0]?.text ?? "", time: "", kind: "", weight: 1 };
  return h("article", { class: "card" }, h("div", { class: "card-art" }, h("img", { src: `/static/art/${title.id}-${theme()}.webp`, alt: "", loading: "lazy", width: 640, height: 276, onerror: /** @param {Event} event */ (event) => /** @type {HTMLElement} */ (event.target).remove() })),
    h("div", { class: "card-body" }, h("h3", null, shortName(title.name)), h("p", { class: "sub" }, blurb.sub), h("p", { class: "note" }, blurb.note),
      h("div", { class: "row card-facts" }, icon("clock", 15), h("span", null, blurb.time), h("span", { class: "grow" }, blurb.kind), h("span", { class: "weight", role: "img", "aria-label": `difficulty ${blurb.weight} of 5` }, Array.from({ length: 5 }, (_, at) => s("svg", { width: 10, height: 10, "aria-hidden": "true" }, s("circle", { cx: 5, cy: 5, r: 4, class: at < blurb.weight ? "full" : "" }))))),
      h("div", { class: "row" }, h("button", { type: "button", class: "btn primary grow", "aria-label": `Play ${shortName(title.name)}`, data: { play: title.id }, onclick: () => newGame(title.id) }, "Play"), h("button", { type: "button", class: "btn", "aria-label": `Rules of ${shortName(title.name)}`, onclick: () => rulesDialog(title.id) }, "Rules"))));
}

/** @param {string} sign @param {string} title @param {string} text @param {() => void} act */
function way(sign, title, text, act) {
  return h("button", { type: "button", class: "game-row way", onclick: act }, h("span", { class: "way-icon" }, icon(sign, 21)), h("span", { class: "grow" }, h("b", null, title), h("span", { class: "mut line" }, text)), icon("fwd", 18));
}

/** @param {HTMLElement} mine @param {HTMLElement} open @param {Promise<string>} signedIn the name of the account, if any */
async function lists(mine, open, signedIn) {
  const seats = mySeats();
  const names = Object.fromEntries((await titles().catch(() => [])).map((title) => [title.id, title]));
  const asked = seats.flatMap((seat) => Object.entries(seat.seats).slice(0, 1).map(([, token]) => ({ game: seat.game, seat: token })));
  /** @type {any[]} */
  let found = [];
  try {
    const answer = asked.length ? await api("games/mine", { seats: asked.slice(0, 60) }) : (await signedIn) ? await api("games?mine") : [];
    found = answer.games ?? answer ?? [];
  } catch {
    found = seats.filter((seat) => seat.mode !== "watch").map((seat) => ({ game: seat.game, title: seat.title, mode: seat.mode, status: seat.over ? "over" : "" }));
  }
  found.push(...seats.filter((seat) => seat.mode === "watch").map(({ game, title, mode, over }) => ({ game, title, mode, status: over ? "over" : "watched" })));
  const newest = 8;
  const rows = found.map((game) => {
    const id = game.game ?? game.id;
    const seat = seats.find((each) => each.game === id);
    const tokens = Object.entries(seat?.seats ?? {});
    const sides = tokens.map(([side]) => names[game.title]?.side_names[side] ?? capital(side));
    const yours = game.status !== "over" && !!game.actor && (tokens.some(([side]) => side === game.actor) || game.yours === true);
    const side = tokens.find(([each]) => each === game.actor) ?? tokens[0];
    return { yours, at: seat?.at ?? Infinity, el: h("a", { class: "game-row", href: gameUrl(id, side?.[1] ?? "") }, h("i", { class: `bullet ${yours ? "on" : ""}` }), h("span", { class: "grow" }, h("b", null, shortName(names[game.title]?.name ?? game.title)), h("span", { class: "mut line" }, [sides.join(" and "), modeWords(seat?.mode ?? game.mode, levelsOf(game, seat))].filter(Boolean).join(", "))), h("span", { class: "right" }, h("b", null, game.status === "over" ? "Over" : yours ? "Your move" : game.status === "waiting" ? "Waiting" : game.status === "watched" ? "Watch" : "Open"), h("span", { class: "mut line" }, game.status === "over" ? (game.result || "") : [timeLeft(game), seat?.turn ?? ""].filter(Boolean)[0] ?? ""))) };
  });
  rows.sort((a, b) => Number(b.yours) - Number(a.yours) || (b.at === a.at ? 0 : b.at - a.at));
  put(mine, ...(rows.length ? rows.slice(0, newest).map((row) => row.el) : [h("p", { class: "mut" }, "None yet. A game you begin is listed here, in this browser or with your account.")]));
  if (rows.length > newest) mine.append(h("details", { class: "all-games" }, h("summary", null, `All ${rows.length} games`), rows.slice(newest).map((row) => row.el)));
  const waiting = rows.filter((row) => row.yours).length;
  const count = document.querySelector(".mine-count");
  if (count && waiting) count.textContent = waiting === 1 ? "one waits for you" : `${waiting} wait for you`;
  try {
    const answer = await api("games?lobby");
    const tables = answer.games ?? answer ?? [];
    put(open, ...(tables.length ? tables.slice(0, 8).map((/** @type {any} */ game) => lobbyRow(game, names)) : [h("p", { class: "mut" }, "Nobody is waiting. Start a game that is open to all and it stands here.")]));
  } catch {
    put(open, h("p", { class: "mut" }, "The list of tables cannot be read now."));
  }
}

/** @param {any} game @param {Record<string, TitleInfo>} names */
function lobbyRow(game, names) {
  const id = game.game ?? game.id;
  const title = names[game.title];
  /** @type {string[]} */
  const free = game.free?.length ? game.free : Object.entries(game.seats ?? game.players ?? {}).filter(([, seat]) => !(/** @type {any} */ (seat).joined) && /** @type {any} */ (seat).kind !== "opponent").map(([side]) => side);
  const playing = game.status === "playing";
  return h("button", { type: "button", class: "game-row", onclick: () => (playing || !free.length ? (location.hash = gameUrl(id)) : join(id, free[0], title, free, game.bidding)) }, h("i", { class: "bullet" }), h("span", { class: "grow" }, h("b", null, shortName(title?.name ?? game.title)), h("span", { class: "mut line" }, playing ? "being played" : free.length ? `wants ${free.map((side) => title?.side_names[side] ?? side).join(" or ")}` : "")), h("span", { class: "right" }, h("b", null, playing ? "Watch" : "Join"), h("span", { class: "mut line" }, pace(game.clock))));
}

/** How long whoever is to move has, where a clock runs. @param {any} game */
function timeLeft(game) {
  if (!game.deadline || game.status !== "playing") return "";
  const minutes = Math.max(0, Math.round((game.deadline - (game.now ?? Date.now())) / 60000));
  const [many, unit] = minutes >= 2880 ? [Math.floor(minutes / 1440), "day"] : minutes >= 120 ? [Math.floor(minutes / 60), "hour"] : [minutes, "minute"];
  return `${many} ${unit}${many === 1 ? "" : "s"} left`;
}

/** The pace of a table: a day and more a move is play by post. @param {any} clock */
function pace(clock) {
  if (!clock) return "no clock";
  const days = Math.round(clock.seconds / 86400);
  return days >= 1 ? `by post, ${days} day${days > 1 ? "s" : ""}` : `live, ${Math.round(clock.seconds / 60)} min`;
}

/** The opponents of a game, as the server or this browser knows them. @param {any} game @param {import("./api.js").Seat|undefined} seat @returns {string[]} */
function levelsOf(game, seat) {
  const seated = /** @type {any[]} */ (Object.values(game.players ?? {}));
  const levels = seated.length ? seated.flatMap((player) => (player.kind === "opponent" ? player.level : [])) : (seat?.levels ?? []);
  return levels.filter(Boolean).map(levelName);
}

/** @param {string|undefined} mode @param {string[]} levels */
function modeWords(mode, levels) {
  const [level] = levels;
  return /** @type {Record<string, string>} */ ({ hotseat: "one screen", opponent: level ? `against ${level} (computer)` : "against the computer", link: "with a friend", open: "open table", sandbox: level ? `sandbox, against ${level} (computer)` : "sandbox", watch: ["two opponents", levels.join(" and ")].filter(Boolean).join(": ") })[mode ?? ""] ?? "";
}

/** @param {string} game @param {string} side @param {TitleInfo} [title] @param {string[]} [free] @param {boolean} [bidding] */
async function join(game, side, title, free = [], bidding = false) {
  const bid = h("input", { type: "number", value: "10" });
  const pick = h("select", { "aria-label": "Side" }, (free.length ? free : [side]).map((each) => h("option", { value: each }, title?.side_names[each] ?? each)));
  const name = h("input", { type: "text", value: settings.name, maxlength: "40" });
  const words = h("input", { type: "text", maxlength: "200", placeholder: "anything" });
  const box = dialog("Join", h("div", null, h("label", { class: "field" }, h("span", null, "You play"), pick), h("label", { class: "field" }, h("span", null, "Your name"), name), h("label", { class: "field" }, h("span", null, "Your words for the dice"), words, h("span", { class: "mut" }, "They are mixed into the seed, so that nobody alone decides the dice.")), bidding ? h("label", { class: "field" }, h("span", null, `Your bid for the ${title?.side_names[title.sides[0]] ?? "first side"}`), bid, h("span", { class: "mut" }, "The higher bid takes that side at its price.")) : "", button("Join", async () => {
    try {
      change({ name: name.value });
      const answer = await api(`games/${game}/join`, { side: pick.value, name: name.value, words: words.value, ...(bidding ? { bid: Number(bid.value) } : {}) });
      const [mine, token] = /** @type {[string, string]} */ (Object.entries(answer.seats)[0]);
      keepSeat({ game, title: title?.id ?? "", seats: { [mine]: token }, mode: "open", at: Date.now() });
      box.close();
      location.hash = gameUrl(game, token);
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  }, { cls: "primary" })));
}

/**
 * A new game: the title, whom you play, begin. Everything else has a good default.
 * @param {string|null} id @param {string} [mode] @param {string} [note] why it is offered
 */
export async function newGame(id, mode = "opponent", note = "") {
  const all = await shelf();
  const chosen = { title: all.find((title) => title.id === id) ?? all[0], mode, side: "", levels: /** @type {Record<string, string>} */ ({}), thinks: /** @type {Record<string, string>} */ ({}), scenario: "", words: "", bid: "", watch: /** @type {boolean|null} */ (null), name: settings.name, clock: "", guide: false, more: false, options: /** @type {Record<string, any>} */ ({}) };
  const lessons = Object.fromEntries(await Promise.all(all.map(async (title) => [title.id, await lessonOf(title.id)])));
  const body = h("div", { class: "new-game" });
  const radio = (/** @type {string} */ name, /** @type {string} */ value, /** @type {boolean} */ on, /** @type {() => void} */ act, /** @type {any[]} */ ...content) => h("label", { class: "choice" }, h("input", { type: "radio", name, value, checked: on, onchange: act }), h("span", { class: "grow" }, content));
  /** How strong an opponent is, and what a general among them may think; `whom` is its side, or nobody's before sides are chosen. */
  const levels = (/** @type {string} */ legend, /** @type {string} */ whom, name = whom ? `level-${whom}` : "level") => {
    const now = () => chosen.levels[whom] ?? "officer";
    const thinks = h("label", { class: "field" }, h("span", null, "A general thinks"), h("select", { data: { thinks: whom || "yes" }, onchange: /** @param {Event} event */ (event) => { chosen.thinks[whom] = /** @type {HTMLSelectElement} */ (event.target).value; } }, THINKS.map(([value, word]) => h("option", { value, selected: value === (chosen.thinks[whom] ?? "") }, word))));
    const choose = (/** @type {string} */ level) => { chosen.levels[whom] = level; thinks.hidden = level !== "general"; };
    choose(now());
    return h("fieldset", null, h("legend", null, legend), h("div", { class: "three" }, LEVELS.map(([level, word, text]) => radio(name, level, now() === level, () => choose(level), h("b", null, word), h("span", { class: "mut line" }, text)))), thinks);
  };
  const draw = () => {
    const title = chosen.title;
    const lesson = lessons[title.id];
    // A newcomer is offered the side and the scenario that the guide speaks of.
    if (!title.sides.includes(chosen.side)) chosen.side = (guided.on && lesson?.side) || title.sides[0];
    if (!title.scenarios.some((each) => each.id === chosen.scenario)) chosen.scenario = (guided.on && lesson?.scenario) || title.scenarios[0].id;
    const guideBox = h("input", { type: "checkbox", onchange: /** @param {Event} event */ (event) => {
      guided.on = /** @type {HTMLInputElement} */ (event.target).checked;
      if (!guided.on || chosen.guide || !lesson) return;
      // The guide comes with its side and scenario.
      Object.assign(chosen, { side: lesson.side, scenario: lesson.scenario });
      draw();
    } });
    const guideText = h("span");
    const fit = () => {
      const fits = !!lesson && chosen.mode !== "watch" && chosen.scenario === lesson.scenario && (chosen.mode === "hotseat" || chosen.side === lesson.side);
      chosen.guide = fits;
      guideBox.disabled = !lesson;
      guideBox.checked = fits && guided.on;
      guideText.textContent = fits || !lesson ? "Guide me through the first turn" : `Guide me through the first turn: the ${title.side_names[lesson.side]}${title.scenarios.length > 1 ? ` in ${title.scenarios.find((each) => each.id === lesson.scenario)?.name}` : ""}`;
    };
    const chosenScenario = h("span");
    const named = () => { chosenScenario.textContent = title.scenarios.find((each) => each.id === chosen.scenario)?.name ?? ""; };
    fit();
    named();
    put(body, 
      note ? h("p", null, note) : "",
      id ? null : h("fieldset", null, h("legend", null, "Which game"), h("div", { class: "two" }, all.map((each) => radio("title", each.id, each === title, () => { chosen.title = each; chosen.options = {}; draw(); }, h("b", null, shortName(each.name)), h("span", { class: "mut line" }, BLURB[each.id]?.sub ?? ""))))),
      h("fieldset", null, h("legend", null, "Against whom"), h("div", { class: "two" }, radio("mode", "opponent", chosen.mode === "opponent", () => { chosen.mode = "opponent"; draw(); }, h("b", null, "The computer"), h("span", { class: "mut line" }, "it says why it moves")), radio("mode", "hotseat", chosen.mode === "hotseat", () => { chosen.mode = "hotseat"; draw(); }, h("b", null, "Both at this screen"), h("span", { class: "mut line" }, "or yourself")), radio("mode", "link", chosen.mode === "link", () => { chosen.mode = "link"; draw(); }, h("b", null, "A friend"), h("span", { class: "mut line" }, "by a secret link, live or by post")), radio("mode", "open", chosen.mode === "open", () => { chosen.mode = "open"; draw(); }, h("b", null, "Whoever comes"), h("span", { class: "mut line" }, "an open table")), radio("mode", "watch", chosen.mode === "watch", () => { chosen.mode = "watch"; draw(); }, h("b", null, "Nobody"), h("span", { class: "mut line" }, "you watch two opponents play")))),
      chosen.mode !== "hotseat" && chosen.mode !== "watch" ? h("fieldset", null, h("legend", null, "Your side"), h("div", { class: "two" }, title.sides.map((side) => radio("side", side, chosen.side === side, () => { chosen.side = side; fit(); }, h("span", { class: "side" }, mark(side), title.side_names[side]))))) : "",
      chosen.mode === "opponent" ? levels("How strong", "") : "",
      chosen.mode === "watch" ? title.sides.map((side) => levels(`How strong: ${title.side_names[side]}`, side)) : "",
      h("details", { class: "more-options", open: chosen.more, ontoggle: /** @param {Event} event */ (event) => { chosen.more = /** @type {HTMLDetailsElement} */ (event.target).open; } }, h("summary", null, h("b", null, chosenScenario), " · scenario, options, clock, dice"),
        h("label", { class: "field" }, h("span", null, "Scenario"), h("select", { onchange: /** @param {Event} event */ (event) => { chosen.scenario = /** @type {HTMLSelectElement} */ (event.target).value; fit(); named(); } }, title.scenarios.map((each) => h("option", { value: each.id, selected: each.id === chosen.scenario }, each.name)))),
        h("p", { class: "mut" }, title.scenarios.find((each) => each.id === chosen.scenario)?.text ?? ""),
        title.options.map((option) => optionField(option, chosen.options)),
        chosen.mode === "link" || chosen.mode === "open" ? [h("label", { class: "field" }, h("span", null, "Time"), h("select", { onchange: /** @param {Event} event */ (event) => { chosen.clock = /** @type {HTMLSelectElement} */ (event.target).value; } }, [["", "No clock"], ["3600", "One hour each"], ["10800", "Three hours each"], ["86400", "One day a move"], ["259200", "Three days a move"]].map(([value, word]) => h("option", { value, selected: value === chosen.clock }, word)))), h("label", { class: "field" }, h("span", null, "Your words for the dice"), h("input", { type: "text", maxlength: "200", value: chosen.words, oninput: /** @param {Event} event */ (event) => { chosen.words = /** @type {HTMLInputElement} */ (event.target).value; } }), h("span", { class: "mut" }, "Both players' words are mixed into the seed.")), title.bids ? h("label", { class: "field" }, h("span", null, `Your bid for the ${title.side_names[title.sides[0]]}`), h("input", { type: "number", data: { bid: "yes" }, value: chosen.bid, oninput: /** @param {Event} event */ (event) => { chosen.bid = /** @type {HTMLInputElement} */ (event.target).value; } }), h("span", { class: "mut" }, "Leave it empty to keep the side chosen above. If you bid, so does the other, in secret; the higher bid takes the side at its price.")) : ""] : "",
        h("label", { class: "choice" }, h("input", { type: "checkbox", data: { watch: "yes" }, checked: chosen.watch ?? chosen.mode === "open", onchange: /** @param {Event} event */ (event) => { chosen.watch = /** @type {HTMLInputElement} */ (event.target).checked; } }), h("span", { class: "grow" }, h("b", null, "Anybody may watch"), h("span", { class: "mut line" }, "the game is listed on the front page while it is played; watchers see only what is public"))),
        h("label", { class: "field" }, h("span", null, "Your name"), h("input", { type: "text", maxlength: "40", value: chosen.name, oninput: /** @param {Event} event */ (event) => { chosen.name = /** @type {HTMLInputElement} */ (event.target).value; } }))),
      h("div", { class: "row dialog-foot" }, h("label", { class: "row grow", hidden: chosen.mode === "watch" }, guideBox, guideText), button("Begin", () => begin(box, chosen), { cls: "primary", data: { begin: "yes" } })));
  };
  const guided = { on: !mySeats().some((seat) => seat.mode !== "watch" && seat.title === (id ?? "")) };
  /** @type {any} */ (chosen).guided = guided;
  draw();
  const box = dialog(id ? shortName(chosen.title.name) : "New game", body, { cls: "wide" });
}

/** @param {TitleInfo["options"][0]} option @param {Record<string, any>} values */
function optionField(option, values) {
  const value = values[option.id] ?? option.default;
  const label = [h("b", null, option.name), " ", h("span", { class: "rule" }, option.rule), h("span", { class: "mut line" }, option.text)];
  if (option.choices?.length) return h("label", { class: "field" }, h("span", null, label), h("select", { onchange: /** @param {Event} event */ (event) => { values[option.id] = /** @type {HTMLSelectElement} */ (event.target).value; } }, option.choices.map((choice) => h("option", { value: choice, selected: choice === value }, choice))));
  if (typeof option.default === "boolean") return h("label", { class: "choice" }, h("input", { type: "checkbox", checked: value, onchange: /** @param {Event} event */ (event) => { values[option.id] = /** @type {HTMLInputElement} */ (event.target).checked; } }), h("span", { class: "grow" }, label));
  return h("label", { class: "field" }, h("span", null, label), h("input", { type: "number", min: option.least, max: option.most, value, onchange: /** @param {Event} event */ (event) => { values[option.id] = Number(/** @type {HTMLInputElement} */ (event.target).value); } }));
}

/** @param {HTMLDialogElement} box @param {any} chosen */
async function begin(box, chosen) {
  const { title, mode, side } = chosen;
  change({ name: chosen.name });
  const other = title.sides.find((/** @type {string} */ each) => each !== side);
  const opponent = (whom = "") => {
    const [level, thinks] = [chosen.levels[whom] ?? "officer", chosen.thinks[whom]];
    return { kind: "opponent", level: level === "general" && thinks ? `general:${thinks}` : level };
  };
  const seats = mode === "opponent" ? { [side]: { kind: "human", name: chosen.name }, [other]: opponent() } : mode === "watch" ? Object.fromEntries(title.sides.map((/** @type {string} */ each) => [each, opponent(each)])) : mode === "hotseat" ? Object.fromEntries(title.sides.map((/** @type {string} */ each) => [each, { kind: "human", name: "" }])) : { [side]: { kind: "human", name: chosen.name }, [other]: { kind: "human", name: "" } };
  /** @type {any} */
  const wish = { title: title.id, scenario: chosen.scenario, options: chosen.options, mode: mode === "watch" ? "opponent" : mode, seats };
  if (chosen.words) wish.words = chosen.words;
  if (chosen.watch !== null) wish.watch = chosen.watch;
  if (chosen.bid !== "" && (mode === "link" || mode === "open")) wish.bid = Number(chosen.bid);
  if (chosen.clock) wish.clock = Number(chosen.clock) >= 86400 ? { seconds: Number(chosen.clock), increment: Number(chosen.clock) } : { seconds: Number(chosen.clock), increment: 0 };
  try {
    const made = await api("games", wish);
    const own = mode === "hotseat" || mode === "link" ? made.seats : Object.fromEntries(Object.entries(made.seats).filter(([each]) => each === side));
    keepSeat({ game: made.game, title: title.id, seats: mode === "watch" ? {} : own, mode, at: Date.now() });
    if (chosen.guide && chosen.guided?.on) keep(`guide.${made.game}`, 0);
    box.close();
    if (mode === "link") { friendLink(made, title, side, other); return; }
    location.hash = gameUrl(made.game, made.seats[side] ?? Object.values(made.seats)[0]);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
  }
}

/** @param {any} made @param {TitleInfo} title @param {string} side @param {string} other */
function friendLink(made, title, side, other) {
  const url = `${location.origin}/${gameUrl(made.game, made.seats[other])}`;
  const box = dialog("Send this to your friend", h("div", null, h("p", null, `Whoever opens it plays the ${title.side_names[other]}. No account is needed. Your own seat stays in this browser.`), h("div", { class: "row" }, h("input", { type: "text", readonly: true, value: url, "aria-label": "Link for your friend" }), button("Copy", () => copy(url))), h("div", { class: "row dialog-foot" }, button("To the map", () => { box.close(); location.hash = gameUrl(made.game, made.seats[side]); }, { cls: "primary" }))));
}

async function chooseLesson() {
  const all = await shelf();
  const box = dialog("First orders", h("div", null, h("p", null, "The real game on the real map, against a recruit, with somebody at your elbow. Battleaxe is the easiest."), h("div", { class: "choice-list" }, all.map((title) => h("button", { type: "button", class: "choice", data: { lesson: title.id }, onclick: () => { box.close(); firstOrders(title.id); } }, h("span", { class: "grow" }, h("b", null, shortName(title.name)), h("span", { class: "mut line" }, BLURB[title.id]?.sub ?? "")))))));
}

/** The guide of a title: its side, its scenario, its steps. @param {string} id @returns {Promise<any>} */
function lessonOf(id) {
  return fetch(`/static/guides/${id}.json`).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
}

/** @param {string} id */
export async function firstOrders(id) {
  const title = (await titles()).find((each) => each.id === id);
  if (!title) return;
  const guide = await lessonOf(id);
  if (!guide) { toast("The guide cannot be read now."); return; }
  const side = guide.side;
  const other = title.sides.find((each) => each !== side) ?? "";
  const made = await api("games", { title: id, scenario: guide.scenario, options: {}, mode: "opponent", seats: { [side]: { kind: "human", name: settings.name }, [other]: { kind: "opponent", level: guide.level } } });
  keepSeat({ game: made.game, title: id, seats: { [side]: made.seats[side] }, mode: "opponent", at: Date.now() });
  keep(`guide.${made.game}`, 0);
  location.hash = gameUrl(made.game, made.seats[side]);
}

/** Running games that their creators left open to watchers. */
async function watch() {
  /** @type {any[]} */
  let games = [];
  try {
    games = await api("games?watch");
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error));
    return;
  }
  if (!games.length) {
    newGame(null, "watch", "Nobody plays in public now. Let two opponents play before your eyes.");
    return;
  }
  const names = Object.fromEntries((await titles()).map((title) => [title.id, title]));
  const row = (/** @type {any} */ game) => {
    const title = names[game.title];
    const players = Object.entries(game.players).map(([side, seat]) => `${title?.side_names[side] ?? side}: ${/** @type {any} */ (seat).name || "a guest"}`);
    return h("a", { class: "game-row", href: gameUrl(game.game), data: { watch: game.game }, onclick: () => box.close() }, h("i", { class: "bullet on" }), h("span", { class: "grow" }, h("b", null, shortName(title?.name ?? game.title)), h("span", { class: "mut line" }, players.join(", "))), h("span", { class: "right" }, h("b", null, "Watch"), h("span", { class: "mut line" }, `line ${game.seq}`)));
  };
  const box = dialog("Being played now", h("div", null, h("p", null, "You see what is public, and nothing that either side hides."), h("div", { class: "game-list" }, games.slice(0, 50).map(row))));
}

function upload() {
  const field = h("input", { type: "file", accept: ".sand,text/plain" });
  field.addEventListener("change", async () => {
    const file = /** @type {HTMLInputElement} */ (/** @type {unknown} */ (field)).files?.[0];
    if (!file) return;
    try {
      const answer = await fetch("/api/games/upload", { method: "POST", headers: { "content-type": "text/plain" }, body: await file.text() });
      const made = await answer.json();
      if (!answer.ok) throw new Error(made.error);
      keepSeat({ game: made.game, title: made.title ?? "", seats: made.seats ?? {}, mode: "hotseat", at: Date.now() });
      location.hash = gameUrl(made.game, /** @type {string} */ (Object.values(made.seats ?? {})[0] ?? ""));
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  });
  const box = dialog("Open a record", h("div", null, h("p", null, "A .sand file holds a whole game. It is played again here and its dice are checked."), field, h("div", { class: "row" }, button("Close", () => box.close()))));
}

/** @param {string} [id] */
async function rulesDialog(id) {
  const all = await shelf();
  const list = h("div", { class: "rule-list" });
  const pick = h("select", { "aria-label": "Game", onchange: () => load() }, all.map((title) => h("option", { value: title.id, selected: title.id === id }, shortName(title.name))));
  const load = async () => {
    const rules = await cached(`titles/${pick.value}/rules`);
    put(list, ...rules.map((/** @type {any} */ rule) => h("details", null, h("summary", null, h("span", { class: "rule" }, rule.number), " ", rule.heading), h("p", null, rule.text))));
  };
  await load();
  dialog("Rules, in our words", h("div", null, pick, list), { cls: "wide" });
}

async function credits() {
  const all = await shelf();
  dialog("Credits", h("div", null, all.map((title) => h("p", null, h("b", null, title.name), h("br"), title.credits)), h("p", null, "Type: Source Serif 4, IBM Plex Sans, IBM Plex Mono, Barlow Condensed, Barlow Semi Condensed, all under the SIL Open Font License 1.1. Unit symbols: milsymbol, MIT.")));
}

async function accountDialog() {
  const found = await api("account").catch(() => null);
  const name = found?.account?.name ?? found?.name;
  if (name) {
    const box = dialog("Your account", h("div", null, h("p", null, "Signed in as ", h("b", null, name), "."), h("div", { class: "row" }, button("Keep this browser's games with it", async () => { for (const seat of mySeats()) for (const token of Object.values(seat.seats)) await api("seats/claim", { game: seat.game, seat: token }).catch(() => {}); toast("Done."); }), button("Tell me of my turns", () => { box.close(); noticesDialog(); }), button("Sign out everywhere else", async () => { const done = await api("account/revoke", {}); toast(done.revoked === 1 ? "One other session was signed out." : `${done.revoked} other sessions were signed out.`); }), button("Sign out", async () => { await api("account/logout", {}); box.close(); location.reload(); }))));
    return;
  }
  const user = h("input", { type: "text", autocomplete: "username", maxlength: "40" });
  const pass = h("input", { type: "password", autocomplete: "current-password" });
  const send = async (/** @type {string} */ how) => {
    try { await api(`account/${how}`, { name: user.value, password: pass.value }); announce("Signed in."); box.close(); location.reload(); } catch (error) { toast(error instanceof Error ? error.message : String(error)); }
  };
  const box = dialog("Sign in", h("div", null, h("p", null, "An account is optional. It keeps your games together on every device."), h("label", { class: "field" }, h("span", null, "Name"), user), h("label", { class: "field" }, h("span", null, "Password, eight characters or more"), pass), h("div", { class: "row" }, button("Make an account", () => send("register")), button("Sign in", () => send("login"), { cls: "primary" }))));
}

/** Where the account is told that it is its turn, when nobody sits at the page. */
async function noticesDialog() {
  const list = h("div", { class: "game-list" });
  const where = h("input", { type: "text", maxlength: "500", placeholder: "name@example.org or https://…", "aria-label": "E-mail address or webhook" });
  const act = async (/** @type {string} */ path, /** @type {any} */ body) => {
    try { await api(path, body); where.value = ""; await draw(); } catch (error) { toast(error instanceof Error ? error.message : String(error)); }
  };
  const draw = async () => {
    const found = await api("notices");
    put(list, ...found.map((/** @type {any} */ each) => h("div", { class: "game-row" }, h("span", { class: "grow" }, h("b", null, each.target), h("span", { class: "mut line" }, each.confirmed ? each.kind : "open the link in the mail we sent")), button("Remove", () => act("notices/remove", { id: each.id })))));
  };
  await draw();
  dialog("Tell me of my turns", h("div", null, h("p", null, "When it is your turn and you are not here, we write to these addresses. Webhooks get a small JSON message."), list, h("div", { class: "row" }, where, button("Add", () => act("notices", { kind: where.value.includes("://") ? "webhook" : "email", target: where.value.trim() })))));
}
