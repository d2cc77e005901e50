import type { Page } from "@playwright/test";
import { expect, subscribe, test, type TestServer } from "./fixtures";
import { choose, expectLive, filterBox, message, notice, storedMessages } from "./on-screen";

const SUBSCRIBE = { name: "Subscribe", exact: true };

/** The fragment of the page's address. */
const fragment = (page: Page) => new URL(page.url()).hash;

/** Expects a page that asks before it does anything. */
async function expectAsked(page: Page, topics: string[], on: TestServer): Promise<void> {
  const heading = topics.length > 1 ? "Subscribe to these topics?" : "Subscribe to this topic?";
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
  for (const topic of topics) await expect(page.getByRole("heading", { name: topic, exact: true })).toBeVisible();
  await expect(page.getByText(`on ${on.host}`)).toHaveCount(topics.length);
  await expect(page.getByRole("button", SUBSCRIBE)).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Preview" })).toHaveCount(1);
  for (const topic of topics) expect(on.wasAskedFor(topic), topic).toBe(false);
}

test("a link to what is not subscribed", async ({ server, page, startOther, watch }) => {
  await test.step("asks, and neither stores nor requests anything before the choice", async () => {
    await server.publish("backups", "held by the server");
    await page.goto(`${server.url}#/backups`);
    await expectAsked(page, ["backups"], server);
    await expect(page.getByText("Earshot gets you what your scripts, servers and home send")).toBeVisible();
    await page.reload();
    await expectAsked(page, ["backups"], server);
    await page.goto(`${server.url}#/`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("What do you want to be within earshot of?");
    expect(server.wasAskedFor("backups")).toBe(false);
  });
  await test.step("a preview shows what the server holds, once, and stores nothing", async () => {
    await server.publish("previewed", "held by the server");
    await server.publish("previewed", "urgent and held", { priority: 5 });
    await page.goto(`${server.url}#/previewed?priority=urgent`);
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Preview of previewed");
    await expect(page.getByText("Only a preview. Nothing is stored.")).toBeVisible();
    await expect(message(page, "urgent and held")).toHaveCount(1);
    await expect(message(page, "held by the server"), "the filter of the link holds").toHaveCount(0);
    await page.getByRole("button", { name: "Clear the search and filter" }).click();
    await expect(message(page, "held by the server")).toHaveCount(1);
    expect(server.running.streams()).toEqual([]);
    expect(server.requests.filter(({ path }) => path.startsWith("/previewed"))).toHaveLength(1);
    await expect.poll(() => storedMessages(page)).toEqual({ rows: 0, ids: 0 });

    await page.getByRole("button", { name: "Back" }).click();
    await expect(page.getByRole("button", { name: "Preview" })).toBeVisible();
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("button", SUBSCRIBE).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("previewed");
    await expectLive(page);
  });
  await test.step("subscribes with history", async () => {
    await server.publish("history", "held by the server");
    await page.goto(`${server.url}#/history`);
    await page.getByRole("button", SUBSCRIBE).click();
    await expect(message(page, "held by the server")).toHaveCount(1);
    expect(fragment(page)).toBe("#/history");
    await expectLive(page);
    await server.curl("history", "live");
    await expect(message(page, "live")).toHaveCount(1);
  });
  await test.step("asks for a sign-in where the server does", async () => {
    const other = await startOther({
      access: { default: "deny-all", users: [{ name: "ada", password: "s3cret", role: "admin", tokens: [] }] },
    });
    watch.tolerate(/status of 40[13]/);
    await other.publish("secret", "for ada alone");
    await page.goto(`${server.url}#/http:${other.host}/secret`);
    await page.getByRole("button", SUBSCRIBE).click();
    await expect(page.getByRole("alert")).toHaveText("The server requires a sign-in for secret.");
    await page.getByLabel("Sign in").selectOption("User name and password");
    await page.getByLabel("User name", { exact: true }).fill("ada");
    await page.getByLabel("Password").fill("s3cret");
    await page.getByRole("button", SUBSCRIBE).click();
    await expect(message(page, "for ada alone")).toHaveCount(1);
    expect(page.url()).not.toContain("s3cret");
  });
  await test.step("another server over http", async () => {
    const other = await startOther();
    await other.publish("remote", "of the other server");
    await server.publish("remote", "of this server");
    await page.goto(`${server.url}#/http:${other.host}/remote`);
    await expectAsked(page, ["remote"], other);
    expect(other.requests, "not even asked who it is").toEqual([]);
    await page.getByRole("button", SUBSCRIBE).click();
    await expect(message(page, "of the other server")).toHaveCount(1);
    await expect(message(page, "of this server")).toHaveCount(0);
    await expectLive(page);
    expect(server.wasAskedFor("remote")).toBe(false);

    await page.goto(`${server.url}#/~server/http:${other.host}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(other.host);
    await expect(message(page, "of the other server")).toHaveCount(1);
  });
  await test.step("one that was shared shows the same: topic, filter, nothing else", async () => {
    await server.publish("filtered", "disk full", { priority: 5 });
    await server.publish("filtered", "disk fine");
    await page.goto(`${server.url}#/filtered?priority=high,urgent&q=disk`);
    await expect(page.getByText("The link has a filter")).toBeVisible();
    await page.getByRole("button", SUBSCRIBE).click();
    await expect(message(page, "disk full")).toHaveCount(1);
    await expect(message(page, "disk fine")).toHaveCount(0);
    await expect(filterBox(page)).toHaveValue("disk");
    await expect(page).toHaveURL(`${server.url}#/filtered?priority=high,urgent&q=disk`);
    await page.getByRole("button", { name: "Clear the search and filter" }).click();
    await expect(message(page, "disk fine"), "everything was received, whatever the filter").toHaveCount(1);
  });
});

test("one topic from now on, several topics, and the app's own views", async ({ server, page }) => {
  await test.step("subscribes from now on, and what came before stays out for good", async () => {
    await server.publish("backups", "held by the server", { time: server.running.nowS() - 60 });
    await page.goto(`${server.url}#/backups`);
    await choose(page, "New only");
    await page.getByRole("button", SUBSCRIBE).click();
    await expect(page.getByRole("heading", { name: "No messages yet" })).toBeVisible();
    await expectLive(page);
    await server.curl("backups", "from now on");
    await expect(message(page, "from now on")).toHaveCount(1);
    await page.reload();
    await expectLive(page);
    await expect(message(page, "from now on")).toHaveCount(1);
    await expect.poll(() => storedMessages(page)).toEqual({ rows: 1, ids: 1 });
  });
  await test.step("several topics: shows those that are missing, and the feed of all", async () => {
    await server.publish("backups", "of backups");
    await server.publish("doors", "of doors");
    await page.goto(`${server.url}#/backups,doors`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Subscribe to this topic?");
    await expect(page.getByText("You are already subscribed to backups.")).toBeVisible();
    await page.getByRole("button", SUBSCRIBE).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^backups and \w+$/);
    await expect(message(page, "of backups")).toHaveCount(1);
    await expect(message(page, "of doors")).toHaveCount(1);
    await expect.poll(() => server.running.streams().map(({ topics }) => topics)).toEqual([["backups", "doors"]]);
  });
  await test.step("everything, and the app's own views", async () => {
    await server.publish("backups", "urgent one", { priority: 5 });
    await expect(message(page, "urgent one")).toHaveCount(1);
    for (const [link = "", heading = "", title = heading] of [
      ["#/", "Everything"],
      // The window names the tab.
      ["#/~urgent", "Important", "Urgent"],
      ["#/~high", "Important", "High"],
      ["#/~starred", "Starred"],
      ["#/~scheduled", "Scheduled"],
      ["#/~done", "Done"],
      ["#/~topics", "Topics"],
      ["#/~settings", "Settings"],
      [`#/~server/http:${server.host}`, server.host],
    ]) {
      await page.goto(`${server.url}${link}`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
      await expect(page).toHaveTitle(`(4) ${title} · Earshot`);
    }
    await page.goto(`${server.url}#/~urgent`);
    await expect(page.getByRole("article")).toHaveText([/urgent one/]);
    await page.goto(`${server.url}#/?q=is:unread`);
    await expect(page.getByRole("article")).toHaveCount(4);
    await page.goto(`${server.url}#/~add`);
    await expect(page.getByRole("dialog", { name: "Add a topic" })).toBeVisible();
    await page.goto(`${server.url}#/~search`);
    await expect(filterBox(page)).toBeFocused();
  });
});

test("forms of a link to what is not subscribed", async ({ server, page, startOther, watch }) => {
  await test.step("several new topics are asked for together", async () => {
    await page.goto(`${server.url}#/backups,doors`);
    await expectAsked(page, ["backups", "doors"], server);
  });
  await test.step("a cold load of a topic's path leads to its link", async () => {
    await page.goto(`${server.url}backups`);
    await expect(page).toHaveURL(`${server.url}#/backups`);
    await expectAsked(page, ["backups"], server);
  });
  await test.step("an address that is no topic server is reported, and nothing is stored", async () => {
    const other = await startOther();
    watch.tolerate(/404 \(Not Found\).*somewhere/);
    await page.goto(`${server.url}#/http:${other.host}/somewhere/backups`);
    await page.getByRole("button", SUBSCRIBE).click();
    await expect(page.getByRole("alert")).toHaveText(/not a topic server/);
    expect(other.wasAskedFor("backups")).toBe(false);
    await page.goto(`${server.url}#/~topics`);
    await expect(page.getByText("No topics yet.")).toBeVisible();
  });
  await test.step("a server over https is shown and asked over https", async () => {
    const other = await startOther();
    watch.tolerate(/ERR_SSL_PROTOCOL_ERROR|ERR_CONNECTION_CLOSED/);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`${server.url}#/${other.host}/backups`);
    await expectAsked(page, ["backups"], other);
    await page.getByRole("button", SUBSCRIBE).click();
    await expect(page.getByRole("alert")).toHaveText("No answer from this address.");
    expect(asked.filter((url) => url.includes(other.host))).toEqual([`https://${other.host}/v1/health`]);
    await page.goto(`${server.url}#/~topics`);
    await expect(page.getByText("No topics yet."), "nothing was stored").toBeVisible();
  });
  await test.step("of very many topics the first are listed, so that the buttons are in reach", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const topics = Array.from({ length: 300 }, (_, at) => `${"long-name-of-a-topic-".repeat(2)}${at}`);
    await page.goto(`${server.url}#/${topics.join(",")}`);
    await expect(page.getByRole("button", SUBSCRIBE)).toBeInViewport({ ratio: 1 });
    await page.getByText("297 more").click();
    await expect(page.getByText(topics[299] ?? "", { exact: true })).toBeVisible();
  });
  await test.step("a hostile link is refused in words, and nothing changes", async () => {
    const CREDENTIALS = "It contains a password or token.";
    const TOPIC = "It names a topic that can't exist";
    const ADDRESS = "It names no server that can be reached.";
    const FILTER = "Its filter can't be read.";
    const UNKNOWN = "This version of Earshot doesn't know where it leads.";
    const TOO_LONG = "It is too long";
    // One of each kind; what else is of which kind is told by the tests of the links themselves. No two in a row say the same.
    const links: [name: string, link: string, said: string][] = [
      ["user and password in the address", "#/ada:s3cret@ntfy.example.com/backups", CREDENTIALS],
      ["markup in an address", '#/<img src=x onerror="alert(1)">/backups', ADDRESS],
      ["a broken percent encoding", "#/%E0%A4%A", UNKNOWN],
      ["a space in a topic", "#/my%20topic", TOPIC],
      ["an unknown view", "#/~nothing", UNKNOWN],
      ["a parameter that nobody knows", "#/backups?priority=high&evil=1", FILTER],
      ["a link of more characters than are read", `#/${"a".repeat(16_000)}`, TOO_LONG],
      ["a priority that does not exist", "#/backups?priority=11", FILTER],
      ["no link of ours", "#backups", UNKNOWN],
      ["a time that is no number", "#/backups?id=abc&at=now", FILTER],
    ];
    for (const [at, [name, link, said]] of links.entries()) {
      await test.step(name, async () => {
        // The blank page before some makes them cold loads.
        if (at < 3) await page.goto("about:blank");
        await page.goto(`${server.url}${link}`);
        await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link can't be opened");
        await expect(page.getByRole("main").getByText(said)).toBeVisible();
        await expect(page.getByRole("main").locator("img, script, iframe")).toHaveCount(0);
      });
    }
    await page.getByRole("button", { name: "Show everything" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("What do you want to be within earshot of?");
    await expect(page).toHaveURL(`${server.url}#/`);
    expect(server.running.streams()).toEqual([]);
    const asked = server.requests.map(({ path }) => path).filter((path) => /\/(json|sse|auth)$/.test(path));
    expect(
      asked.filter((path) => !path.startsWith("/welcome/")),
      "but for the welcome topic",
    ).toEqual([]);
  });
});

test("one message", async ({ server, page, context }) => {
  await test.step("one message of a topic that is not subscribed opens once it is", async () => {
    const { id, time } = await server.publish("backups", "the one that is meant");
    await page.goto(`${server.url}#/backups?id=${id}&at=${time}`);
    await expectAsked(page, ["backups"], server);
    await expect(notice(page)).toHaveText("");
    await page.getByRole("button", SUBSCRIBE).click();
    await expect(page.getByRole("complementary", { name: "Message" }).getByText("the one that is meant")).toBeVisible();
  });
  await test.step("one message", async () => {
    const { id, time } = await server.publish("meant", "the one that is meant");
    await server.publish("meant", "another");
    await subscribe(page, server, "meant");
    await expect(message(page, "the one that is meant")).toHaveCount(1);
    await page.goto(`${server.url}#/meant?id=${id}&at=${time}`);
    const details = page.getByRole("complementary", { name: "Message" });
    await expect(details.getByText("the one that is meant")).toBeVisible();
    await page.goto(`${server.url}#/meant?id=nobody12345x&at=${time}`);
    await expect(notice(page)).toContainText("The message of this link isn't stored on this device.");
    await notice(page).getByRole("button", { name: "Close" }).click();
    await expect(notice(page)).toHaveText("");
  });
  await test.step("one message that was deleted, as from its notification", async () => {
    await server.curl("doors", "door open", { "X-Sequence-ID": "door" });
    await server.publish("doors", "another");
    await subscribe(page, server, "doors");
    await expectLive(page);
    const [stored] = (await (await fetch(`${server.url}doors/json?poll=1`)).text()).trim().split("\n");
    const { id, time } = JSON.parse(stored ?? "") as { id: string; time: number };
    await fetch(`${server.url}doors/door`, { method: "DELETE" });
    await expect(message(page, "door open")).toHaveCount(0);
    await page.goto(`${server.url}#/doors?id=${id}&at=${time}`);
    await expect(notice(page)).toContainText("The message of this link isn't stored on this device.");
    await expect(page.getByText("door open")).toHaveCount(0);
  });
  await test.step("one message that came while the app was closed", async () => {
    await subscribe(page, server, "closed");
    await expectLive(page);
    await page.close();
    const { id, time } = await server.publish("closed", "the one that is meant");
    const again = await context.newPage();
    await again.goto(`${server.url}#/closed?id=${id}&at=${time}`);
    await expect(again.getByRole("complementary", { name: "Message" })).toContainText("the one that is meant");
    expect((await notice(again).innerText()).trim(), "nothing was missed on the way").toBe("");
  });
});

test("the filter of an address, and its link", async ({ server, page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await test.step("typing writes it, Back brings it back", async () => {
    await subscribe(page, server, "backups");
    await server.publish("backups", "disk full", { priority: 5, tags: ["disk"] });
    await server.publish("backups", "all well");
    await expect(message(page, "all well")).toHaveCount(1);

    await filterBox(page).fill("full");
    await expect(page).toHaveURL(`${server.url}#/backups?q=full`);
    await expect(message(page, "all well")).toHaveCount(0);
    await page.getByRole("link", { name: "Everything" }).click();
    await expect(page).toHaveURL(`${server.url}#/`);
    await expect(message(page, "all well")).toHaveCount(1);
    await expect(filterBox(page)).toHaveValue("");

    await page.goBack();
    await expect(page).toHaveURL(`${server.url}#/backups?q=full`);
    await expect(filterBox(page)).toHaveValue("full");
    await expect(message(page, "all well")).toHaveCount(0);
    await page.reload();
    await expect(filterBox(page)).toHaveValue("full");
    await expect(message(page, "disk full")).toHaveCount(1);
    await expect(message(page, "all well")).toHaveCount(0);
  });
  await test.step("each filter of a link is applied under the protocol's own names", async () => {
    await server.publish("named", "the text", { title: "the title", tags: ["a", "b"], priority: 4 });
    await server.publish("named", "another text", { title: "another title", tags: ["a"] });
    await subscribe(page, server, "named");
    await expect(message(page, "another text")).toHaveCount(1);
    for (const query of ["priority=high", "priority=4,5", "tags=a,b", "title=The%20Title", "message=the%20text"]) {
      await page.goto(`${server.url}#/named?${query}`);
      await expect(message(page, "another text"), query).toHaveCount(0);
      await expect(message(page, "the title"), query).toHaveCount(1);
    }
    await page.goto(`${server.url}#/named?q=-tag:b`);
    await expect(message(page, "another text")).toHaveCount(1);
    await expect(message(page, "the title")).toHaveCount(0);
  });
  await test.step("copies a link of the view, with its filter", async () => {
    await page.goto(`${server.url}#/backups`);
    await filterBox(page).fill("priority:high,urgent disk ");
    await expect(page).toHaveURL(`${server.url}#/backups?priority=high,urgent&q=disk`);
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByRole("button", { name: "Copy link" }).click();
    await expect(notice(page)).toContainText("Copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${server.url}#/backups?priority=high,urgent&q=disk`,
    );
    await page.keyboard.press("Escape");
    await notice(page).getByRole("button", { name: "Close" }).click();
    await expect(notice(page)).toHaveText("");
  });
  await test.step("copies a link of a message, which it opens", async () => {
    const { id, time } = await server.publish("backups", "the one that is meant");
    await page.goto(`${server.url}#/backups`);
    await message(page, "the one that is meant").click();
    await page.getByRole("button", { name: "Copy link" }).click();
    await expect(notice(page)).toContainText("Copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${server.url}#/backups?id=${id}&at=${time}`,
    );
  });
  await test.step("hands the link to the system's share sheet", async () => {
    await notice(page).getByRole("button", { name: "Close" }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${server.url}#/backups`);
    await page.evaluate(() => {
      Object.defineProperty(navigator, "share", {
        value: (data: ShareData) => {
          document.documentElement.dataset["shared"] = JSON.stringify(data);
          return Promise.resolve();
        },
      });
    });
    await page.locator("main > header").getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Share" }).click();
    await page.getByRole("button", { name: "Share…" }).click();
    const shared = JSON.stringify({ title: "backups", url: `${server.url}#/backups` });
    await expect(page.locator("html")).toHaveAttribute("data-shared", shared);
    await expect(notice(page)).toHaveText("");
  });
});
