import type { BrowserContext, Locator, Page } from "@playwright/test";
import { beganAt, lookFor, nowMs, openTab, seenAt, timesOnScreen } from "./screen";
import { LONGEST_MS, STREAMS, type Stage } from "./stage";
import { amount, medianRow, p95Row, type Row } from "./table";

/** Something that is tried with a client, which gives one row or several. */
export interface Trial {
  name: string;
  /** Its rows, in the order of the table. */
  rows: readonly string[];
  /** Resolves to what belongs into each row, in the same order. */
  run(stage: Stage): Promise<Row[]>;
}

/** New browsers in which the first visit, and a topic's link, are opened. */
const VISITS = 5;
/** Live messages, and the pause between two of them, ms. */
const LIVE = 20;
const LIVE_EVERY_MS = 300;
/** How long the server is out of reach, ms. */
const AWAY_MS = 20_000;
/** How long is waited for a message after a connection was lost without either side hearing of it, ms. */
const LOST_WITHIN_MS = 330_000;
const TABS = 3;
const MANY = 10_000;
/** Reloads with many messages. */
const RELOADS = 5;
/** Servers count time in whole seconds: after this pause, ms, a message is newer than all others for everybody. */
const A_SECOND_LATER_MS = 1_100;
/** Time for what a client does by itself, such as loading a picture or hiding what a filter excludes, ms. */
const BY_ITSELF_MS = 5_000;

const CACHED = "This one was there before.";
const KB = 1_000;

/** Opens an address in a new tab; resolves to milliseconds until a text is on the screen, if it comes. */
async function openAndSee(context: BrowserContext, address: string, text: string): Promise<number | undefined> {
  const page = await openTab(context, text);
  await page.goto(address);
  const at = await seenAt(page, text, LONGEST_MS);
  return at === undefined ? undefined : at - (await beganAt(page));
}

/** Opens the link of a new topic with one message, subscribes, and receives another one live. */
async function subscribeNew(stage: Stage, context: BrowserContext): Promise<{ topic: string; page: Page }> {
  const topic = stage.newTopic();
  await stage.publish(topic, CACHED);
  const page = await stage.subscribe(context, topic, CACHED);
  await stage.untilRest();
  await publishAndSee(stage, page, topic, "The first live one.");
  return { topic, page };
}

/** Publishes a text and resolves to milliseconds until it is on the screen, if it comes. */
async function publishAndSee(stage: Stage, page: Page, topic: string, text: string, withinMs = LONGEST_MS) {
  await lookFor(page, text);
  const startMs = nowMs();
  await stage.publish(topic, text);
  const at = await seenAt(page, text, withinMs);
  return at === undefined ? undefined : at - startMs;
}

const FIRST_WORDS = "first visit: first words on the screen";
const FIRST_BYTES = "first visit: sent by its server until it rests, with what it keeps for offline use";
const FIRST_REQUESTS = "first visit: requests until it rests";

const visit: Trial = {
  name: "visit",
  rows: [FIRST_WORDS, FIRST_BYTES, FIRST_REQUESTS],
  async run(stage) {
    const words: (number | undefined)[] = [];
    const kilobytes: number[] = [];
    const requests: number[] = [];
    for (let round = 0; round < VISITS; round++) {
      await stage.withBrowser(async (context) => {
        const [bytesBefore, askedBefore] = [stage.proxy.answered, stage.proxy.asked(/^/)];
        const page = await openTab(context);
        await page.goto(stage.url);
        await page.waitForFunction(() => globalThis.screenWatch?.firstWordsMs !== undefined);
        words.push(await page.evaluate(() => globalThis.screenWatch?.firstWordsMs));
        await stage.untilRest();
        kilobytes.push((stage.proxy.answered - bytesBefore) / KB);
        requests.push(stage.proxy.asked(/^/) - askedBefore);
      });
    }
    return [
      medianRow(FIRST_WORDS, words, LONGEST_MS),
      { what: FIRST_BYTES, cell: amount(Math.max(...kilobytes)), values: kilobytes },
      { what: FIRST_REQUESTS, cell: String(Math.max(...requests)), values: requests },
    ];
  },
};

