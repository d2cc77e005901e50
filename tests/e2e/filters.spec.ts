import type { Page } from "@playwright/test";
import { expect, subscribe, test, type TestServer } from "./fixtures";
import { expectLive, filterBox, message } from "./on-screen";
import { nowS } from "./scripted-server";

test.use({ serverOptions: { cache: 30 * 86_400, attachments: {} } });

/** All titles in the feed before it is filtered, newest first. */
const ALL = ["Stairs", "Door", "Backup of home", "Backup of mail", "Disk"];

/** Publishes messages that differ in everything that a filter can test, and subscribes to their topic. */
async function open(page: Page, server: TestServer): Promise<void> {
  const daysAgo = (days: number) => ({ time: nowS() - days * 86_400 });
  await server.publish("home", "91 % used", { title: "Disk", priority: 4, tags: ["warning", "disk"], ...daysAgo(9) });
  await server.publish("home", "nightly run failed", {
    ...{ title: "Backup of mail", priority: 5, tags: ["backup", "mail"] },
    ...daysAgo(3),
  });
  await server.publish("home", "nightly run done", { title: "Backup of home", tags: ["backup"], ...daysAgo(2) });
  await server.publish("home", "ajar, says the sensor", { title: "Door", priority: 2, click: "https://example.org/" });
  await server.publish("home", "a picture", {
    title: "Stairs",
    file: { name: "stairs.txt", content: Buffer.from("x") },
  });
  await subscribe(page, server, "home");
  await expectTitles(page, ...ALL);
}

/** Comes back to the topic of `open`, without a filter. */
async function reopen(page: Page, server: TestServer): Promise<void> {
  await page.goto(`${server.url}#/home`);
  await expect(filterBox(page)).toHaveValue("");
  await expectTitles(page, ...ALL);
}

async function expectTitles(page: Page, ...titles: string[]): Promise<void> {
  await expect(page.getByRole("feed").getByRole("heading", { level: 2 })).toHaveText(
    titles.map((title) => new RegExp(`${title}$`)),
  );
}

