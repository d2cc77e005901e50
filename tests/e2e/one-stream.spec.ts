import type { Page } from "@playwright/test";
import { expect, subscribe, test } from "./fixtures";
import { storedMessages } from "./on-screen";

const TOPICS = Array.from({ length: 20 }, (_, at) => `topic-${at}`);

test("five tabs with 20 topics share one stream, which the last of them keeps, and each tab shows a message once", async ({
  server,
  page,
  context,
}) => {
  await subscribe(page, server, ...TOPICS);
  const tabs = [page];
  while (tabs.length < 5) {
    const tab = await context.newPage();
    await tab.goto(`${server.url}#/`);
    tabs.push(tab);
  }
  await expect
    .poll(() => server.running.streams().map(({ topics }) => [...topics].sort()))
    .toEqual([TOPICS.toSorted()]);

  await server.publish("topic-7", "heard in every tab");
  for (const tab of tabs) await expect(tab.getByText("heard in every tab", { exact: true })).toHaveCount(1);
  expect(server.running.streams()).toHaveLength(1);

  await expect.poll(() => storedMessages(page)).toEqual({ rows: 1, ids: 1 });

  const [last, ...others] = tabs.toReversed() as [Page, ...Page[]];
  for (const tab of others) await tab.close();
  await server.publish("topic-7", "still heard");
  await expect(last.getByText("still heard", { exact: true })).toHaveCount(1);
  await expect.poll(() => server.running.streams()).toHaveLength(1);
});
