import type { BrowserContext, Page } from "@playwright/test";
import type { Transport } from "../../src/contract";
import { expect, lookAgain, test, TRANSPORTS, type FarServer } from "../e2e/faults";
import { expectLive, keptOffline, message, storedMessages } from "../e2e/on-screen";
import { STREAMS } from "../e2e/tcp-proxy";
import { figuresOf, figuresOfWorker, isLevel, tableOf, type Figures } from "./figures";

const MINUTES = Number(process.env["SOAK_MINUTES"] ?? 60);
const SEED = Number(process.env["SOAK_SEED"] ?? 1);

/** The pause between two faults, ms: shortest and longest. */
const BETWEEN_MS = [500, 4_000] as const;
/** Faults until the next transport is chosen. After many more the app would choose polling by itself and stay there. */
const FAULTS_BY_TRANSPORT = 10;
const TRANSPORTS_IN_TURN = ["json", "sse", "ws", "poll"] as const satisfies Transport[];
/** Time within which missing messages must be found, ms: the longest wait between tries, and a reconciling poll. */
const CAUGHT_UP_WITHIN_MS = 120_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Random numbers from 0 to 1 that a seed makes repeatable (mulberry32). */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Waits until all messages published so far are stored. */
async function caughtUp(page: Page, far: FarServer): Promise<void> {
  const wanted = far.published.length;
  await expect
    .poll(
      async () => {
        await lookAgain(page);
        return (await storedMessages(page)).rows;
      },
      { message: "messages stored", timeout: CAUGHT_UP_WITHIN_MS, intervals: [1_000] },
    )
    .toBeGreaterThanOrEqual(wanted);
}

interface Stage {
  far: FarServer;
  context: BrowserContext;
  /** The first tab is never reloaded, so that its figures cover the whole time. */
  tabs: [Page, Page, Page];
  /** A random whole number in this range. */
  between(from: number, to: number): number;
}

/** Each fault begins and ends. */
const FAULTS: Record<string, (stage: Stage) => Promise<void>> = {
  "connections cut": async ({ far }) => far.proxy.cut(),
  "a stream cut in the middle": async ({ far, between }) => far.proxy.cutAfter(between(1, 4_000), STREAMS),
  "a slow line": async ({ far, between }) => {
    far.proxy.delay(between(20, 400));
    await pause(between(2_000, 6_000));
    far.proxy.pass();
  },
  "a stall": async ({ far, between }) => {
    far.proxy.stall();
    await pause(between(1_000, 8_000));
    far.proxy.pass();
  },
  "half-open streams": async ({ far, between }) => {
    far.proxy.loseSilently(STREAMS);
    // The watchdog finds it, unless something else happens first.
    await pause(between(1_000, 25_000));
  },
  offline: async ({ far, context, between }) => {
    await context.setOffline(true);
    far.proxy.refuse();
    await pause(between(2_000, 8_000));
    far.proxy.pass();
    await context.setOffline(false);
  },
  "a server that is gone": async ({ far, between }) => {
    await far.stop();
    await pause(between(500, 6_000));
    await far.start();
  },
  "a server that comes back empty": async ({ far, tabs: [first] }) => {
    // Messages that the server loses before it has sent them can't be recovered from anywhere.
    await far.stopPublishing();
    await caughtUp(first, far);
    await far.stop();
    await far.start({ forgetting: true });
  },
  "a tab loaded anew": async ({ tabs: [, second, third], between }) => {
    await (between(0, 1) === 0 ? second : third).reload();
  },
  "a look": async ({ tabs: [first] }) => lookAgain(first),
};

test(`${MINUTES} minutes of messages and faults`, async ({ server, page, context, browser, startFar }) => {
  const far = await startFar("soak");
  await far.publish();
  await far.subscribe(page, server);
  await keptOffline(page);
  await page.goto(`${server.url}#/`);
  const [second, third] = [await context.newPage(), await context.newPage()];
  await far.show(second, server);
  await third.goto(`${server.url}#/?q=is:unread`);
  const tabs: Stage["tabs"] = [page, second, third];
  for (const tab of tabs) await expect(message(tab, "message-0.")).toHaveCount(1);
  const random = chances(SEED);
  const between: Stage["between"] = (from, to) => from + Math.floor(random() * (to - from + 1));
  const stage: Stage = { far, context, tabs, between };
  far.startPublishing();
  // What the page builds only until its feed is full of messages must not count as growth.
  await expect.poll(() => far.published.length, { timeout: 60_000 }).toBeGreaterThan(200);

  const figures = new Map<string, Figures[]>();
  const measure = async (): Promise<void> => {
    const all = [...(await Promise.all(tabs.map(figuresOf))), await figuresOfWorker(browser)];
    const names = ["tab of everything", "tab of a topic, reloaded", "tab of a filter, reloaded", "shared worker"];
    for (const [at, name] of names.entries())
      figures.set(name, [...(figures.get(name) ?? []), ...all.slice(at, at + 1)]);
  };
  await measure();

  const happened = new Map<string, number>();
  const startedAtMs = Date.now();
  const passed = (): number => (Date.now() - startedAtMs) / (MINUTES * 60_000);
  let isHalf = false;
  for (let faults = 0; passed() < 1; faults++) {
    if (!isHalf && passed() > 0.5) {
      isHalf = true;
      await measure();
    }
    if (faults % FAULTS_BY_TRANSPORT === 0) {
      const transport = TRANSPORTS_IN_TURN[(faults / FAULTS_BY_TRANSPORT) % TRANSPORTS_IN_TURN.length] ?? "json";
      await far.chooseTransport(second, server, transport);
      const now = (await storedMessages(page)).rows;
      const minute = ((Date.now() - startedAtMs) / 60_000).toFixed(1);
      console.log(`minute ${minute}: ${far.published.length} published, ${now} stored, by ${TRANSPORTS[transport]}`);
    }
    const names = Object.keys(FAULTS);
    const name = names[between(0, names.length - 1)] ?? "";
    await FAULTS[name]?.(stage);
    happened.set(name, (happened.get(name) ?? 0) + 1);
    await pause(between(...BETWEEN_MS));
  }

  far.proxy.pass();
  await far.stopPublishing();
  await far.chooseTransport(second, server, "json");
  await caughtUp(page, far);
  await expectLive(second);
  for (const tab of tabs) await expect(message(tab, far.published.at(-1) ?? "")).toHaveCount(1);
  const { published, lost, doubled, isCounted } = await far.tally(page);
  await measure();

  const uneven = [...figures].filter(([, ofOne]) => !isLevel(ofOne)).map(([name]) => name);
  const count = [...happened.values()].reduce((sum, one) => sum + one, 0);
  console.log(`\n${tableOf(figures)}\n`);
  for (const [name, times] of [...happened].sort(([, one], [, other]) => other - one)) {
    console.log(`${String(times).padStart(6)}  ${name}`);
  }
  const isHeld = lost === 0 && doubled === 0 && isCounted && uneven.length === 0;
  const growth = uneven.length === 0 ? "heap and listeners level" : `GROWN: ${uneven.join(", ")}`;
  console.log(
    `\n${isHeld ? "HELD" : "FAILED"}: ${published} published, ${lost} lost, ${doubled} doubled${isCounted ? "" : ", COUNTED WRONG"}, ${count} faults in ${MINUTES} minutes (seed ${SEED}); ${growth}`,
  );
  expect({ lost, doubled, isCounted, uneven }).toEqual({ lost: 0, doubled: 0, isCounted: true, uneven: [] });
});
