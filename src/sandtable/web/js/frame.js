// The frame around the map: top bar, tools, tabs of a phone, text view or map.

import { $, announce, capital, h, icon, iconButton, mark, put } from "./dom.js";
import { change, keep, shortName, theme } from "./api.js";
import { overlayGroup } from "./overlays.js";
import { drawOverlays, light } from "./lights.js";
import { say } from "./prompt.js";
import { undo } from "./choosing.js";
import { find, jump } from "./looking.js";
import { openMenu, sandboxOf } from "./around.js";
import { readCounters } from "./reading.js";
import { clockText, levelName } from "./words.js";

/** @typedef {import("./play.js").Play} Play */

const TABS = [
  ["map", "layers", "Map"],
  ["turn", "clock", "Turn"],
  ["log", "text", "Log"],
  ["rules", "book", "Rules"],
  ["text", "eye", "Text"],
];

/** Put the parts of the screen together. @param {Play} play */
export function build(play) {
  play.board.el.setAttribute("aria-describedby", "map-help");
  play.board.el.append(play.tip, play.menu, play.legend, play.hand, play.overview, h("p", { id: "map-help", hidden: true }, "Arrow keys walk the map, N goes to the next unit that can act, Enter chooses, B goes to the buttons, T opens the text view, the question mark lists all keys."));
  put(
    play.tabs,
    ...TABS.map(([id, sign, word]) =>
      h("button", { type: "button", data: { tab: id }, onclick: () => showTab(play, id) }, icon(sign, 22), word),
    ),
  );
  play.overview.addEventListener("click", (event) => jump(play, event));
  play.board.el.addEventListener("pointerdown", () => openRail(play, false));
  play.el.append(
    h(
      "a",
      {
        class: "skip",
        href: "#prompt",
        onclick: /** @param {Event} event */ (event) => {
          event.preventDefault();
          $("button", play.prompt)?.focus();
        },
      },
      "Skip to choices",
    ),
    play.top,
    play.notice,
    play.rail,
    h("main", { class: "table", "aria-label": "Game" }, play.board.el),
    play.prompt,
    play.scrubber.el,
    play.panels.el,
    play.panels.second,
    play.sheet,
    play.text.el,
    play.tabs,
  );
  put(play.root, play.el);
  // What is said for a moment stands at the lower edge of the map, above the prompt, however high that is.
  const edges = new ResizeObserver(() => {
    const map = play.board.el.getBoundingClientRect();
    const { style } = document.documentElement;
    style.setProperty("--above-prompt", `${Math.round(innerHeight - play.prompt.getBoundingClientRect().top)}px`);
    style.setProperty("--map-left", `${Math.round(map.left)}px`);
    style.setProperty("--map-width", `${Math.round(map.width)}px`);
  });
  for (const each of [play.prompt, play.board.el]) edges.observe(each);
  showTab(play, "map");
  say(play, "Fetching the game …");
}

/** @param {Play} play @param {string} tab */
export function showTab(play, tab) {
  if (tab === "text") {
    textView(play, true);
    return;
  }
  play.tab = tab;
  play.el.setAttribute("data-tab", tab);
  for (const each of play.tabs.querySelectorAll("button"))
    each.setAttribute("aria-current", String(each.dataset.tab === tab));
  if (tab === "log" || tab === "rules") play.panels.open(tab);
}

/** @param {Play} play @param {boolean} on */
export function textView(play, on) {
  play.text.show(on);
  play.el.classList.toggle("as-text", on);
  keep("text", on);
  if (!on) {
    play.board.apply();
    play.render();
  }
}

/** Who plays whom, the viewer first. @param {Play} play */
export function players(play) {
  const { players: seated, you } = play.state;
  const view = play.view;
  const who = (/** @type {string} */ side) => {
    const player = seated?.[side] ?? {};
    const self = you === side;
    const name = self
      ? "You"
      : player.kind === "opponent"
        ? [levelName(player.level), h("span", { class: "of-machine" }, " (computer)")]
        : player.name || (you === "both" ? play.nameOf(side) : `${play.nameOf(side)} player`);
    const clock = play.state.clocks?.[side] ?? play.state.clocks?.left?.[side];
    return h(
      "span",
      { class: `side ${view.actor === side ? "now" : ""}` },
      mark(side),
      h("span", { class: "called" }, name),
      clock !== undefined && h("span", { class: "clock fig" }, clockText(clock)),
    );
  };
  const order = you && you !== "both" ? [you, ...play.title.sides.filter((side) => side !== you)] : play.title.sides;
  return [who(order[0]), h("span", { class: "against" }, "against"), who(order[1])];
}

/** Turn, date and phase; who decides, where the phase does not tell. @param {Play} play */
function moment(play) {
  const { turn, phase = "", phase_side: whose, actor, over } = play.view;
  const parts = [...turn.split(", "), ...phase.split(", ")].filter(Boolean);
  const last = phase ? parts.pop() : "";
  // "Allied assault" tells that the Allies decide.
  const told = !actor || over || whose === actor;
  return [
    h("span", { class: "date" }, parts.join(" · ")),
    last && h("span", null, " · ", h("b", null, last)),
    !told && h("span", { class: "who" }, " · ", h("b", null, `${play.nameOf(actor)} to decide`)),
  ];
}

