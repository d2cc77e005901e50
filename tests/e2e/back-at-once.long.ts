import type { Page } from "@playwright/test";
import { expectLive, expectPolled } from "./on-screen";
import { LIMITS } from "./fixtures";
import { expect, test } from "./plain-browser";
import { BROKEN, type FarServer } from "./faults";
import { Lateness } from "./lateness";
import { HTTP_STREAMS, STREAMS } from "./tcp-proxy";

// Run one after the other, as they measure times.
test.describe.configure({ mode: "default" });
// Very tall, as a feed draws only the rows on the screen, and late messages may be far from the top.
test.use({ viewport: { width: 1280, height: 12_000 } });

/**
 * The goal is 2 s, or 6 s with polls in place of streams (docs/design.md §8); the rest is room for a busy machine, ms.
 */
const SOON_MS = 4_000;
const POLLED_MS = 8_000;

/** Connections that are forgotten without a return are found within this, ms. */
const FORGOTTEN_MS = 30_000;

/** How long the outages and the proxies are watched, ms: the longest outage and some time after it. */
const WATCHED_FOR_MS = 345_000;
const PUBLISH_EVERY_MS = 3_000;
const LOOK_EVERY_MS = 250;

/** How often the firewall drops connections. */
const FORGETS = 12;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** A random time around `ms`, so that no two servers stop or start at the same moment. */
const about = (ms: number): number => ms * (0.9 + 0.2 * Math.random());

/** What servers don't ration. */
const FREE = /\/v1\/(?:health|stats)/;
const ANY = /^/;

function counted({ proxy }: FarServer): number {
  return proxy.asked(ANY) - proxy.asked(FREE);
}

/** Shows everything in one feed, which nobody touches from then on. */
async function showAll(page: Page, appUrl: string): Promise<Lateness> {
  await page.goto(`${appUrl}#/`);
  const lateness = new Lateness(page);
  await lateness.start();
  return lateness;
}

/**
 * Opens as many connections as a browser keeps to a host, besides that of the stream. `no-store` prevents the cache
 * from sending the requests one by one.
 */
function fillPoolsOf(page: Page, fars: readonly FarServer[]): Promise<unknown> {
  return page.evaluate(
    (hosts) =>
      Promise.all(
        hosts.flatMap((host) => [1, 2, 3, 4, 5].map(() => fetch(`http://${host}/v1/health`, { cache: "no-store" }))),
      ),
    fars.map(({ proxy }) => proxy.host),
  );
}

test("messages are hardly late after a server was gone, or a proxy cut or held back connections", async ({
  server,
  page,
  startFar,
}) => {
  test.setTimeout(WATCHED_FOR_MS + 240_000);
  const several = (name: string, count: number): Promise<FarServer[]> =>
    Promise.all(Array.from({ length: count }, (_, at) => startFar(`${name}-${at}`, { keepalive: 45 })));
  const outages = [
    { row: "server gone for 20 s", goneMs: 20_000, fars: await several("gone-20", 3) },
    { row: "server gone for 60 s", goneMs: 60_000, fars: await several("gone-60", 4) },
    { row: "server gone for 5 min", goneMs: 300_000, fars: await several("gone-300", 4) },
  ];
  const proxies = [
    { row: "proxy cuts every 20 s", cutMs: 20_000, fars: await several("cut-20", 3) },
    { row: "proxy cuts every 30 s", cutMs: 30_000, fars: await several("cut-30", 3) },
    { row: "buffering proxy", fars: await several("buffered", 2) },
  ];
  const away = await startFar("always-away");
  await away.subscribe(page, server);
  await away.stop();
  for (const { row, cutMs, fars } of proxies) {
    for (const far of fars) {
      if (cutMs !== undefined) far.proxy.cutLong(cutMs, STREAMS);
      else {
        far.proxy.buffer(HTTP_STREAMS);
        far.proxy.blockUpgrades();
      }
      await far.show(page, server);
      await page.getByRole("button", { name: "Subscribe" }).click();
      await (row === "buffering proxy" ? expectPolled(page) : expectLive(page));
    }
  }
  for (const { fars } of outages) for (const far of fars) await far.subscribe(page, server);
  const lateness = await showAll(page, server.url);
  const untilMs = Date.now() + WATCHED_FOR_MS;
  const isOver = (): boolean => Date.now() >= untilMs;

  const goAndCome = async (row: string, goneMs: number, far: FarServer): Promise<void> => {
    while (Date.now() + 1.1 * goneMs < untilMs) {
      const before = counted(far);
      const fromMs = Date.now();
      await far.server.stop();
      await wait(goneMs > 100_000 ? goneMs : about(goneMs));
      lateness.noteRequests(row, counted(far) - before, (Date.now() - fromMs) / 60_000);
      await far.server.start();
      await far.server.publish(far.topic, lateness.next(row));
      await wait(about(8_000));
    }
  };
  const goOn = async (row: string, far: FarServer): Promise<void> => {
    const before = counted(far);
    await wait(PUBLISH_EVERY_MS * Math.random());
    while (!isOver()) {
      await far.server.publish(far.topic, lateness.next(row));
      await wait(PUBLISH_EVERY_MS);
    }
    lateness.noteRequests(row, counted(far) - before, WATCHED_FOR_MS / 60_000);
  };
  const look = async (): Promise<void> => {
    while (!isOver()) {
      for (const { row, fars } of proxies) for (const far of fars) lateness.noteLive(row, far.formats().length > 0);
      await wait(LOOK_EVERY_MS);
    }
  };
  await Promise.all([
    look(),
    ...outages.flatMap(({ row, goneMs, fars }) => fars.map((far) => goAndCome(row, goneMs, far))),
    ...proxies.flatMap(({ row, fars }) => fars.map((far) => goOn(row, far))),
  ]);
  await lateness.settle();
  const figures = await lateness.tell();
  for (const { row } of outages) expect(figures[row]?.longest, row).toBeLessThan(SOON_MS);
  for (const { row, cutMs } of proxies) {
    expect(figures[row]?.p95, row).toBeLessThan(cutMs === undefined ? POLLED_MS : SOON_MS);
  }
});