const PRESSES = "a topic's link in a new browser: presses until subscribed";
const LINK = "a topic's link in a new browser: its newest message on the screen, presses included";

const link: Trial = {
  name: "link",
  rows: [PRESSES, LINK],
  async run(stage) {
    const topic = stage.newTopic();
    await stage.publish(topic, CACHED);
    const found: (number | undefined)[] = [];
    for (let round = 0; round < VISITS; round++) {
      await stage.withBrowser(async (context) => {
        const page = await stage.subscribe(context, topic, CACHED);
        const at = await seenAt(page, CACHED, LONGEST_MS);
        found.push(at === undefined ? undefined : at - (await beganAt(page)));
      });
    }
    return [{ what: PRESSES, cell: String(stage.client.presses.length) }, medianRow(LINK, found, LONGEST_MS)];
  },
};

const LIVE_MEDIAN = `live message: from publishing to the screen, median of ${LIVE}`;
const LIVE_P95 = "the same: 95th percentile";

const live: Trial = {
  name: "live",
  rows: [LIVE_MEDIAN, LIVE_P95],
  run: (stage) =>
    stage.withBrowser(async (context) => {
      const { topic, page } = await subscribeNew(stage, context);
      const found: (number | undefined)[] = [];
      for (let number = 0; number < LIVE; number++) {
        found.push(await publishAndSee(stage, page, topic, `Live message ${number}.`));
        await page.waitForTimeout(LIVE_EVERY_MS);
      }
      const middle = medianRow(LIVE_MEDIAN, found, LONGEST_MS);
      return [middle, p95Row(LIVE_P95, middle.values ?? [])];
    }),
};

const CLOSED = "published while its tab was closed: on the screen after opening it again";

const closed: Trial = {
  name: "closed",
  rows: [CLOSED],
  run: (stage) =>
    stage.withBrowser(async (context) => {
      const { topic, page } = await subscribeNew(stage, context);
      await page.close();
      const text = "Published while the tab was closed.";
      await stage.publish(topic, text);
      return [medianRow(CLOSED, [await openAndSee(context, stage.client.link(stage.url, topic), text)], LONGEST_MS)];
    }),
};

const AWAY = `published while the server was out of reach for ${AWAY_MS / 1_000} s: on the screen after its return`;

const away: Trial = {
  name: "away",
  rows: [AWAY],
  run: (stage) =>
    stage.withBrowser(async (context) => {
      const { topic, page } = await subscribeNew(stage, context);
      const text = "Published while the server was out of reach.";
      await lookFor(page, text);
      stage.proxy.refuse();
      await stage.publish(topic, text);
      await page.waitForTimeout(AWAY_MS);
      const backMs = nowMs();
      stage.proxy.pass();
      const at = await seenAt(page, text, LONGEST_MS);
      return [medianRow(AWAY, [at === undefined ? undefined : at - backMs], LONGEST_MS)];
    }),
};

const LOST = "published after all its connections were lost without a sign to the browser: on the screen";

const lost: Trial = {
  name: "lost",
  rows: [LOST],
  run: (stage) =>
    stage.withBrowser(async (context) => {
      const { topic, page } = await subscribeNew(stage, context);
      stage.proxy.loseSilently();
      const found = await publishAndSee(stage, page, topic, "Published into a lost connection.", LOST_WITHIN_MS);
      return [medianRow(LOST, [found], LOST_WITHIN_MS)];
    }),
};

const STREAM_COUNT = `streams open, 2 topics in ${TABS} tabs`;
const ONCE = `a message with ${TABS} tabs open: times on the screen of each`;

