import type { Page } from "@playwright/test";
import { CROSS_SITE_SCRIPTING } from "./cross-site-scripting";
import { expect, subscribe, test, type TestServer } from "./fixtures";
import { NOTIFICATION_LOCK } from "../../src/contract";
import { chooseInMenu, keptOffline, message, notice } from "./on-screen";

test.use({ serviceWorkers: "allow" });

/**
 * Titles of the app's notifications, as its service worker lists them. It takes the lock that the app takes to show
 * one, as in Chromium listing notifications loses one that is just being shown.
 * @param closes closes all of them as well
 */
async function titles(page: Page, closes = false): Promise<string[]> {
  return page.evaluate(
    async ([lock, closes]) => {
      const registration = await navigator.serviceWorker.ready;
      const shown = await navigator.locks.request(lock, () => registration.getNotifications());
      if (closes) for (const one of shown) one.close();
      return shown.map(({ title }) => title).sort();
    },
    [NOTIFICATION_LOCK, closes] as const,
  );
}

/** Makes all pages as they are behind another window: nobody sees what comes in them. */
async function behindAnother(page: Page): Promise<void> {
  await page.context().addInitScript(() => (Document.prototype.hasFocus = () => false));
}

/** Opens the app where notifications are allowed already, and waits until it can show them. */
async function openAlerting(page: Page, server: TestServer, ...topics: string[]): Promise<void> {
  await behindAnother(page);
  await page.context().grantPermissions(["notifications"], { origin: server.url });
  await subscribe(page, server, ...topics);
  await keptOffline(page);
}

/** Waits until the tabs have told the hub that they can show alerts, which a first notification proves. */
async function proveAlerting(page: Page, server: TestServer, topic: string): Promise<void> {
  await expect(async () => {
    await server.publish(topic, "a first one", { title: "First" });
    await expect.poll(() => titles(page), { timeout: 2_000 }).toContain(`First · ${topic}`);
  }).toPass();
  await clear(page);
}

/** Closes all notifications and waits until none is left, so that later checks start from nothing. */
async function clear(page: Page): Promise<void> {
  await titles(page, true);
  await expect.poll(() => titles(page)).toEqual([]);
}

/** Changes one setting of the current topic. */
async function setForTopic(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole("button", { name: "More" }).first().click();
  await page.getByRole("menuitem", { name: "Topic settings" }).click();
  await page.getByLabel(label).selectOption(option);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  // Opened anew, it shows what is stored.
  await page.getByRole("button", { name: "More" }).first().click();
  await page.getByRole("menuitem", { name: "Topic settings" }).click();
  await expect(page.getByLabel(label).locator("option:checked")).toHaveText(option);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
}

