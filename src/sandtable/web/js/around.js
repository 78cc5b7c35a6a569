// Around the game: the menu, links, offers, sandbox, placing the rest, and settings.

import { readCounters } from "./reading.js";
import { $, button, capital, dialog, h, icon, mark, toast } from "./dom.js";
import { api, change, gameUrl, keepSeat, mySeats, reducedMotion, settings, SPEEDS } from "./api.js";
import { keysHelp } from "./keys.js";
import { openReport } from "./report.js";
import { hint } from "./advice.js";

/** @typedef {import("./play.js").Play} Play */

/** @param {Play} play */
export function openMenu(play) {
  const link = `${location.origin}/${gameUrl(play.id)}`;
  const playing = !play.state.outcome && play.state.you;
  const item = (/** @type {string} */ sign, /** @type {string} */ text, /** @type {() => void} */ act) =>
    h(
      "button",
      {
        type: "button",
        class: "choice",
        onclick: () => {
          box.close();
          act();
        },
      },
      icon(sign),
      h("span", { class: "grow" }, text),
    );
  const box = dialog(
    "Menu",
    h(
      "div",
      { class: "menu-grid" },
      playing && item("hint", "Ask for advice", () => hint(play)),
      playing && item("book", "Guided first turn", () => play.guide.restart()),
      item("help", "Keys", () => keysHelp()),
      item("key", "How to read a counter", () => readCounters(play.title)),
      item("gear", "Settings", () => openSettings(play)),
      item("link", "Links to the seats", () => seatLinks(play)),
      item("eye", "Copy a link to watch", () => copy(link)),
      item("dl", "Record of the game", () => {
        window.open(`/api/games/${play.id}/record${play.seat ? `?seat=${play.seat}` : ""}`);
      }),
      play.state.seq > 0 && item("clock", "Look back", () => play.scrubber.step(-1)),
      mayBranch(play) && item("branch", "Sandbox from here", () => branch(play, play.past?.at ?? play.state.seq)),
      // An opponent never agrees to a draw.
      playing && Object.values(play.state.players ?? {}).every((each) => each?.kind !== "opponent") &&
        item("shield", "Offer a draw", () =>
          play.live.ask("offer", { what: "draw" }).then(
            () => toast("A draw is offered."),
            (error) => play.refused(error),
          ),
        ),
      playing && item("flag", "Resign", () => resign(play)),
      play.state.outcome && item("play", "Report", () => openReport(play)),
      sandboxOf(play) && item("back", "Back to the real game", () => {
        location.hash = sandboxOf(play);
      }),
      item("fwd", "Front page", () => {
        location.hash = "#/";
      }),
    ),
  );
}

/** The address of the game that this one is a sandbox of. @param {Play} play */
export function sandboxOf(play) {
  const known = mySeats().find((each) => each.game === play.id);
  return known?.mode === "sandbox" ? known.from ?? "" : "";
}

/** @param {Play} play */
export function resign(play) {
  const box = dialog(
    "Resign?",
    h(
      "div",
      null,
      h("p", null, "The game ends at once and the other side wins."),
      h(
        "div",
        { class: "row" },
        button("Play on", () => box.close()),
        button(
          "Resign",
          () => {
            box.close();
            play.live.ask("resign", {}).catch((error) => play.refused(error));
          },
          { cls: "primary" },
        ),
      ),
    ),
  );
}

/** @param {Play} play */
export function seatLinks(play) {
  const known = mySeats().find((each) => each.game === play.id);
  const rows = Object.entries(known?.seats ?? {}).map(([side, token]) => {
    const url = `${location.origin}/${gameUrl(play.id, token)}`;
    return h(
      "div",
      { class: "row seat-link" },
      mark(side),
      h("b", null, play.nameOf(side)),
      h("input", { type: "text", readonly: true, value: url, "aria-label": `Link to the ${play.nameOf(side)} seat` }),
      button("Copy", () => copy(url), { cls: "small" }),
    );
  });
  dialog(
    "Links to the seats",
    h(
      "div",
      null,
      h("p", null, "Whoever has a link can play that side. Send the other side's link to your friend; keep yours."),
      rows.length ? rows : h("p", null, "This browser holds no seat of this game."),
      h("p", { class: "mut" }, "To watch only: ", `${location.origin}/${gameUrl(play.id)}`),
    ),
  );
}