const tabs: Trial = {
  name: "tabs",
  rows: [STREAM_COUNT, ONCE],
  run: (stage) =>
    stage.withBrowser(async (context) => {
      const { page: first } = await subscribeNew(stage, context);
      await first.close();
      const { topic, page } = await subscribeNew(stage, context);
      const pages = [page];
      while (pages.length < TABS) {
        const other = await openTab(context, CACHED);
        await other.goto(stage.client.link(stage.url, topic));
        await seenAt(other, CACHED, LONGEST_MS);
        pages.push(other);
      }
      await stage.untilRest();
      const streams = stage.proxy.open(STREAMS);
      const text = "Shown once in each tab.";
      await publishAndSee(stage, page, topic, text);
      await page.waitForTimeout(BY_ITSELF_MS);
      const times = await Promise.all(pages.map((one) => timesOnScreen(one, text)));
      return [
        { what: STREAM_COUNT, cell: String(streams) },
        { what: ONCE, cell: times.join(", "), values: times },
      ];
    }),
};

const OFFLINE_TOPIC = "a topic's page reloaded while the server is out of reach: a stored message on the screen";
const OFFLINE_START = "its start page opened while the server is out of reach: a stored message on the screen";

const offline: Trial = {
  name: "offline",
  rows: [OFFLINE_TOPIC, OFFLINE_START],
  run: (stage) =>
    stage.withBrowser(async (context) => {
      const { page } = await subscribeNew(stage, context);
      // Its own files may be kept only from the second visit on.
      await page.reload();
      await stage.untilRest();
      stage.proxy.refuse();
      const tryPage = async (what: string, load: () => Promise<unknown>): Promise<Row> => {
        // Where no page is kept the browser shows an error of its own, which is what the row is about.
        const isLoaded = await load().then(
          () => true,
          () => false,
        );
        const at = isLoaded ? await seenAt(page, CACHED, BY_ITSELF_MS) : undefined;
        if (at === undefined) return { what, cell: "no" };
        return medianRow(what, [at - (await beganAt(page))], LONGEST_MS);
      };
      return [
        await tryPage(OFFLINE_TOPIC, () => page.reload()),
        await tryPage(OFFLINE_START, async () => {
          await page.goto("about:blank");
          await page.goto(stage.url);
        }),
      ];
    }),
};

const MANY_LINK = `link to a topic with ${MANY.toLocaleString("en")} cached messages: newest on the screen, presses included`;
const MANY_RELOAD = `reloaded with those ${MANY.toLocaleString("en")} stored: newest on the screen, median of ${RELOADS}`;

const many: Trial = {
  name: "many",
  rows: [MANY_LINK, MANY_RELOAD],
  run: (stage) =>
    stage.withBrowser(async (context) => {
      const topic = stage.newTopic();
      const texts = Array.from({ length: MANY - 1 }, (_, at) => `no. ${at}. The nightly backup of a disk has ended.`);
      await stage.publishMany(topic, texts);
      await new Promise((resolve) => setTimeout(resolve, A_SECOND_LATER_MS));
      const newest = "The newest of many.";
      await stage.publish(topic, newest);
      const page = await stage.subscribe(context, topic, newest);
      const at = await seenAt(page, newest, LONGEST_MS);
      const first = at === undefined ? undefined : at - (await beganAt(page));
      await stage.untilRest();
      await page.close();
      const again: (number | undefined)[] = [];
      const other = await openTab(context, newest);
      for (let round = 0; round <= RELOADS; round++) {
        if (round === 0) await other.goto(stage.client.link(stage.url, topic));
        else await other.reload();
        const at = await seenAt(other, newest, LONGEST_MS);
        if (round > 0) again.push(at === undefined ? undefined : at - (await beganAt(other)));
        await other.waitForTimeout(BY_ITSELF_MS);
      }
      return [medianRow(MANY_LINK, [first], LONGEST_MS), medianRow(MANY_RELOAD, again, LONGEST_MS)];
    }),
};

/** Names of what could search. */
const SEARCHES = /search|filter|find/i;

/** Something to type a search into: a field by its role or name, or one that a button of that name or `/` shows. */
async function searchBox(page: Page): Promise<Locator | undefined> {
  const field = page
    .getByRole("searchbox")
    .or(page.getByRole("combobox", { name: SEARCHES }))
    .or(page.getByRole("textbox", { name: SEARCHES }))
    .or(page.getByPlaceholder(SEARCHES));
  const isThere = async (): Promise<boolean> => (await field.count()) > 0 && field.first().isVisible();
  if (await isThere()) return field.first();
  for (const role of ["button", "link"] as const) {
    const opener = page.getByRole(role, { name: SEARCHES });
    if ((await opener.count()) === 0) continue;
    await opener.first().click();
    if (await isThere()) return field.first();
  }
  await page.keyboard.press("/");
  return (await isThere()) ? field.first() : undefined;
}

