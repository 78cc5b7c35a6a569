// What the server says, one case each.

import { button, toast } from "./dom.js";
import { fetchArt } from "./fetching.js";
import { drawTop } from "./frame.js";
import { drawOffers } from "./around.js";
import { say } from "./prompt.js";
import { oldTab } from "./connection.js";
import { comeBack } from "./since.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./types.js").LogLine} LogLine */

/** @param {Play} play @param {any} message */
export async function receive(play, message) {
  switch (message.type) {
    case "state": {
      play.queue = [];
      await play.begin(message);
      break;
    }
    case "resume": {
      for (const missed of play.queue.splice(0)) play.note(missed);
      play.log = [
        ...play.log.filter((line) => line.seq <= message.seq),
        ...message.log.filter((/** @type {LogLine} */ line) => !play.log.some((known) => known.seq === line.seq)),
      ];
      play.thinksFrom(message);
      const { log: _, ...rest } = message;
      play.state = { ...play.state, ...rest };
      play.forget();
      await fetchArt(play, play.state.view.pieces ?? []);
      comeBack(play);
      play.settle();
      break;
    }
    case "update":
      play.queue.push(message);
      play.thinksSince = performance.now();
      play.drain();
      break;
    case "chat":
      play.state?.chat?.push(message);
      play.panels.chatArrived(message);
      break;
    case "presence":
      if (play.state) {
        play.state.players = message.players;
        drawTop(play);
      }
      break;
    case "offer":
      if (play.state) {
        play.state.offers = message.offers ?? play.state.offers;
        drawOffers(play);
      }
      break;
    case "thinking":
      play.thinksFrom({ thinking: message });
      break;
    case "clock":
      if (play.state) {
        play.state.clocks = message.clocks ?? message;
        drawTop(play);
      }
      break;
    case "error":
      toast([message.error, " ", play.rule(message.rule)]);
      break;
    case "version":
    case "reload":
      oldTab(play);
      break;
    case "gone":
      say(play, message.reason || "This game is not here, or the link does not open it.");
      play.prompt.append(
        button(
          "To the front page",
          () => {
            location.hash = "#/";
          },
          { cls: "primary" },
        ),
      );
      break;
  }
}
