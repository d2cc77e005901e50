import { button, expect, message, test, type Tab } from "./fixtures";

// The service worker would answer with the scripts of the first visit.
test.use({ changes: { holdsApp: true, without: /^sw\.js$/ } });

/** Starts the app, which waits after the first rows. */
const letGo = (tab: Tab) =>
  tab.answers(() => {
    const { startApp } = globalThis as { startApp?: () => void };
    startApp?.();
    return startApp !== undefined;
  }, true);

/** The positions and texts of the messages. */
const rows = (tab: Tab) =>
  tab.window.run(() =>
    [...document.querySelectorAll("[role=feed] article")].map((row) => {
      const { x, y, width, height } = row.getBoundingClientRect();
      const words = (row.querySelector(".content")?.textContent ?? "").replace(/\s+/g, "");
      return `${words} at ${[x, y, width, height].map((px) => px.toFixed(1)).join()}`;
    }),
  );

test("the first rows are drawn before the app, and stand where the app draws them", async ({ server, tab }) => {
  await server.publish("backups", "all copied", { title: "Backup done" });
  await server.publish("backups", "on atlas", { title: "Disk full", priority: 5 });
  await server.publish("backups", "with a link to https://example.org/log and more");
  await tab.goto(`${server.url}#/backups`);
  await letGo(tab);
  await tab.press(button("Subscribe", "main"));
  await tab.shows(message("all copied"));
  // Once the page is idle it stores the texts around the rows, which its next start draws.
  await tab.answers(() => localStorage.getItem("earshot-said") !== null, true);

  await tab.reload();
  await tab.shows({ css: "[role=feed] article" }, 3);
  const first = await rows(tab);
  expect(await tab.seen(button("More", "main > header")), "the app is not there yet").toEqual([]);
  await letGo(tab);
  await tab.shows(button("More", "main > header"));
  expect(await rows(tab)).toEqual(first);
  await server.curl("backups", "live behind them");
  await tab.shows(message("live behind them"));
});
