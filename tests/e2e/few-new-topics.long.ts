import { expect, LIMITS, test } from "./fixtures";
import { message } from "./on-screen";

const TOPICS = Array.from({ length: 150 }, (_, at) => `t${at}`);

test("of 150 topics those that a server admits at once are live, and the others say that they wait, and join", async ({
  server,
  page,
  startOther,
}) => {
  test.setTimeout(240_000);
  // One new topic a second in place of one a minute; the app asks once a minute.
  const other = await startOther({ limits: { ...LIMITS, newTopics: 100, newTopicRefill: 1 } });
  await page.goto(`${server.url}#/http:${other.host}/${TOPICS.join(",")}`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  const live = () => new Set(other.running.streams().flatMap(({ topics }) => topics));
  await expect.poll(() => live().size, { timeout: 60_000 }).toBeGreaterThanOrEqual(100);
  expect(live().size).toBeLessThan(150);
  const words = page.getByRole("main").getByText("Waiting for the server to admit new topics");
  await expect(words).toBeVisible();
  const waiting = TOPICS.find((topic) => !live().has(topic)) ?? "";
  await other.publish("t0", "from one that is live");
  await expect(message(page, "from one that is live")).toHaveCount(1);
  await other.publish(waiting, "from one that waits");
  await expect.poll(() => live().size, { timeout: 180_000, intervals: [1_000] }).toBe(150);
  await expect(words).toBeHidden();
  await expect(message(page, "from one that waits")).toHaveCount(1);
});