/** Mutes the current topic. */
async function mute(page: Page, length: string): Promise<void> {
  await chooseInMenu(page, "Mute…");
  await page.getByRole("dialog").getByRole("button", { name: length }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
}

/** The reason that the details of a message give for its missing alert; undefined = they give none. */
async function whyNot(page: Page, text: string): Promise<string | undefined> {
  await message(page, text).click();
  const details = page.getByRole("complementary", { name: "Message" });
  await expect(details.getByText(text)).toBeVisible();
  const term = details.getByRole("term").filter({ hasText: "No alert" });
  return (await term.count()) > 0 ? term.locator("xpath=following-sibling::dd[1]").innerText() : undefined;
}

test("permission is requested only after a press; notifications are tested, turned off and on, and spare what is looked at", async ({
  server,
  page,
}) => {
  await page.goto(`${server.url}#/~settings/alerts`);
  const section = page.locator("section").filter({ has: page.getByRole("heading", { name: "Notifications" }) });
  await expect(section).toContainText(/Off|Blocked/);
  await page.context().grantPermissions(["notifications"], { origin: server.url });
  await expect(section, "the browser's settings are followed").toContainText("On.");
  await keptOffline(page);
  await section.getByRole("button", { name: "Send a test" }).click();
  await expect(notice(page)).toContainText("Test sent");
  await expect.poll(() => titles(page)).toEqual(["Notifications work"]);
  await section.getByRole("button", { name: "Turn off" }).click();
  await expect(section.getByRole("button", { name: "Turn on" })).toBeVisible();
  await section.getByRole("button", { name: "Turn on" }).click();
  await expect(section.getByRole("button", { name: "Send a test" })).toBeVisible();
  await clear(page);

  await subscribe(page, server, "backups", "noise");
  await page.goto(`${server.url}#/noise`);
  await proveAlerting(page, server, "backups");
  await page.mouse.move(300, 300);
  await server.publish("noise", "seen as it came");
  await expect(message(page, "seen as it came")).toBeVisible();
  // Alerts are shown in their order.
  await server.publish("backups", "elsewhere", { title: "Backup" });
  await expect.poll(() => titles(page)).toEqual(["Backup · backups"]);
  // A dialog stands before the messages.
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await server.publish("noise", "behind a dialog", { title: "Behind" });
  await expect.poll(() => titles(page)).toEqual(["Backup · backups", "Behind · noise"]);
  await page.keyboard.press("Escape");
  // Another window comes to the front.
  await page.evaluate(() => (Document.prototype.hasFocus = () => false));
  await server.publish("noise", "seen by nobody", { title: "Noise" });
  await expect.poll(() => titles(page)).toEqual(["Backup · backups", "Behind · noise", "Noise · noise"]);
});

/** Counts the notifications that a page shows, and the notes that it plays. */
const counting = () => {
  // An empty page comes before the app.
  if (!isSecureContext) return;
  const counted = Object.assign(globalThis, { shown: 0, notes: 0 });
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (this: OscillatorNode, ...when) {
    counted.notes++;
    start.apply(this, when);
  };
  const show = ServiceWorkerRegistration.prototype.showNotification;
  ServiceWorkerRegistration.prototype.showNotification = function (...args) {
    counted.shown++;
    return show.apply(this, args);
  };
};

test("of three tabs one shows the notification of a message, and one plays its sound if one is chosen", async ({
  server,
  page,
  context,
}) => {
  await context.addInitScript(counting);
  await openAlerting(page, server, "backups", "noise");
  for (const _ of [2, 3]) await (await context.newPage()).goto(`${server.url}#/backups`);
  const tabs = context.pages();
  /** In all tabs, as any of them may do it. */
  const sum = async (what: "shown" | "notes"): Promise<number> => {
    const counts = tabs.map((tab) =>
      tab.evaluate((what) => (globalThis as unknown as Record<string, number>)[what], what),
    );
    return (await Promise.all(counts)).reduce<number>((sum, count) => sum + (count ?? 0), 0);
  };
  await proveAlerting(page, server, "backups");
  expect(await sum("notes"), "none unless one is chosen").toBe(0);
  const settings = tabs.slice(1);
  for (const tab of settings) {
    await tab.goto(`${server.url}#/~settings/alerts`);
    await tab.getByRole("heading", { name: "Sounds" }).click();
  }
  const [one = page, other = page] = settings;
  await one.getByLabel("Urgent", { exact: true }).selectOption("Siren");
  await one.getByRole("button", { name: "Play Urgent" }).click();
  await expect.poll(() => sum("notes")).toBe(6);
  await expect(other.getByLabel("Urgent", { exact: true })).toHaveValue("siren");

  const before = await sum("shown");
  await server.publish("backups", "an ordinary one", { title: "Ordinary" });
  await expect.poll(() => titles(page)).toEqual(["Ordinary · backups"]);
  expect(await sum("notes")).toBe(6);
  await server.publish("backups", "it burns", { title: "Fire", priority: 5 });
  await expect.poll(() => titles(page)).toEqual(["Fire · backups", "Ordinary · backups"]);
  await expect.poll(() => sum("notes"), "one siren").toBe(12);
  expect(await sum("shown")).toBe(before + 2);
  const silent = await page.evaluate(async (lock) => {
    const registration = await navigator.serviceWorker.ready;
    const shown = await navigator.locks.request(lock, () => registration.getNotifications());
    return shown.map(({ title, silent }) => [title, silent]).sort();
  }, NOTIFICATION_LOCK);
  expect(silent, "in place of the system's").toEqual([
    ["Fire · backups", true],
    ["Ordinary · backups", false],
  ]);

  await page.goto(`${server.url}#/noise`);
  await mute(page, "Until I unmute it");
  await server.publish("noise", "nobody hears it", { priority: 5 });
  await expect(message(page, "nobody hears it")).toBeVisible();
  await server.publish("backups", "the next", { title: "Next" });
  await expect.poll(() => titles(page)).toContain("Next · backups");
  expect(await sum("notes")).toBe(12);
});

test("notifications come and go with their messages", async ({ server, page }) => {
  test.slow();
  await openAlerting(page, server, "backups");
  await proveAlerting(page, server, "backups");
  await test.step("reading a message closes its notification", async () => {
    await server.publish("backups", "look at this", { title: "Look" });
    await expect.poll(() => titles(page)).toEqual(["Look · backups"]);
    await page.getByRole("article").filter({ hasText: "look at this" }).click();
    await expect.poll(() => titles(page)).toEqual([]);
  });
  await test.step("a notification's own button marks the message, and brings nothing to the front", async () => {
    await clear(page);
    await page.goto(`${server.url}#/backups`);
    const { id } = await server.publish("backups", "dealt with", { title: "Done soon" });
    await expect.poll(() => titles(page)).toEqual(["Done soon · backups"]);
    const data = await page.evaluate(async (lock) => {
      const registration = await navigator.serviceWorker.ready;
      const [shown] = await navigator.locks.request(lock, () => registration.getNotifications());
      return { data: shown?.data as unknown, actions: (shown as unknown as { actions: unknown }).actions };
    }, NOTIFICATION_LOCK);
    expect(data.actions).toMatchObject([
      { action: "earshot:done", title: "Done" },
      { action: "earshot:snooze", title: "Snooze for 1 hour" },
    ]);
    expect(data.data).toMatchObject({ key: [expect.anything(), expect.anything(), id] });
    // As the worker tells a page of the press.
    await page.goto(`${server.url}#/~settings`);
    await page.evaluate((data) => {
      const press = { ...(data as object), kind: "notification-press", actionId: "earshot:done", atMs: Date.now() };
      navigator.serviceWorker.dispatchEvent(new MessageEvent("message", { data: press }));
    }, data.data);
    await expect.poll(() => titles(page)).toEqual([]);
    expect(page.url()).toContain("#/~settings");
    await page.goto(`${server.url}#/~done`);
    await expect(message(page, "dealt with")).toHaveCount(1);
  });
  await test.step("pressing a notification shows the message in the open tab", async () => {
    await clear(page);
    await page.goto(`${server.url}#/backups`);
    await page.goto(`${server.url}#/~settings`);
    await server.publish("backups", "press me", { title: "Press" });
    await expect.poll(() => titles(page)).toEqual(["Press · backups"]);
    // Sends what the service worker sends after a press, as a test can't press a notification of the system.
    const fragment = await page.evaluate(async () => {
      const [shown] = await (await navigator.serviceWorker.ready).getNotifications();
      return (shown?.data as { fragment: string }).fragment;
    });
    const answered = await page.evaluate(
      (fragment) =>
        new Promise<unknown>((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }) => resolve(data);
          const press = { kind: "notification-press", fragment, atMs: Date.now() };
          navigator.serviceWorker.dispatchEvent(new MessageEvent("message", { data: press, ports: [port2] }));
        }),
      fragment,
    );
    expect(answered).toBe("taken");
    await expect(page.getByRole("article").filter({ hasText: "press me" }).first()).toBeVisible();
    await expect(page).toHaveURL(/#\/backups\?id=/);
  });
  await test.step("every text of a message is plain text in a notification", async () => {
    await clear(page);
    await page.goto(`${server.url}#/backups`);
    // Whatever the text, the app hands on what a unit test looks at: these are for the browser.
    for (const text of CROSS_SITE_SCRIPTING.slice(0, 24).filter((_, at) => at % 5 === 0)) {
      await server.publish("backups", text, { title: `x${text}`, icon: text, click: text, tags: [text] });
      await expect.poll(() => titles(page)).toEqual([expect.stringMatching(/^x[\s\S]* · backups$/)]);
      // Notifications still shown from the last seconds would be summarized with the next one.
      await clear(page);
    }
  });
  await test.step("one that can't be parsed as Markdown is announced as it was written, and delays no other", async () => {
    await server.curl("backups", ">".repeat(4000), { Title: "Deep", Markdown: "yes" });
    await expect.poll(() => titles(page)).toEqual(["Deep · backups"]);
    await server.publish("backups", "later", { title: "Later" });
    await expect.poll(() => titles(page)).toContain("Later · backups");
  });
  await test.step("many messages at once become one notification that counts them", async () => {
    await clear(page);
    await page.goto(`${server.url}#/backups`);
    for (let number = 1; number <= 16; number++) {
      await server.publish("backups", `number-${number}`, { priority: number % 8 === 0 ? 5 : 3 });
    }
    await expect.poll(async () => (await titles(page)).find((title) => title.includes("new in backups"))).toBeDefined();
    // The first few were announced one by one before there were enough to summarize, so the titles together must count
    // each message once.
    await expect
      .poll(async () => {
        const shown = await titles(page);
        const counted = shown.map((title) => Number(/^(\d+) new in backups/.exec(title)?.[1] ?? 1));
        return counted.reduce((sum, count) => sum + count, 0);
      })
      .toBe(16);
    expect((await titles(page)).length).toBeLessThanOrEqual(5);
  });
});