const SEARCH = "search in stored messages: a typed word leaves only its message";
const BY_PRIORITY = "filter by priority: leaves only the urgent message";
const BY_TAG = "filter by tag: leaves only the message with it";

const find: Trial = {
  name: "find",
  rows: [SEARCH, BY_PRIORITY, BY_TAG],
  run: (stage) =>
    stage.withBrowser(async (context) => {
      const { topic, page } = await subscribeNew(stage, context);
      const texts = ["The heron stands in the pond.", "The cellar is under water.", "The disk has been changed."];
      const [heron = "", cellar = "", disk = ""] = texts;
      await stage.publish(topic, cellar, { priority: 5 });
      await stage.publish(topic, disk, { tags: ["storage"] });
      await publishAndSee(stage, page, topic, heron);
      const box = await searchBox(page);
      const leaves = async (what: string, query: string, wanted: string): Promise<Row> => {
        if (!box) return { what, cell: "no: no field or button for it was found" };
        await box.fill(query);
        await box.press("Enter");
        await page.waitForTimeout(BY_ITSELF_MS);
        const counts = await Promise.all(texts.map((text) => timesOnScreen(page, text)));
        const isLeft = texts.every((text, at) => counts[at] === (text === wanted ? 1 : 0));
        // What was typed may have become something else than text in the field.
        await page.goto(stage.client.link(stage.url, topic));
        return { what, cell: isLeft ? "yes" : "no" };
      };
      return [
        await leaves(SEARCH, "heron", heron),
        await leaves(BY_PRIORITY, "priority:5", cellar),
        await leaves(BY_TAG, "tag:storage", disk),
      ];
    }),
};

const ELSEWHERE = "hosts beside its own that were asked for, in all of this";
const PICTURE = "a message with an icon and a picture at other addresses: asked for without a press";

const hosts: Trial = {
  name: "hosts",
  rows: [PICTURE],
  run: (stage) =>
    stage.withBrowser(async (context) => {
      const { topic, page } = await subscribeNew(stage, context);
      const [icon, picture] = ["icons.example", "pictures.example"];
      const text = "It has a picture.";
      await lookFor(page, text);
      await stage.publish(topic, text, { icon: `http://${icon}/a.png`, attach: `http://${picture}/b.png` });
      if ((await seenAt(page, text, LONGEST_MS)) === undefined) return [{ what: PICTURE, cell: "not shown" }];
      await page.waitForTimeout(BY_ITSELF_MS);
      const asked = [icon, picture].map((host) => stage.others.asked.includes(host));
      stage.others.asked = stage.others.asked.filter((host) => host !== icon && host !== picture);
      const said = ["icon", "picture"].filter((_, at) => asked[at]);
      return [{ what: PICTURE, cell: said.length > 0 ? said.join(" and ") : "neither" }];
    }),
};

/** All trials, in the order of the table. */
export const TRIALS: readonly Trial[] = [visit, link, live, closed, away, lost, tabs, offline, many, find, hosts];

/** The rows of the table, in their order. */
export const ROW_ORDER: readonly string[] = [...TRIALS.flatMap(({ rows }) => rows), ELSEWHERE];

/** Hosts that Chromium asks for by itself, whatever page it shows. */
const OF_THE_BROWSER = ["update.googleapis.com", "accounts.google.com", "content-autofill.googleapis.com"];

/** The row of all trials together, from the hosts other than the client's own that were asked for. */
export function elsewhereRow(asked: readonly string[]): Row {
  const hosts = asked.filter((host) => !OF_THE_BROWSER.includes(host));
  return { what: ELSEWHERE, cell: hosts.length === 0 ? "none" : hosts.join(", ") };
}
