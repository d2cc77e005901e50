import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TestServer } from "../e2e/fixtures";
import { copyApp } from "./app-copy";
import { button, expect, message, subscribe, test, words, type Tab } from "./fixtures";

/** The digits that a page shows to compare. */
const digits = (tab: Tab) =>
  tab.window.run(() => /\d{3} \d{3}/.exec(document.querySelector("main")?.textContent ?? "")?.[0] ?? "");

test("two devices pair by a link, and what is read on one is read on the other", async ({ server, tab, openTab }) => {
  // An app at another origin has stored nothing, as on another device.
  const folder = await mkdtemp(join(tmpdir(), "earshot-app-"));
  await copyApp(folder, {});
  const other = new TestServer({ app: folder });
  await other.start();
  try {
    await subscribe(tab, server, "backups");
    await server.curl("backups", "disk full");
    await tab.shows(message("disk full"));
    await tab.goto(`${server.url}#/~settings/devices`);
    await tab.press(button("Use Earshot on several devices"));
    await tab.shows(button("Copy link"));
    await tab.window.run(() => {
      const writeText = (text: string) => Promise.resolve(void (document.title = text));
      Object.defineProperty(navigator, "clipboard", { value: { writeText } });
    });
    await tab.press(button("Copy link"));
    await tab.shows(words("Copied"));
    const link = await tab.window.run(() => document.title);
    const second = await openTab();
    await second.goto(link.replace(server.url, other.url));
    await second.shows(words("Join your other devices?"));
    await second.press(button("Join"));
    await expect.poll(() => digits(second)).toMatch(/^\d/);
    await expect.poll(() => digits(tab)).toBe(await digits(second));
    await tab.press(button("Yes, the same"));
    await second.shows(words("All devices are in step."));
    await second.goto(`${other.url}#/`);
    await second.shows(message("disk full"));
    await second.shows(words("1 unread", "main"));
    await tab.goto(`${server.url}#/backups`);
    await tab.press(message("disk full"));
    await second.shows(words("1 unread", "main"), 0);
  } finally {
    await other.stop();
    await rm(folder, { recursive: true });
  }
});