/** @param {Play} play */
export function takeSeat(play) {
  const name = h("input", { type: "text", maxlength: "40", value: settings.name });
  const words = h("input", { type: "text", maxlength: "200" });
  const bids = /** @type {any} */ (play.title).bids;
  const bid = h("input", { type: "number", value: "10" });
  const box = dialog(
    "Take this seat",
    h(
      "div",
      null,
      h("label", { class: "field" }, h("span", null, "Your name"), name),
      h(
        "label",
        { class: "field" },
        h("span", null, "Your words for the dice"),
        words,
        h("span", { class: "mut" }, "They are mixed into the seed, so that nobody alone decides the dice."),
      ),
      bids ? h("label", { class: "field" }, h("span", null, "Your bid, if sides are decided by bids"), bid) : null,
      h(
        "div",
        { class: "row" },
        button("Not now", () => box.close()),
        button(
          "Begin",
          async () => {
            try {
              const header = await api(`games/${play.id}${play.seat ? `?seat=${encodeURIComponent(play.seat)}` : ""}`);
              await api(`games/${play.id}/join`, {
                seat: play.seat,
                side: play.state.you,
                name: name.value,
                words: words.value,
                ...(header.bidding ? { bid: Number(bid.value) } : {}),
              });
              change({ name: name.value });
              box.close();
            } catch (error) {
              play.refused(error);
            }
          },
          { cls: "primary", data: { join: "yes" } },
        ),
      ),
    ),
  );
}

/** @param {Play} play */
export function drawOffers(play) {
  const offers = play.state.offers ?? {};
  const [what, by] =
    Object.entries(offers).find(([, side]) => side !== play.state.you && play.state.you !== "both") ?? [];
  const old = $(".offer", play.el);
  if (!what || !play.state.you) {
    old?.remove();
    return;
  }
  if (old) return;
  const answer = (/** @type {boolean} */ yes) =>
    play.live.ask("answer", { what, yes }).then(
      (result) => {
        $(".offer", play.el)?.remove();
        if (result.rematch) location.hash = gameUrl(result.rematch, play.seat);
      },
      (error) => play.refused(error),
    );
  play.el.append(
    h(
      "div",
      { class: "offer on-map", role: "alertdialog", "aria-label": "Offer" },
      h("span", null, `${play.nameOf(/** @type {string} */ (by))} offers a ${what}.`),
      button("Decline", () => answer(false), { cls: "small" }),
      button("Accept", () => answer(true), { cls: "small primary" }),
    ),
  );
}

/** A game that goes on has secrets from who only watches. @param {Play} play */
export function mayBranch(play) {
  return !!play.state.you || !!play.state.outcome;
}

/** @param {Play} play @param {number} at */
export async function branch(play, at) {
  const levels = ["yourself", "recruit", "officer", "general"];
  const pick = h(
    "select",
    { "aria-label": "Against" },
    levels.map((level) => h("option", { value: level }, capital(level))),
  );
  const side = h(
    "select",
    { "aria-label": "You play" },
    play.title.sides.map((each) => h("option", { value: each, selected: each === play.me }, play.nameOf(each))),
  );
  const box = dialog(
    "Sandbox",
    h(
      "div",
      null,
      h("p", null, `A copy of the game at line ${at}, to try things out. The real game stays as it is.`),
      h("label", { class: "field" }, h("span", null, "Against"), pick),
      h("label", { class: "field" }, h("span", null, "You play"), side),
      h(
        "div",
        { class: "row" },
        button("Cancel", () => box.close()),
        button(
          "Open the sandbox",
          async () => {
            const level = pick.value;
            const seats = Object.fromEntries(
              play.title.sides.map((each) => [
                each,
                level !== "yourself" && each !== side.value ? { kind: "opponent", level } : { kind: "human" },
              ]),
            );
            try {
              const made = await api(`games/${play.id}/branch`, { at, seats, seat: play.seat || undefined });
              box.close();
              keepSeat({ game: made.game, title: play.title.id, seats: made.seats, mode: "sandbox", at: Date.now(), from: location.hash });
              location.hash = gameUrl(made.game, made.seats[side.value] ?? Object.values(made.seats)[0]);
            } catch (error) {
              box.close();
              play.refused(error);
            }
          },
          { cls: "primary", icon: "branch" },
        ),
      ),
    ),
  );
}