/** How long after a first subscription the host of the app goes away, ms, and for how long. */
const GONE_AFTER_MS = [1_000, 2_500, 5_000];
const GONE_FOR_MS = 5_000;

test("messages are hardly late after the app's own host was gone soon after a first subscription", async ({
  server,
  browser,
  watch,
}) => {
  test.setTimeout(240_000);
  watch.tolerate(BROKEN);
  watch.tolerate(/Failed to fetch|script resource|service worker/i);
  const latenesses: number[] = [];
  for (const goneAfterMs of [...GONE_AFTER_MS, ...GONE_AFTER_MS, ...GONE_AFTER_MS]) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(`${server.url}#/doors`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await wait(goneAfterMs);
    await server.stop();
    await wait(GONE_FOR_MS);
    await server.start();
    const text = `after ${latenesses.length} outages`;
    const backAtMs = Date.now();
    await server.publish("doors", text);
    await expect(page.getByRole("article").filter({ hasText: text })).toBeVisible({ timeout: 60_000 });
    latenesses.push(Date.now() - backAtMs);
    await context.close();
  }
  process.stdout.write(`    own host gone: ${latenesses.map((ms) => (ms / 1_000).toFixed(1)).join(", ")} s\n`);
  expect(Math.max(...latenesses)).toBeLessThan(SOON_MS);
});

test("messages are hardly late after a sleep that no event reports, or a firewall that drops connections", async ({
  server,
  plain,
  startFar,
}) => {
  test.setTimeout(420_000);
  const { context, watch } = plain;
  const streamsOnly: FarServer[] = [];
  const everything: FarServer[] = [];
  const page = await context.newPage();
  await page.bringToFront();
  for (const [name, fars] of Object.entries({ stream: streamsOnly, all: everything })) {
    for (let at = 0; at < 3; at++) {
      const far = await startFar(`${name}-${at}`, { keepalive: 45 });
      watch.allow(far.proxy.host);
      fars.push(far);
      await far.subscribe(page, server);
    }
  }
  const all = [...streamsOnly, ...everything];
  const lateness = await showAll(page, server.url);
  // By then the page has reported once more that it is in sight.
  await wait(12_000);
  const fillPools = (): Promise<unknown> => fillPoolsOf(page, all);
  const lose = async (): Promise<void> => {
    for (const { proxy } of streamsOnly) proxy.loseSilently(STREAMS);
    for (const { proxy } of everything) proxy.loseSilently();
    await wait(0);
  };
  const publish = async (what: string): Promise<void> => {
    for (const [which, fars] of [
      ["the stream is dead", streamsOnly],
      ["every connection is dead", everything],
    ] as const) {
      for (const far of fars) await far.server.publish(far.topic, lateness.next(`${what}, ${which}`));
    }
  };
  const isReceiving = (): Promise<void> =>
    expect.poll(() => all.every((far) => far.proxy.open(STREAMS) > 0), { timeout: 60_000 }).toBe(true);

  for (let round = 0; round < 3; round++) {
    await test.step("a process that is stopped for 20 s", async () => {
      await isReceiving();
      await fillPools();
      await plain.signal("SIGSTOP");
      await lose();
      await wait(20_000);
      await publish("stopped for 20 s");
      for (const which of ["the stream is dead", "every connection is dead"]) {
        lateness.begin(`stopped for 20 s, ${which}`);
      }
      await plain.signal("SIGCONT");
      await lateness.settle();
      await wait(about(3_000));
    });
    await test.step("a sleep of ten minutes, by the clock", async () => {
      await isReceiving();
      await fillPools();
      await lose();
      await publish("slept for 10 min");
      await plain.setClocksOn(page, 600_000);
      await lateness.settle();
      await wait(about(3_000));
    });
    await test.step("a firewall that forgets", async () => {
      await isReceiving();
      await fillPools();
      for (const { proxy } of everything) proxy.loseSilently();
      for (const far of everything) await far.server.publish(far.topic, lateness.next("forgotten by a firewall"));
      await lateness.settle();
      await wait(about(3_000));
    });
  }
  const figures = await lateness.tell();
  for (const [row, { longest }] of Object.entries(figures)) {
    expect(longest, row).toBeLessThan(row.startsWith("forgotten") ? FORGOTTEN_MS : 2 * SOON_MS);
  }
});

