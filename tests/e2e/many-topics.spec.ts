import type { Page } from "@playwright/test";
import { expect, LIMITS, test } from "./fixtures";
import { expectLive, message } from "./on-screen";

/** How many topics there are: as many as need streams of both kinds, or the most that is promised. */
const TOPICS = process.env["LONG"] ? 10_000 : 3_000;

/** Adds topics to the database, behind the app's back, until there are `count`. Returns all of them. */
async function addTopics(page: Page, count: number): Promise<string[]> {
  return page.evaluate(async (count) => {
    const settle = <Value>(request: IDBRequest<Value>): Promise<Value> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("not stored"));
      });
    const db = await settle(indexedDB.open("earshot"));
    const transaction = db.transaction("subscriptions", "readwrite");
    const store = transaction.objectStore("subscriptions");
    const [first] = (await settle(store.getAll())) as { subId: number; topic: string }[];
    const topics = Array.from({ length: count }, (_, at) => `t${at.toString(36)}`);
    for (const [at, topic] of topics.entries()) store.put({ ...first, subId: (first?.subId ?? 0) + at, topic });
    await new Promise((resolve) => (transaction.oncomplete = resolve));
    db.close();
    return topics;
  }, count);
}

test("thousands of topics are requested in short enough lists, few at once, and received, and the rail shows a short list", async ({
  server,
  page,
  startOther,
}) => {
  // The default limit would not give a visitor streams for so many topics.
  const many = await startOther({ limits: { ...LIMITS, visitorTopics: 20_000 } });
  await page.goto(`${server.url}#/http:${many.host}/t0`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expectLive(page);
  const topics = await addTopics(page, TOPICS);
  const [second = "", last = ""] = [topics.at(1), topics.at(-1)];
  for (const topic of [second, last]) await many.publish(topic, `from ${topic}`);
  many.requests.splice(0);
  await page.goto(`${server.url}#/`);
  await page.reload();
  // The app opens as many streams as leave room for polls.
  const formats = () => many.running.streams().map(({ format }) => format);
  await expect.poll(formats).toEqual(["json", "json", "json"]);
  for (const topic of [second, last]) await expect(message(page, `from ${topic}`)).toHaveCount(1);
  const live = many.running.streams().flatMap(({ topics }) => topics);
  const ofLastStream = live.findLast((topic) => topic !== second && topic !== last);
  await many.publish(ofLastStream ?? "", "live over the last stream");
  await expect(message(page, "live over the last stream")).toHaveCount(1);
  expect(new Set(live).size).toBe(live.length);
  for (const { topics } of many.running.streams()) expect(topics.join(",").length).toBeLessThan(4_000);
  expect(many.requests.filter(({ status }) => status >= 400)).toEqual([]);
  const rationed = many.requests.filter(({ path }) => !path.startsWith("/v1/"));
  expect(rationed.length, "of the 60 that servers allow at once").toBeLessThan(60);

  const more = (TOPICS - 150).toLocaleString("en");
  const nodes = () => page.evaluate(() => document.querySelectorAll("*").length);
  const rail = page.getByRole("navigation", { name: "Topics and views" });
  await expect(rail.getByRole("link", { name: last }), "unread, so in sight").toContainText("1");
  await expect.poll(nodes, "with the rail beside the feed").toBeLessThan(4_000);
  await rail.getByRole("link", { name: `${more} more` }).click();
  const list = page.getByRole("main");
  await expect(list.getByRole("button", { name: `Show 200 of ${more} more` })).toBeVisible();
  await expect.poll(nodes, "with the list of topics").toBeLessThan(6_000);
  const wanted = topics.at(2_345) ?? "";
  await list.getByRole("searchbox", { name: "Find a topic" }).fill(wanted);
  await list.getByRole("link", { name: wanted }).click();
  await expect(rail.getByRole("link", { name: wanted }), "open, so in sight").toHaveAttribute("aria-current", "page");
});
