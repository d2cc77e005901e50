import { expect, isLive, message, subscribe, test } from "./fixtures";

test.use({ launch: { blocksSiteData: true } });

test("where the user forbids sites to store anything, it runs from memory and says so", async ({
  server,
  tab,
  openTab,
}) => {
  await subscribe(tab, server, "backups");
  await tab.first({ css: "*", within: "body", text: "Earshot is running from memory" });
  const other = await openTab();
  await subscribe(other, server, "backups");
  await isLive(tab);
  await server.curl("backups", "heard by both");
  for (const one of [tab, other]) await one.shows(message("heard by both"));
  await tab.goto(`${server.url}#/~settings/storage`);
  await tab.shows({ css: "dd", text: "In memory only" });
  expect(tab.trouble).toEqual([]);
});
