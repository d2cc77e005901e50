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
      // Without the tools, which come with the app.
      const parts = [".from", "time", "h2", ".words"].map((part) => row.querySelector(part)?.textContent ?? "");
      const words = parts.join().replace(/\s+/g, "");
      return `${words} at ${[x, y, width, height].map((px) => px.toFixed(1)).join()}`;
    }),
  );

test("the first rows are drawn before the app, in the places where the app draws them", async ({ server, tab }) => {
  await server.publish("backups", "all copied", { title: "Backup done" });
  await server.publish("backups", "on atlas", { title: "Disk full", priority: 5 });
  await server.publish("backups", "with a link to https://example.org/log and more");
  await tab.goto(`${server.url}#/backups`);
  await letGo(tab);
  await tab.press(button("Subscribe", "main"));
  await tab.shows(message("all copied"));
  // Once the page is at rest it keeps a snapshot, which its next start shows.
  await tab.answers(
    () =>
      new Promise<number>((resolve) => {
        const open = indexedDB.open("earshot");
        open.onsuccess = () => {
          const count = open.result.transaction("snapshots").objectStore("snapshots").count();
          count.onsuccess = () => (open.result.close(), resolve(count.result));
        };
      }),
    1,
  );

  await tab.reload();
  await tab.shows({ css: "[role=feed] article" }, 3);
  const first = await rows(tab);
  await tab.shows({ css: "#app[aria-busy=true]" });
  await letGo(tab);
  await tab.shows({ css: "#app:not([aria-busy])" });
  expect(await rows(tab)).toEqual(first);
  await server.curl("backups", "live behind them");
  await tab.shows(message("live behind them"));
});
