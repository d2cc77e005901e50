import { button, expect, heading, isLive, message, storedMessages, subscribe, test, VIEW } from "./fixtures";

test("a link to a topic that is not subscribed asks first; a look at it stores nothing", async ({ server, tab }) => {
  await server.publish("backups", "held by the server");
  await server.publish("backups", "urgent and held", { priority: 5 });
  await tab.goto(`${server.url}#/backups?priority=urgent`);
  await tab.shows(heading("Subscribe to this topic?"));
  expect(server.wasAskedFor("backups")).toBe(false);
  await tab.press(button("Preview", "main"));
  await tab.shows(heading("Preview of backups"));
  await tab.shows(message("urgent and held"));
  await tab.shows(message("held by the server"), 0);
  expect(server.running.streams()).toEqual([]);
  expect(await storedMessages(tab)).toBe(0);
  await tab.press(button("Back", "main"));
  await tab.press(button("Subscribe", "main"));
  await tab.shows(heading("backups"));
  await isLive(tab);
});

test("a link leads to its view with its filter, to a message, and Back to where one was", async ({ server, tab }) => {
  const { id, time } = await server.publish("backups", "urgent one", { title: "Disk full", priority: 5 });
  await server.publish("backups", "ordinary one");
  await subscribe(tab, server, "backups");
  await tab.shows({ css: "[role=feed] article" }, 2);
  await tab.goto(`${server.url}#/backups?priority=urgent`);
  await tab.shows({ css: "[role=feed] article" }, 1);
  await tab.shows(message("urgent one"));
  await tab.window.run(() => history.back());
  await tab.shows({ css: "[role=feed] article" }, 2);
  await tab.goto(`${server.url}#/backups?id=${id}&at=${time}`);
  await tab.shows({ css: ".aside :is(h1, h2)", name: "Disk full" });
});

test("the address of a topic leads to the app, and the link to a view is handed on", async ({ server, tab }) => {
  await server.publish("backups", "held by the server");
  await tab.goto(`${server.url}backups`);
  await tab.shows(heading("Subscribe to this topic?"));
  await tab.answers(() => location.hash, "#/backups");
  await tab.press(button("Subscribe", "main"));
  await tab.shows(message("held by the server"));
  await tab.press(button("Share", VIEW));
  await tab.shows({ css: "dialog[open] .link", text: "#/backups" });
});
