import { expect, subscribe, test } from "./fixtures";

const TOPICS = Array.from({ length: 20 }, (_, at) => `topic-${at}`);

test("five tabs with 20 topics share one stream, and each tab shows a message once", async ({
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

  const stored = await page.evaluate(async () => {
    const [database] = await indexedDB.databases();
    const open = indexedDB.open(database?.name ?? "");
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      open.onsuccess = () => resolve(open.result);
      open.onerror = () => reject(new Error(open.error?.message));
    });
    const request = db.transaction("messages").objectStore("messages").getAll();
    const rows = await new Promise<unknown[]>((resolve) => (request.onsuccess = () => resolve(request.result)));
    db.close();
    return JSON.stringify(rows).split("heard in every tab").length - 1;
  });
  expect(stored).toBe(1);
});

test("closing tabs leaves the stream to the others, and closing the last one ends it", async ({
  server,
  page,
  context,
}) => {
  await subscribe(page, server, "a", "b");
  await expect.poll(() => server.running.streams()).toHaveLength(1);
  const second = await context.newPage();
  await second.goto(`${server.url}#/a`);
  await page.close();
  await server.publish("a", "still heard");
  await expect(second.getByText("still heard", { exact: true })).toHaveCount(1);
  await expect.poll(() => server.running.streams()).toHaveLength(1);
});
