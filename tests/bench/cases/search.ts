import type { Page } from "@playwright/test";
import { firstRowMs, openWatched, startAppServer } from "../app-server";
import type { BenchCase, Measurement } from "../bench-case";

const SIZES = [100, 10_000, 100_000];
const ROUNDS = { whole: 9, quick: 3 };
const BUDGET_MS = 100;

/** The searches, in messages whose words are drawn at random from a few. */
const SEARCHES: readonly { name: string; filter: string }[] = [
  { name: "a common word", filter: "backup" },
  { name: "a rare sequence of common words", filter: '"twelve snapshots were kept"' },
  { name: "a word that is nowhere", filter: "zebra" },
  { name: "a priority and a tag", filter: "priority:urgent tag:warning" },
  { name: "a tag that is nowhere", filter: "tag:zebra" },
  { name: "what is unread, without a word", filter: "is:unread -backup" },
  { name: "a word in old titles", filter: "title:disk before:1h" },
];

/** Times of one search, ms since it was entered. */
interface Times {
  first: number;
  all: number;
}

/** Measures from a complete filter to the first result, and to the count of all results, as drawn. */
export const searchCase: BenchCase = {
  name: "search",
  about: "filter to first results drawn, and to the count of all, by messages stored",
  async run({ browser, isQuick, note }) {
    const measurements: Measurement[] = [];
    for (const size of SIZES) {
      const server = await startAppServer();
      const context = await browser.newContext();
      note(`filling ${size}`);
      await server.fill(context, { topics: ["backup", "doors", "disks"], count: size, indexed: true });
      const page = await openWatched(context);
      await page.goto(server.url);
      await firstRowMs(page);
      await page.getByRole("main").getByText("Live", { exact: true }).waitFor();
      const rounds = isQuick ? ROUNDS.quick : ROUNDS.whole;
      const found = new Map(SEARCHES.map(({ name }) => [name, [] as Times[]]));
      for (let round = -1; round < rounds; round++) {
        note(`${size} stored: round ${round + 1} of ${rounds}`);
        for (const { name, filter } of SEARCHES) {
          const times = await search(page, filter);
          // The first round is left out, as it loads the code for searches.
          if (round >= 0) found.get(name)?.push(times);
        }
      }
      for (const [name, times] of found) {
        measurements.push({
          name: `${size} stored: ${name}`,
          measured: times.map(({ first }) => first),
          budget: { kind: "value", atMost: BUDGET_MS },
          beside: { "all counted": times.map(({ all }) => all) },
          at: { line: name, size },
        });
      }
      await context.close();
      await server.close();
    }
    return measurements;
  },
};

/** Applies a filter as Enter does, and removes it again. */
async function search(page: Page, filter: string): Promise<Times> {
  const times = await page.evaluate(async (filter) => {
    const box = document.querySelector<HTMLInputElement>("[role=search] input");
    const status = document.querySelector("[role=search] [role=status]");
    if (!box?.form || !status) throw new Error("no filter box");
    const afterFrame = () =>
      new Promise<number>((resolve) =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now());
          port2.postMessage(undefined);
        }),
      );
    const until = (holds: () => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!holds()) return;
          observer.disconnect();
          resolve();
        };
        const observer = new MutationObserver(look);
        observer.observe(document, { childList: true, subtree: true, characterData: true });
        look();
      });
    const before = document.querySelector("[role=feed]");
    const isFirst = () => {
      const feed = document.querySelector("[role=feed]");
      // Results are in a list of their own; if there are none, a heading says so.
      return feed
        ? feed !== before && feed.querySelector("article") !== null
        : document.querySelector("main h2") !== null;
    };
    const isAll = () => /^[\d,]+ of/.test(status.textContent.trim());
    box.value = filter;
    box.dispatchEvent(new InputEvent("input", { bubbles: true }));
    const begun = performance.now();
    box.form.requestSubmit();
    const first = until(isFirst).then(afterFrame);
    const all = until(isAll).then(afterFrame);
    return { first: (await first) - begun, all: (await all) - begun };
  }, filter);
  await page.getByRole("button", { name: "Clear the search and filter" }).click();
  await page.locator("[role=search] [role=status]").filter({ hasNotText: /./ }).waitFor({ state: "attached" });
  await page.waitForFunction(() => document.querySelectorAll("[role=feed] article").length > 5);
  return times;
}
