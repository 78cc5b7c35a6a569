// Which screen: the front page, a game, or help. The address after # says it, so links stay secret.

import { applyTheme } from "./api.js";
import { $, h } from "./dom.js";
import { Play } from "./play.js";
import { frontPage } from "./front.js";

/** @type {Play|null} */
let play = null;

function route() {
  const [path, query] = location.hash.replace(/^#/, "").split("?");
  const [, screen, ...rest] = path.split("/");
  const seat = new URLSearchParams(query ?? "").get("seat") ?? "";
  const root = $("#app");
  document.querySelector(".report")?.remove();
  for (const open of document.querySelectorAll("dialog")) open.remove();
  play?.leave();
  play = null;
  // A new screen is read from its top.
  scrollTo(0, 0);
  if (screen === "game" && rest[0]) {
    play = new Play(decodeURIComponent(rest[0]), seat, root);
    return;
  }
  document.title = "Sandtable";
  frontPage(root, screen ?? "", rest);
}

/** Links that came as /game/ID?seat=TOKEN are turned into the form that hides the token. */
function oldLinks() {
  const path = /^\/(?:game|g|play)\/([^/]+)/.exec(location.pathname);
  if (!path) return;
  const seat = new URLSearchParams(location.search).get("seat") ?? "";
  history.replaceState(null, "", `/#/game/${path[1]}${seat ? `?seat=${seat}` : ""}`);
}

addEventListener("hashchange", route);
addEventListener("unhandledrejection", (event) => {
  console.error(event.reason);
  $(".failure")?.remove();
  document.body.append(h("div", { class: "toast failure", role: "alert" }, `Something went wrong: ${event.reason?.message ?? event.reason}. The game itself is safe on the server.`, h("button", { class: "btn small", onclick: () => location.reload() }, "Reload")));
});
// A ring shows where the keyboard is: fingers need none.
const by = (/** @type {string} */ what) => { document.documentElement.dataset.by = what; };
addEventListener("pointerdown", (event) => by(event.pointerType), true);
addEventListener("keydown", () => by("keys"), true);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => applyTheme());
applyTheme();
oldLinks();
route();