test("messages are hardly late behind a firewall that drops connections again and again", async ({
  server,
  plain,
  startFar,
}) => {
  test.setTimeout(600_000);
  const row = "forgotten by a firewall, again and again";
  const page = await plain.context.newPage();
  await page.bringToFront();
  const fars = await Promise.all([0, 1, 2].map((at) => startFar(`forgotten-${at}`, { keepalive: 45 })));
  for (const far of fars) {
    plain.watch.allow(far.proxy.host);
    await far.subscribe(page, server);
  }
  const lateness = await showAll(page, server.url);
  // By then the page has reported once more that it is in sight.
  await wait(12_000);
  for (let round = 0; round < FORGETS; round++) {
    await expect.poll(() => fars.every((far) => far.proxy.open(STREAMS) > 0), { timeout: 60_000 }).toBe(true);
    await fillPoolsOf(page, fars);
    await wait(1_000 * Math.random());
    for (const { proxy } of fars) proxy.loseSilently();
    for (const far of fars) await far.server.publish(far.topic, lateness.next(row));
    await lateness.settle();
    await wait(about(3_000));
  }
  const figures = await lateness.tell();
  expect(figures[row]?.longest).toBeLessThan(FORGOTTEN_MS);
});

/** At least so many of the names below fit into three streams. */
const STREAMED = 250;

const CLOSED = { users: [], rules: [{ user: "*", topic: "*", allow: "deny-all" }] } as const;
const OPEN = { users: [], rules: [] } as const;