test("messages are filtered, and links hold the filter in the protocol's words", async ({ server, page }) => {
  await open(page, server);
  await message(page, "ajar").click();
  await page.getByRole("complementary", { name: "Message" }).getByRole("button", { name: "Close" }).click();
  await expect(page.getByRole("main").getByText("4 unread", { exact: true })).toBeVisible();
  const day = (ago: number) =>
    new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Berlin" }).format((nowS() - ago * 86_400) * 1000);
  for (const [filter, link, ...found] of [
    ["nightly mail", "q=nightly mail", "Backup of mail"],
    ["is:unread -priority:5", "q=is:unread -priority:urgent", "Stairs", "Backup of home", "Disk"],
    [`after:4d before:${day(1)}`, `q=after:4d before:${day(1)}`, "Backup of home", "Backup of mail"],
    ["priority:high,5 tags:BACKUP,mail", "priority=high,urgent&tags=BACKUP,mail", "Backup of mail"],
  ] as const) {
    await filterBox(page).fill(filter);
    await filterBox(page).press("Enter");
    await expectTitles(page, ...found);
    await expect(page.getByRole("search").getByRole("status")).toHaveText(`${String(found.length)} of 5`);
    await expect.poll(() => decodeURIComponent(new URL(page.url()).hash), filter).toBe(`#/home?${link}`);
    if (link.startsWith("priority")) await page.reload();
    await expectTitles(page, ...found);
    await page.getByRole("button", { name: "Clear the search and filter" }).click();
    await expectTitles(page, ...ALL);
    await expect(page).toHaveURL(/#\/home$/);
  }
  await test.step("a filter applies to arriving messages, and nothing is filtered at the server", async () => {
    await expectLive(page);
    await filterBox(page).fill("tag:backup");
    await filterBox(page).press("Enter");
    await expectTitles(page, "Backup of home", "Backup of mail");
    await server.publish("home", "text", { title: "Not this one" });
    await server.publish("home", "text", { title: "Backup of work", tags: ["backup"] });
    await expectTitles(page, "Backup of work", "Backup of home", "Backup of mail");
    await expect(page.getByRole("search").getByRole("status")).toHaveText("3 of 7");
    await page.getByRole("button", { name: "Clear the search and filter" }).click();
    await expectTitles(page, "Backup of work", "Not this one", ...ALL);
    expect(server.requests.filter(({ path }) => /tags|priority|title/.test(path))).toEqual([]);
  });
  await test.step("when nothing is found all topics can be searched, or the filter cleared", async () => {
    await server.publish("elsewhere", "nowhere-to-be-found but here");
    await subscribe(page, server, "elsewhere");
    await page.goto(`${server.url}#/home?priority=min&tags=backup`);
    await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
    await expect(page.getByRole("search").getByRole("status")).toHaveText("0 of 7");
    await page.goto(`${server.url}#/home?q=nowhere-to-be-found`);
    await page.getByRole("button", { name: "Search all topics" }).click();
    await expect(message(page, "but here")).toBeVisible();
    await page.goBack();
    await page.getByRole("button", { name: "Clear the filter" }).click();
    await expectTitles(page, "Backup of work", "Not this one", ...ALL);
    await expect(filterBox(page)).toHaveValue("");
  });
});

/** Expects that the first message is visible below the suggestions, and not covered, once the search is done. */
async function expectFirstHitFree(page: Page): Promise<void> {
  const list = page.getByRole("listbox", { name: "Suggestions" });
  const first = page.getByRole("feed").getByRole("article").first();
  await expect(async () => {
    const [above, hit] = [await list.boundingBox(), await first.boundingBox()];
    expect(above).not.toBeNull();
    expect(hit?.y).toBeGreaterThanOrEqual((above?.y ?? NaN) + (above?.height ?? NaN));
    const isOnTop = await first.evaluate((row) => {
      const { x, y, width, height } = row.getBoundingClientRect();
      return row.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
    expect(isOnTop, "nothing lies over it").toBe(true);
  }).toPass();
}

test("the box helps to write a filter", async ({ server, page }) => {
  await test.step("typed conditions become chips, which can be changed and removed", async () => {
    await open(page, server);
    const search = page.getByRole("search");
    await filterBox(page).pressSequentially("priority:high,max tag:backup mail");
    await expectTitles(page, "Backup of mail");
    await expect(filterBox(page)).toHaveValue("mail");
    await expect(search.getByRole("button", { name: "Remove priority:high,urgent" })).toBeVisible();
    await search.getByRole("button", { name: "Remove priority:high,urgent" }).click();
    await expect(search.getByRole("button", { name: /^Remove/ })).toHaveCount(1);
    await filterBox(page).fill("");
    await expectTitles(page, "Backup of home", "Backup of mail");

    await search.getByRole("button", { name: "tag: backup" }).click();
    await expect(filterBox(page)).toHaveValue("tag:backup");
    await expect(filterBox(page)).toBeFocused();
    await filterBox(page).fill("tag:disk");
    await expectTitles(page, "Disk");
    await filterBox(page).press("Enter");
    await expect(search.getByRole("button", { name: "Remove tag:disk" })).toBeVisible();
    await filterBox(page).press("Backspace");
    await expectTitles(page, ...ALL);
  });
  await test.step("a condition is one line as long as there is room, however short its value", async () => {
    await reopen(page, server);
    await filterBox(page).pressSequentially("-topic:ab priority:high tag:backups ");
    const chips = page.getByRole("search").getByRole("button", { name: /: (ab|high|backups)$/ });
    await expect(chips).toHaveCount(3);
    const heights = await chips.evaluateAll((all) => all.map((chip) => chip.getBoundingClientRect().height));
    expect(new Set(heights).size).toBe(1);
  });
  await test.step("a wrong word is explained, and the last valid filter still holds", async () => {
    await reopen(page, server);
    await filterBox(page).fill("priority:high");
    await filterBox(page).press("Enter");
    await expectTitles(page, "Disk");
    const wrong = {
      "priority:loud": "“loud” is not a priority. Use min, low, default, high and urgent, or 1 to 5.",
      "is:lost": "“lost” is not known here. Use is:unread, read,",
      "after:soon": "“soon” is not a time.",
      "tag:": "“tag:” needs a value.",
      '"open': "A quotation mark is missing.",
    };
    const alert = page.getByRole("search").getByRole("alert");
    for (const [filter, words] of Object.entries(wrong)) {
      await filterBox(page).fill(filter);
      await filterBox(page).press("Enter");
      await expect(alert).toContainText(words);
      await expect(filterBox(page)).toHaveAttribute("aria-invalid", "true");
      await expect(filterBox(page)).toHaveAccessibleDescription(new RegExp(words.slice(0, 12)));
      await expectTitles(page, "Disk");
    }
    await filterBox(page).fill("disk is:lost");
    await filterBox(page).press("Enter");
    const marked = () =>
      filterBox(page).evaluate((input: HTMLInputElement) => [input.selectionStart, input.selectionEnd]);
    await expect.poll(marked, "the word itself is marked").toEqual([8, 12]);
    await page.keyboard.type("unread");
    await filterBox(page).press("Enter");
    await expect(alert).toHaveCount(0);
    await expectTitles(page, "Disk");
  });
  await test.step("the slash key focuses the box, and Escape empties and leaves it", async () => {
    await reopen(page, server);
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("/");
    await expect(filterBox(page)).toBeFocused();
    await page.keyboard.type("disk");
    await expectTitles(page, "Disk");
    const suggestions = page.getByRole("listbox", { name: "Suggestions" });
    await expect(suggestions).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(suggestions).toHaveCount(0);
    await expectTitles(page, "Disk");
    await page.keyboard.press("Escape");
    await expectTitles(page, ...ALL);
    await page.keyboard.press("Escape");
    await expect(filterBox(page)).not.toBeFocused();
  });
  await test.step("suggestions never cover the first hit, and scroll to those further down", async () => {
    const size = page.viewportSize() ?? { width: 1280, height: 720 };
    const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
    // The code for the suggestions is loaded when the box is first focused.
    await expect(async () => {
      await filterBox(page).click();
      await expect(options.first()).toBeVisible({ timeout: 500 });
    }).toPass();
    await expectFirstHitFree(page);
    await page.setViewportSize({ width: 1100, height: 500 });
    await expectFirstHitFree(page);
    await filterBox(page).press("ArrowUp");
    await expect(options.last()).toHaveAttribute("aria-selected", "true");
    await expect(options.last()).toBeInViewport();
    await filterBox(page).press("Escape");
    await expect(options).toHaveCount(0);
    await page.setViewportSize(size);
  });
});

test("all matches are counted, beyond the screen and new ones too; topics of the same name are told apart by their servers", async ({
  server,
  page,
  startOther,
}) => {
  for (let number = 1; number <= 80; number++) await server.publish("many", `line-${number}`, { tags: ["many"] });
  await subscribe(page, server, "many");
  await expectLive(page);
  const status = page.getByRole("search").getByRole("status");
  await filterBox(page).fill("tag:many");
  await expect(status).toHaveText("80 of 80");
  await server.publish("many", "one more", { tags: ["many"] });
  await server.publish("many", "another", {});
  await expect(status).toHaveText("81 of 82");
  await message(page, "one more").click();
  await page.keyboard.press("e");
  await expect(status).toHaveText("80 of 81");

  const other = await startOther();
  await server.publish("alerts", "the fan stopped");
  await server.publish("alerts", "a door is open");
  await subscribe(page, server, "alerts");
  await page.goto(`${server.url}#/http:${other.host}/alerts`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.goto(`${server.url}#/`);
  await expect(message(page, "the fan stopped")).toHaveCount(1);
  await filterBox(page).click();
  await filterBox(page).pressSequentially("server:");
  for (const { host } of [server, other]) {
    await expect(page.getByRole("option", { name: host })).toBeVisible();
  }
  await filterBox(page).fill("fan");
  await expect(message(page, "a door is open")).toHaveCount(0);
  await expect(message(page, "the fan stopped")).toHaveCount(1);
});

test("keywords, values, tags and places are completed by keyboard and by pointer, and become chips", async ({
  server,
  page,
}) => {
  await open(page, server);
  await server.publish("front-door", "the bell rang", { title: "Bell" });
  await subscribe(page, server, "home", "front-door");
  await page.goto(`${server.url}#/`);
  await expectTitles(page, "Bell", ...ALL);
  const search = page.getByRole("search");
  const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
  await filterBox(page).pressSequentially("-ta");
  await expect(options).toHaveText([/^-tag:/]);
  await expect(filterBox(page)).toHaveAttribute("aria-expanded", "true");
  await filterBox(page).press("ArrowDown");
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  expect(await filterBox(page).getAttribute("aria-activedescendant")).toBe(await options.first().getAttribute("id"));
  await filterBox(page).press("Enter");
  await expect(filterBox(page)).toHaveValue("-tag:");
  await expect(options).toHaveText([/^backup.*on 2 messages/, /^disk/, /^mail/, /^warning/]);
  await filterBox(page).press("ArrowUp");
  await filterBox(page).press("Tab");
  await expect(search.getByRole("button", { name: "Remove -tag:warning" })).toBeVisible();
  await expect(filterBox(page)).toBeFocused();
  await expectTitles(page, "Bell", "Stairs", "Door", "Backup of home", "Backup of mail");

  await filterBox(page).pressSequentially("prio");
  await options.filter({ hasText: "priority:" }).click();
  await options.filter({ hasText: "urgent" }).click();
  await expect(search.getByRole("button", { name: "Remove priority:urgent" })).toBeVisible();
  await expectTitles(page, "Backup of mail");
  await filterBox(page).pressSequentially("hom");
  await options.filter({ hasText: "topic:home" }).click();
  await expect(search.getByRole("button", { name: "Remove topic:home" })).toBeVisible();
  await expect(filterBox(page)).toHaveValue("");
  await expectTitles(page, "Backup of mail");
  await page.getByRole("button", { name: "Clear the search and filter" }).click();

  await filterBox(page).pressSequentially("-topi");
  await expect(options).toHaveText([/^-topic:/]);
  await filterBox(page).press("ArrowDown");
  await filterBox(page).press("Enter");
  await expect(options).toHaveText([/^home/, /^front-door/]);
  await options.filter({ hasText: "home" }).click();
  await expect(search.getByRole("button", { name: "Remove -topic:home" })).toBeVisible();
  await expectTitles(page, "Bell");
  await expect(search.getByRole("status")).toHaveText("1 of 6");
  await expectLive(page);
  await server.publish("home", "not this one", { title: "Stove" });
  await server.publish("front-door", "and again", { title: "Again" });
  await expectTitles(page, "Again", "Bell");
  await expect(page).toHaveURL(/#\/\?q=-topic:home$/);
  await page.reload();
  await expectTitles(page, "Again", "Bell");

  await page.goto(`${server.url}#/?q=topic:HOME,front-door%20title:b%20-server:nowhere`);
  await expectTitles(page, "Bell", "Backup of home", "Backup of mail");
  await page.goto(`${server.url}#/?q=topic:front-door%20title:disk`);
  await page.getByRole("button", { name: "Remove topic:front-door" }).click();
  await expectTitles(page, "Disk");
  await page.goto(`${server.url}#/?q=group:none`);
  await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the box appears on demand, with the most used filters or suggestions, which don't cover the first hit", async ({
    server,
    page,
  }) => {
    await open(page, server);
    await expect(filterBox(page)).toHaveCount(0);
    await page.getByRole("main").getByRole("button", { name: "Search" }).click();
    const quick = page.getByRole("group", { name: "Quick filters" });
    await expect(quick).toBeVisible();
    await expect(filterBox(page)).toBeFocused();
    await filterBox(page).pressSequentially("t");
    await expect(page.getByRole("option", { name: /^tag:/ }).first()).toBeVisible();
    await expect(quick).toHaveCount(0);
    await expectFirstHitFree(page);
    // This is the height that an on-screen keyboard leaves.
    await page.setViewportSize({ width: 390, height: 480 });
    await expectFirstHitFree(page);
    await page.getByRole("option", { name: /^tag:/ }).first().tap();
    await page.getByRole("option", { name: /^backup/ }).tap();
    await expectTitles(page, "Backup of home", "Backup of mail");
    await page.getByRole("button", { name: "Remove tag:backup" }).click();
    await quick.getByRole("button", { name: "High and urgent" }).click();
    await expectTitles(page, "Backup of mail", "Disk");
    await expect(quick.getByRole("button", { name: "High and urgent" }), "its chip says it").toHaveCount(0);
    await quick.getByRole("button", { name: "With attachment" }).click();
    await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
    await page.getByRole("button", { name: "Remove priority:high,urgent" }).click();
    await expectTitles(page, "Stairs");
    await expect(page).toHaveURL(/#\/home\?q=has:attachment$/);
  });
});

test("a search finds topics by name, times as people write them, and what was nearly typed", async ({
  server,
  page,
}) => {
  await open(page, server);
  await server.publish("front-door", "the bell rang", { title: "Bell" });
  await subscribe(page, server, "home", "front-door");
  await page.goto(`${server.url}#/`);
  await expectTitles(page, "Bell", ...ALL);
  const search = page.getByRole("search");
  const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
  await test.step("a topic's name is the first offer", async () => {
    await filterBox(page).pressSequentially("front");
    await expect(options.first()).toContainText("topic:front-door");
    await filterBox(page).press("ArrowDown");
    await filterBox(page).press("Enter");
    await expectTitles(page, "Bell");
    await page.getByRole("button", { name: "Clear the search and filter" }).click();
  });
  await test.step("words that are a time are offered as filters", async () => {
    await filterBox(page).pressSequentially("yesterday evening");
    await expect(options).toHaveText([/^since yesterday 17:00/, /^from yesterday 17:00 to 00:00/, /^before yesterday/]);
    await options.first().click();
    await expect(search.getByRole("button", { name: /^after: Yesterday 17:00/ })).toBeVisible();
    await expectTitles(page, "Bell", "Stairs", "Door");
    await page.getByRole("button", { name: "Clear the search and filter" }).click();
    await filterBox(page).pressSequentially("disk before:vor zwei Wochen");
    await expect(options).toHaveText([/^before /]);
    await filterBox(page).press("Enter");
    await expect(search.getByRole("button", { name: /^before: \d{4}-\d\d-\d\d$/ })).toBeVisible();
    await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
    await page.getByRole("button", { name: "Clear the search and filter" }).click();
  });
  await test.step("a search without a hit says what nearly did", async () => {
    await filterBox(page).fill("bakup");
    await page.getByRole("button", { name: "2 for “backup”" }).click();
    await expectTitles(page, "Backup of home", "Backup of mail");
    await expect(filterBox(page)).toHaveValue("backup");
    await filterBox(page).fill("frontdoor");
    await page.getByRole("button", { name: "1 for “topic:front-door”" }).click();
    await expectTitles(page, "Bell");
    await page.getByRole("button", { name: "Clear the search and filter" }).click();
  });
  await test.step("Jump to reads the same words, and says what it can't read", async () => {
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("d");
    const words = page.getByRole("dialog").getByLabel("Or in words");
    await words.fill("soon");
    await words.press("Enter");
    await expect(words).toHaveAccessibleDescription(/^“soon” is not a time\. Write it like/);
    await words.fill("gestern");
    await words.press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });
});

test.describe("in German", () => {
  test.use({ locale: "de-DE" });

  test("times are offered, and what was nearly typed", async ({ server, page }) => {
    await server.publish("keller", "Platte ist voll", { title: "Sicherung fehlgeschlagen" });
    await server.publish("garten", "Tor offen");
    await page.goto(`${server.url}#/keller,garten`);
    await page.getByRole("button", { name: "Abonnieren" }).click();
    await expect(page.getByRole("article")).toHaveCount(2);
    const box = page.getByRole("search").getByRole("combobox");
    await box.pressSequentially("voll vor zwei Wochen");
    const options = page.getByRole("listbox").getByRole("option");
    await expect(options).toHaveText([/^seit \p{L}{2}/u, /^von .+ bis /, /^vor /]);
    await options.first().click();
    await expect(page.getByRole("button", { name: /^nach: \d{4}-\d\d-\d\d$/ })).toBeVisible();
    await expect(page.getByRole("article")).toHaveCount(1);
    await box.fill("sicherng");
    await page.getByRole("button", { name: "1 für „sicherung“" }).click();
    await expect(page.getByRole("article").filter({ hasText: "Sicherung fehlgeschlagen" })).toHaveCount(1);
  });
});