/** What was advised, or the nearest place with more room for the same unit if two stand there already. @param {Play} play @param {string} text */
function roomier(play, text) {
  const advised = play.state.actions.find((action) => action.text === text);
  const crowd = (/** @type {import("./types.js").Action} */ action) => play.board.stacks.get(action.spaces.at(-1) ?? "")?.length ?? 0;
  if (!advised?.spaces.length || play.board.areas || crowd(advised) < 2) return text;
  const others = play.state.actions.filter((each) => each.kind === advised.kind && each.units.join() === advised.units.join());
  const far = (/** @type {import("./types.js").Action} */ action) => play.board.distance(advised.spaces.at(-1) ?? "", action.spaces.at(-1) ?? "");
  const roomy = others.filter((each) => crowd(each) < 2);
  return (roomy.length ? roomy.reduce((best, each) => (far(each) < far(best) ? each : best)) : advised).text;
}

/** Let an officer set up what is still to be placed; it stops at the first real decision. @param {Play} play */
export async function placeRest(play) {
  if (play.placing) {
    play.placing = false;
    return;
  }
  play.placing = true;
  try {
    while (
      play.placing &&
      play.mayAct &&
      play.state.actions.every((action) => !!play.title.places?.includes(action.kind))
    ) {
      const seq = play.state.seq;
      const advice = await play.live.ask("hint", { level: "officer" });
      const { caution } = await play.live.ask("odds", { action: advice.action });
      const text = caution && caution !== play.view.caution ? roomier(play, advice.action) : advice.action;
      await play.live.ask("play", { action: text, seq });
      while (play.placing && (play.state.seq === seq || play.draining))
        await new Promise((resolve) => setTimeout(resolve, 15));
    }
  } catch (error) {
    play.refused(error);
  } finally {
    play.placing = false;
    play.settle();
  }
}

/** @param {string} text */
export function copy(text) {
  navigator.clipboard?.writeText(text).then(
    () => toast("Copied."),
    () => toast(text, 20000),
  ) ?? toast(text, 20000);
}

/** @param {Play|null} play */
export function openSettings(play) {
  const pick = (/** @type {string} */ label, /** @type {string} */ name, /** @type {[any, string][]} */ values) =>
    h(
      "label",
      { class: "field" },
      h("span", null, label),
      h(
        "select",
        {
          onchange: /** @param {Event} event */ (event) => {
            const raw = /** @type {HTMLSelectElement} */ (event.target).value;
            change({ [name]: JSON.parse(raw) });
            play?.render();
          },
        },
        values.map(([value, word]) =>
          h("option", { value: JSON.stringify(value), selected: /** @type {any} */ (settings)[name] === value }, word),
        ),
      ),
    );
  dialog(
    "Settings",
    h(
      "div",
      null,
      pick("Colours", "theme", [
        ["system", "As the system has them"],
        ["day", "Day"],
        ["night", "Night"],
      ]),
      pick("Dice and moves of the other side", "speed", SPEEDS),
      pick("Before a move that can be taken back", "confirm", [
        [false, "Move at one click"],
        [true, "Ask every time"],
      ]),
      pick("The map follows the other side's moves", "follow", [
        [true, "Yes"],
        [false, "No"],
      ]),
      reducedMotion()
        ? h("p", { class: "mut" }, "Your system asks for little motion: moves jump and leave a trail.")
        : null,
    ),
  );
}
