// The line to the server: lost and found again, and a page that has grown old.

import { button, put } from "./dom.js";

/** @typedef {import("./play.js").Play} Play */

/** @param {Play} play @param {string} status @param {number} tries */
export function connection(play, status, tries) {
  if (status === "open" && play.wasLost) checkVersion(play);
  play.wasLost = status === "lost" || (play.wasLost && status !== "open");
  if (status === "lost") {
    play.notice.hidden = false;
    put(
      play.notice,
      `The connection is lost. Trying again${tries > 1 ? ` (${tries})` : ""} … Nothing you did is lost.`,
      button("Try now", () => play.live.connect(), { cls: "small" }),
    );
  } else if (status === "open" && !play.notice.dataset.keep) play.notice.hidden = true;
}

/** After a lost line the server may be a newer one: some file of its page then has another tag. @param {Play} play */
export async function checkVersion(play) {
  const loaded = performance.getEntriesByType("resource").map((each) => new URL(each.name).pathname);
  const files = ["/", ...new Set(loaded.filter((path) => /^\/static\/.*\.(js|css)$/.test(path)))].sort();
  try {
    const tags = await Promise.all(
      files.map(async (file) => (await fetch(file, { method: "HEAD", cache: "no-store" })).headers.get("etag")),
    );
    const now = tags.join(" ");
    if (play.version && play.version !== now) oldTab(play);
    play.version = now;
  } catch {
    // The next reconnection asks again.
  }
}

/** @param {Play} play */
export function oldTab(play) {
  play.notice.dataset.keep = "yes";
  play.notice.hidden = false;
  put(
    play.notice,
    "The server has a newer version of this page.",
    button("Reload", () => location.reload(), { cls: "small" }),
  );
}