/** @param {Play} play */
export function drawTop(play) {
  if (!play.title) return;
  const { you } = play.state;
  const view = play.view;
  const scenario = play.title.scenarios.find((each) => each.id === view.scenario);
  put(
    play.top,
    h("a", { class: "wordmark", href: "#/" }, "Sandtable"),
    h("span", { class: "sep", "aria-hidden": "true" }),
    h("h1", { class: "game-name" }, shortName(play.title.name)),
    sandboxOf(play)
      ? h("a", { class: "sandbox-of", href: sandboxOf(play), title: "Back to the real game" }, icon("back", 16), "Sandbox")
      : h("span", { class: "scenario" }, scenario?.name ?? ""),
    h(
      "span",
      { class: "when" },
      play.past ? [`Line ${play.past.at}`, " · "] : null,
      moment(play),
    ),
    h("span", { class: `players ${you === "both" ? "both" : you ? "mine" : ""}` }, players(play)),
    !you && h("span", { class: "watching" }, "watching"),
    h(
      "span",
      { class: "top-tools" },
      h(
        "button",
        {
          type: "button",
          class: "icon take-back-top",
          "aria-label": "Take back",
          disabled: !play.state.can_undo || !!play.past,
          onclick: () => undo(play),
        },
        icon("undo"),
      ),
      iconButton("book", "Rules", () => {
        showTab(play, "rules");
        play.panels.open("rules");
      }),
      iconButton(theme() === "day" ? "moon" : "sun", theme() === "day" ? "Night colours" : "Day colours", () => {
        change({ theme: theme() === "day" ? "night" : "day" });
      }),
      iconButton("menu", "Menu", () => openMenu(play)),
    ),
  );
}

/** @param {Play} play */
export function drawRail(play) {
  const groups = new Set((play.state.view.overlays ?? []).map((overlay) => overlayGroup(overlay.id)));
  /** @type {[string, string, string, string][]} */
  const tools = [["reach", "reach", "Reach", "R"]];
  if (groups.has("supply")) tools.push(["supply", "supply", "Supply", "S"]);
  if (groups.has("zones")) tools.push(["zones", "zoc", "Zones", "Z"]);
  if (groups.has("command")) tools.push(["command", "command", "Command", "C"]);
  if (groups.has("other")) tools.push(["other", "layers", "More", "M"]);
  const held = Object.keys(play.state.view.control ?? {}).length > 0;
  if (held || play.board.data.spaces.some((space) => space.vp))
    tools.push(["control", "flag", held ? "Control" : "Points", "V"]);
  tools.push(["names", "eye", "Names", "G"], ["key", "key", "Key", "K"]);
  const on = (/** @type {string} */ id) => play.tools.has(id) !== (id === "names"); // Names are there until they are switched off.
  const stood = [...play.rail.children].indexOf(/** @type {Element} */ (document.activeElement));
  put(
    play.rail,
    h(
      "button",
      {
        type: "button",
        class: "tool layers",
        "aria-label": "Layers",
        "aria-expanded": String(play.rail.classList.contains("open")),
        onclick: () => openRail(play, !play.rail.classList.contains("open")),
      },
      icon("layers", 22),
      h("span", { class: "word" }, "Layers"),
      h("span", { class: "word grow" }),
      h("span", { class: "word" }, "×"),
    ),
    ...tools.map(([id, sign, word, key]) =>
      h(
        "button",
        {
          type: "button",
          class: "tool",
          "aria-pressed": String(on(id)),
          title: `${word} (${key})`,
          data: { tool: id },
          onclick: () => toggle(play, id),
        },
        icon(sign),
        word,
      ),
    ),
    h("span", { class: "grow" }),
    h(
      "button",
      {
        type: "button",
        class: "tool short",
        "aria-label": "Closer",
        title: "Closer (+)",
        onclick: () => play.board.zoom(1.3),
      },
      icon("plus"),
      h("span", { class: "word" }, "Closer"),
    ),
    h(
      "button",
      {
        type: "button",
        class: "tool short",
        "aria-label": "Farther",
        title: "Farther (−)",
        onclick: () => play.board.zoom(1 / 1.3),
      },
      icon("minus"),
      h("span", { class: "word" }, "Farther"),
    ),
    h(
      "button",
      {
        type: "button",
        class: "tool short",
        "aria-label": "Whole map",
        title: "Whole map (0)",
        onclick: () => play.board.fit(),
      },
      icon("fit"),
      h("span", { class: "word" }, "Whole map"),
    ),
    h("button", { type: "button", class: "tool", title: "Find (F)", onclick: () => find(play) }, icon("find"), "Find"),
    h(
      "button",
      { type: "button", class: "tool", title: "Text view (T)", onclick: () => textView(play, true) },
      icon("text"),
      "Text",
    ),
  );
  // Who switches a layer with the keyboard stays on its button.
  if (stood >= 0) /** @type {HTMLElement|undefined} */ (play.rail.children[stood])?.focus({ preventScroll: true });
  play.board.el.classList.toggle("no-names", play.tools.has("names"));
  play.board.showKey(shortName(play.title.name), play.tools.has("key"), () => readCounters(play.title));
  if (play.tools.has("key")) play.board.key.prepend(iconButton("x", "Close the key", () => { toggle(play, "key"); play.board.el.focus({ preventScroll: true }); }));
}

/** The tools of a phone, behind one button. @param {Play} play @param {boolean} open */
export function openRail(play, open) {
  if (play.rail.classList.contains("open") === open) return;
  play.rail.classList.toggle("open", open);
  if (open) play.guide.fold(innerWidth <= 700);
  drawRail(play);
}

/** @param {Play} play @param {string} tool */
export function toggle(play, tool) {
  if (!play.tools.delete(tool)) play.tools.add(tool);
  if (tool === "key") openRail(play, false);
  keep("tools", [...play.tools]);
  drawRail(play);
  drawOverlays(play);
  light(play);
  if (play.tools.has(tool)) play.guide.toggled(tool);
  announce(`${capital(tool)} ${play.tools.has(tool) !== (tool === "names") ? "shown" : "hidden"}`);
}