/** The line that says that everything is muted. */
const line = (page: Page) =>
  page
    .getByRole("status")
    .filter({ hasText: "Everything is muted until" })
    .filter({ has: page.getByRole("button", { name: "Unmute" }) });

/** The quiet hours that the database holds. */
function storedQuietHours(page: Page): Promise<unknown> {
  return page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const open = indexedDB.open("earshot");
        open.onerror = () => reject(new Error("the database did not open"));
        open.onsuccess = () => {
          const rules = open.result.transaction("settings").objectStore("settings").get("alertRules");
          rules.onsuccess = () => {
            open.result.close();
            resolve((rules.result as { quietHours?: unknown } | undefined)?.quietHours);
          };
        };
      }),
  );
}

test("the details of a message say why it did not alert", async ({ server, page }) => {
  test.slow();
  await server.publish("noise", "was here before");
  await openAlerting(page, server, "noise");
  await expect.poll(() => whyNot(page, "was here before")).toBe("sent before you subscribed");
  await proveAlerting(page, server, "noise");
  expect(await whyNot(page, "a first one"), "one that did alert").toBeUndefined();

  await setForTopic(page, "Minimum priority for alerts", "High");
  await server.publish("noise", "of no importance");
  await expect.poll(() => whyNot(page, "of no importance")).toBe("its topic asked for a higher priority");
  await mute(page, "1 h");
  await server.publish("noise", "for nobody", { priority: 5 });
  await expect.poll(() => whyNot(page, "for nobody")).toBe("its topic was muted");
  expect(await titles(page)).toEqual([]);

  await message(page, "for nobody").click();
  await page.getByRole("tab", { name: "Raw" }).click();
  await expect(page.getByRole("tabpanel"), "what was received, and no more").not.toContainText("noAlert");
  await page.getByRole("complementary", { name: "Message" }).getByRole("button", { name: "Close" }).click();
  await page.getByRole("main").getByRole("button", { name: "Unmute" }).click();

  await test.step("everything is muted from the palette, until a moment that every page shows", async () => {
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("dialog", { name: "Commands" }).getByRole("combobox").fill("mute everything");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Mute everything" });
    await expect(dialog).toContainText("not even urgent messages");
    await dialog.getByRole("button", { name: /^1 h/ }).click();
    await expect(notice(page)).toContainText(/Everything is muted until \S/);
    await expect(line(page)).toBeVisible();
    await server.publish("noise", "said to nobody", { priority: 5 });
    await expect.poll(() => whyNot(page, "said to nobody")).toBe("everything was muted");
    expect(await titles(page)).toEqual([]);
    await page.goto(`${server.url}#/~settings/alerts`);
    const settings = page.locator("section").filter({ has: page.getByRole("heading", { name: "Notifications" }) });
    await expect(settings).toContainText(/Everything is muted until/);
    await expect(line(page), "the settings say it once").toHaveCount(0);
  });
  await test.step("one press ends it", async () => {
    await page.goto(`${server.url}#/noise`);
    const unmute = line(page).getByRole("button", { name: "Unmute" });
    await unmute.click();
    await expect(line(page)).toHaveCount(0);
    await expect(notice(page)).toContainText("Everything alerts again");
    await notice(page).getByRole("button", { name: "Undo" }).click();
    await unmute.click();
    await expect(line(page)).toHaveCount(0);
    await server.publish("noise", "loud", { title: "Loud", priority: 5 });
    await expect.poll(() => titles(page)).toEqual(["Loud · noise"]);
  });
  await test.step("in quiet hours, which say when they end, only urgent messages alert, but in topics that have a rule of their own", async () => {
    await clear(page);
    await subscribe(page, server, "hours", "backups");
    await proveAlerting(page, server, "hours");
    await page.goto(`${server.url}#/~settings/alerts`);
    const settings = page.getByRole("region", { name: "Quiet hours" });
    await settings.getByLabel("Keep quiet hours").check();
    await expect(settings.getByRole("status")).toContainText(/quiet (from|until)/i);
    await settings.getByLabel("From").fill("12:00");
    await settings.getByLabel("To").fill("12:00");
    await expect(settings.getByRole("status")).toHaveText("Always quiet; urgent breaks through");
    await expect(settings).toContainText("Ends at 12:00 on the next day.");
    // The page shows it a moment before it is stored.
    await expect
      .poll(() => storedQuietHours(page))
      .toMatchObject({ on: true, spans: [{ from: "12:00", to: "12:00" }] });

    await server.publish("hours", "hushed");
    await server.publish("hours", "fire", { title: "Fire", priority: 5 });
    await expect.poll(() => titles(page)).toEqual(["Fire · hours"]);
    await page.goto(`${server.url}#/hours`);
    await expect.poll(() => whyNot(page, "hushed")).toBe("quiet hours without end");
    await clear(page);

    await page.goto(`${server.url}#/backups`);
    await setForTopic(page, "Quiet hours", "Always alert");
    await server.publish("backups", "loud", { title: "Loud" });
    await expect.poll(() => titles(page)).toEqual(["Loud · backups"]);
    await clear(page);

    await test.step("days of a topic's own quiet hours count, though they are pressed faster than they are stored", async () => {
      await setForTopic(page, "Quiet hours", "Its own");
      const isQuiet = async (name: string): Promise<boolean> => page.getByRole("dialog").getByLabel(name).isChecked();
      await chooseInMenu(page, "Topic settings");
      await page.evaluate(() => {
        for (const day of ["Saturday", "Sunday"])
          document.querySelector<HTMLElement>(`dialog [aria-label="${day}"]`)?.click();
      });
      await expect
        .poll(async () => {
          await page.keyboard.press("Escape");
          await chooseInMenu(page, "Topic settings");
          return Promise.all(["Friday", "Saturday", "Sunday"].map(isQuiet));
        })
        .toEqual([true, false, false]);
      await page.keyboard.press("Escape");
    });

    await page.goto(`${server.url}#/~settings/alerts`);
    // An hour ago until in an hour, by the page's clock, which may be over midnight.
    const [from = "", to = ""] = await page.evaluate(() =>
      [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toTimeString().slice(0, 5)),
    );
    await settings.getByLabel("From").fill(from);
    await settings.getByLabel("To").fill(to);
    await expect(settings.getByRole("status")).toContainText(`${to}; urgent breaks through`);
    await settings.getByLabel("To").fill("");
    await expect(settings).toContainText("Enter a time.");
    await expect(settings.getByRole("status")).toContainText(`${to}; urgent breaks through`);
    await settings.getByLabel("To").fill(to);
    await expect(settings).not.toContainText("Enter a time.");

    await settings.getByRole("button", { name: "Add a time" }).click();
    await settings.getByRole("group", { name: "Quiet time 2" }).getByText("Sun").click();
    await settings.getByRole("button", { name: "Remove quiet time 2" }).click();
    await notice(page).getByRole("button", { name: "Undo" }).click();
    await expect(settings.getByRole("group", { name: "Quiet time 2" }).getByLabel("Sunday")).not.toBeChecked();
    await settings.getByRole("button", { name: "Remove quiet time 2" }).click();
    await expect(settings.getByRole("group", { name: /^Quiet time/ })).toHaveCount(1);

    await page.goto(`${server.url}#/hours`);
    await server.publish("hours", "hushed too");
    await expect.poll(() => whyNot(page, "hushed too")).toMatch(new RegExp(`^quiet hours until .*${to}$`));

    await page.goto(`${server.url}#/~settings/alerts`);
    await settings.getByLabel("Keep quiet hours").uncheck();
    await expect(settings.getByRole("status")).toHaveCount(0);
    await expect.poll(() => storedQuietHours(page)).toMatchObject({ on: false });
    await server.publish("hours", "heard again", { title: "Heard" });
    await expect.poll(() => titles(page)).toEqual(["Heard · hours"]);
  });
});
