import {
  button,
  expect,
  field,
  heading,
  isLive,
  keptOffline,
  message,
  storedMessages,
  subscribe,
  test,
  words,
} from "./fixtures";

const OFFLINE = "Showing what is stored on this device.";

test("a topic is subscribed; what is published appears at once, is stored, and is there after a reload", async ({
  server,
  tab,
}) => {
  await tab.goto(server.url);
  await tab.fill(field("Topic", "main"), "backups");
  await tab.press(button("Subscribe", "main"));
  await tab.shows(heading("backups"));
  await isLive(tab);
  await server.curl("backups", "all copied", { Title: "Backup done" });
  await tab.shows(message("all copied"));
  await expect.poll(() => storedMessages(tab)).toBe(1);
  await tab.reload();
  await tab.shows(message("all copied"));
  await isLive(tab);
  await server.curl("backups", "after the reload");
  await tab.shows(message("after the reload"));
  await tab.shows({ css: "[role=feed] article" }, 2);
  await expect.poll(() => server.running.streams(), "the one before the reload is gone").toHaveLength(1);
  expect(await storedMessages(tab)).toBe(2);
  await tab.goto(`${server.url}#/~settings/storage`);
  await tab.shows(words("One connection for all tabs."));
});

test("two windows share one stream, show the same, and the second goes on without the first", async ({
  server,
  tab,
  openTab,
}) => {
  await subscribe(tab, server, "backups");
  const other = await openTab();
  await other.goto(`${server.url}#/`);
  await isLive(other);
  await server.curl("backups", "heard by both");
  for (const one of [tab, other]) {
    await one.shows(message("heard by both"));
    await one.shows(words("1 unread", "main"));
  }
  expect(server.running.streams()).toHaveLength(1);
  await tab.press(message("heard by both"));
  await other.shows(words("1 unread", "main"), 0);
  await tab.close();
  await server.curl("backups", "after one closed");
  await other.shows(message("after one closed"));
  await expect.poll(() => server.running.streams()).toHaveLength(1);
});

test("a server that goes away and comes back is reported in words, and a poll brings what was missed", async ({
  server,
  tab,
}) => {
  await subscribe(tab, server, "backups");
  await server.curl("backups", "before");
  await tab.shows(message("before"));
  // Without this the page itself could not be loaded again.
  await keptOffline(tab);
  await server.stop();
  await tab.shows({ css: "[role=status]", text: OFFLINE });
  await server.start();
  await server.curl("backups", "while nobody listened");
  await tab.shows(message("while nobody listened"));
  await isLive(tab);
  await tab.shows({ css: "[role=status]", text: OFFLINE }, 0);
  await server.curl("backups", "after that");
  await tab.shows(message("after that"));
  await tab.shows({ css: "[role=feed] article" }, 3);
});

test("it opens with no server and shows what is stored", async ({ server, tab, openTab }) => {
  await subscribe(tab, server, "backups");
  await server.curl("backups", "kept for the road");
  await tab.shows(message("kept for the road"));
  await keptOffline(tab);
  await tab.close();
  await server.stop();
  const offline = await openTab();
  await offline.goto(`${server.url}#/backups`);
  await offline.shows(message("kept for the road"));
  await offline.shows({ css: "[role=status]", text: OFFLINE });
  // This part of the app is loaded only now.
  await offline.goto(`${server.url}#/~settings`);
  await offline.shows(heading("Settings"));
  await offline.goto(`${server.url}?title=a&text=b`);
  await offline.first({ css: "h1" });
});

test("a backlog of thousands is received and stored once, and can be read to its end", async ({ server, tab }) => {
  const count = 4_000;
  const nowS = server.running.nowS();
  // In letters, as texts that differ in numbers alone fold into one row.
  const text = (at: number) => `message ${String(at).replace(/\d/g, (digit) => "abcdefghij"[Number(digit)] ?? "")}.`;
  for (let at = 0; at < count; at++) {
    await server.publish("backlog", text(at), { time: nowS - count + at });
  }
  await subscribe(tab, server, "backlog");
  await tab.shows(words("4,000 unread", "main"), 1, 60_000);
  await expect.poll(() => storedMessages(tab)).toBe(count);
  await tab.shows(message(text(3_999)));
  await tab.window.run(() => {
    const scroller = document.querySelector("[role=feed]")?.parentElement;
    scroller?.scrollTo({ top: scroller.scrollHeight });
  });
  await tab.shows(message(text(0)));
  await server.curl("backlog", "live all the same");
  await tab.shows(words("4,001 unread", "main"));
});