test("messages are hardly late after access was revoked and granted, or a server rationed requests while topics were added", async ({
  server,
  page,
  watch,
  startOther,
}) => {
  test.setTimeout(420_000);
  watch.tolerate(/status of 4(?:03|29)/);
  watch.tolerate(/net::ERR_|CORS policy|WebSocket connection to .* failed/);
  const closed = await Promise.all(Array.from({ length: 4 }, () => startOther()));
  for (const { host } of closed) {
    await page.goto(`${server.url}#/http:${host}/a`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expectLive(page);
  }
  const rationed = await startOther({ limits: { ...LIMITS, requests: 10, requestRefill: 1 } });
  const topics = Array.from({ length: 300 }, (_, at) => `${"long-name-of-a-topic-".repeat(2)}${at}`);
  await page.goto(`${server.url}#/http:${rationed.host}/${topics.join(",")}`);
  const pressedAtMs = Date.now();
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByText("No messages yet")).toBeVisible({ timeout: 120_000 });
  const subscribedS = (Date.now() - pressedAtMs) / 1_000;
  // Three streams of at most 4,000 characters; the rest is polled in turn.
  await expect
    .poll(() => new Set(rationed.running.streams().flatMap((stream) => stream.topics)).size, { timeout: 120_000 })
    .toBeGreaterThanOrEqual(STREAMED);
  process.stdout.write(
    `    300 topics, 10 requests and one a second: ${subscribedS.toFixed(1)} s until subscribed, ` +
      `${((Date.now() - pressedAtMs) / 1_000).toFixed(1)} s until ${STREAMED} are live, ` +
      `${rationed.requests.length} requests, ${rationed.answered(429)} answers 429\n`,
  );

  const lateness = await showAll(page, server.url);
  for (const at of [0, 99, 199, STREAMED - 1]) {
    await rationed.publish(topics[at] ?? "", lateness.next("live after a rationed start"));
    await wait(1_000);
  }
  const shut = async (): Promise<void> => {
    for (const one of closed) {
      await one.stop();
      await one.start({ access: CLOSED });
    }
    await expect
      .poll(() => Math.min(...closed.map((one) => one.answered(403))), { timeout: 30_000 })
      .toBeGreaterThan(0);
    await wait(3_000);
  };
  const open = async (row: string): Promise<void> => {
    for (const one of closed) {
      await one.stop();
      await one.start({ access: OPEN });
      await one.publish("a", lateness.next(row));
    }
  };
  for (let round = 0; round < 2; round++) {
    await shut();
    await wait(about(10_000));
    await open("allowed again, by itself");
    await lateness.settle();
  }
  await shut();
  for (const one of closed) {
    await page.goto(`${server.url}#/http:${one.host}/a`);
    await expect(page.getByRole("main").getByRole("button", { name: "Try again" })).toBeVisible();
    await one.stop();
    await one.start({ access: OPEN });
    await one.publish("a", lateness.next("allowed again, by the button"));
    lateness.begin("allowed again, by the button");
    // There is none any more if the app asked by itself before.
    const again = page.getByRole("main").getByRole("button", { name: "Try again" });
    await again.evaluateAll((buttons) => buttons.forEach((button) => (button as HTMLButtonElement).click()));
    await lateness.settle();
  }
  const figures = await lateness.tell();
  expect(figures["live after a rationed start"]?.longest).toBeLessThan(SOON_MS);
  expect(figures["allowed again, by itself"]?.longest).toBeLessThan(60_000 + SOON_MS);
});

/** 5,000 names of 27 characters, which take nine links of at most 16,000 characters. */
const MANY = Array.from({ length: 5_000 }, (_, at) => `topic-number-${String(at).padStart(6, "0")}-abcdefg`);
const LINK = 556;

test("with 5,000 topics at a server that gives back one request in 5 s, messages are hardly late in streams, and minutes where polled", async ({
  server,
  page,
  watch,
  startOther,
}) => {
  test.setTimeout(1_200_000);
  watch.tolerate(/status of 429/);
  watch.tolerate(/net::ERR_|CORS policy|WebSocket connection to .* failed/);
  const rationed = await startOther({ limits: { ...LIMITS, requests: 60, requestRefill: 5, streams: 30 } });
  const startedAtMs = Date.now();
  const pressesS: number[] = [];
  for (let from = 0; from < MANY.length; from += LINK) {
    await page.goto(`${server.url}#/http:${rationed.host}/${MANY.slice(from, from + LINK).join(",")}`);
    const subscribe = page.getByRole("main").getByRole("button", { name: "Subscribe" });
    await subscribe.click();
    const pressedAtMs = Date.now();
    await expect(page.getByText("No messages yet")).toBeVisible({ timeout: 300_000 });
    await expect(subscribe).toBeHidden();
    pressesS.push((Date.now() - pressedAtMs) / 1_000);
  }
  const asked = rationed.requests.filter(({ path }) => !FREE.test(path)).length;
  const carried = (): number => new Set(rationed.running.streams().flatMap((stream) => stream.topics)).size;
  process.stdout.write(
    `    ${((Date.now() - startedAtMs) / 1_000).toFixed(0)} s until subscribed, each press ` +
      `${pressesS.map((seconds) => seconds.toFixed(1)).join(", ")} s, ${asked} requests, ` +
      `${rationed.answered(429)} answers 429, ${carried()} topics live\n`,
  );
  const lateness = await showAll(page, server.url);
  for (let at = 0; at < 9; at++) {
    await rationed.publish(MANY[at * 40] ?? "", lateness.next("in a stream"));
    await rationed.publish(MANY[4_900 - at * 50] ?? "", lateness.next("polled in turn"));
  }
  // It gives up after two minutes.
  for (let times = 0; times < 3; times++) await lateness.settle();
  const figures = await lateness.tell();
  expect(figures["in a stream"]?.longest).toBeLessThan(SOON_MS);
  // Every 6 s one of up to 37 requests.
  expect(figures["polled in turn"]?.longest).toBeLessThan(240_000);
});
