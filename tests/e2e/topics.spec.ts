import type { Locator, Page } from "@playwright/test";
import { expect, LIMITS, subscribe, test, type TestServer } from "./fixtures";
import { ageRemovals, choose, chooseInMenu, expectLive, filterBox, message, notice, storedMessages } from "./on-screen";

/** Only ada may do anything. */
const FOR_ADA = {
  access: {
    default: "deny-all" as const,
    users: [{ name: "ada", password: "s3cret", role: "admin" as const, tokens: ["tk_adasowntokenadasowntokenadaso"] }],
  },
};

const rail = (page: Page) => page.getByRole("navigation", { name: "Topics and views" });
const topicField = (within: Page | Locator) => within.getByRole("textbox", { name: "Topic" });

/** Opens the dialog that adds a topic. */
async function addDialog(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Add a topic" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a topic" });
  await expect(topicField(dialog)).toBeFocused();
  return dialog;
}

/** Expects that just these topics are listed. */
async function expectTopics(page: Page, server: TestServer, topics: string[]): Promise<void> {
  await page.goto(`${server.url}#/~topics`);
  const rows = page
    .getByRole("main")
    .getByRole("link")
    .filter({ hasNotText: /^(Important|Starred|Snoozed|Scheduled|Done)\s*$|:/ });
  await expect(rows).toHaveText(topics.map((topic) => new RegExp(`^\\s*${topic}`)));
}

test.describe("adding a topic", () => {
  test("a topic's name is checked, or picked at random, and it is added only once, and only from a topic server", async ({
    server,
    page,
    startOther,
    watch,
  }) => {
    let random = "";
    await test.step("the name is checked as it is typed, and errors are explained", async () => {
      await page.goto(server.url);
      const field = topicField(page);
      for (const [typed, said] of [
        ["größe", "Only letters, digits, - and _; not ö"],
        ["a, größe, b, docs", "größe: Only letters, digits, - and _; not ö. docs: The server reserves the name docs."],
        ["a".repeat(65), "At most 64 characters; these are 65."],
        ["docs", "The server reserves the name docs."],
      ] as const) {
        await field.fill(typed);
        await expect(field).toHaveAccessibleDescription(said);
        await expect(field).toHaveAttribute("aria-invalid", "true");
        await page.getByRole("button", { name: "Subscribe" }).click();
        await expect(page).toHaveURL(`${server.url}`);
      }
      await field.fill("my garage, door");
      await page.getByRole("button", { name: "2 topics: my and garage" }).click();
      await expect(field).toHaveValue("my, garage, door");
      await field.fill("my garage");
      await page.getByRole("button", { name: "my-garage" }).click();
      await expect(field).toHaveValue("my-garage");
      await field.fill("");
      await expect(field, "nothing typed yet is no fault").toHaveAccessibleDescription(/Anyone who knows the name/);
      await page.getByRole("button", { name: "Subscribe" }).click();
      await expect(field).toHaveAccessibleDescription("A topic needs a name.");
      await field.fill("Just_right-1");
      await expect(field).not.toHaveAttribute("aria-invalid");
      expect(server.requests.filter(({ path }) => path.endsWith("/auth"))).toEqual([]);
      await expectTopics(page, server, []);
    });
    await test.step("a random name is one press away, and a hint explains it", async () => {
      await page.goto(server.url);
      const field = topicField(page);
      await expect(page.getByText("Anyone who knows the name can read and send.")).toBeVisible();
      await page.getByRole("button", { name: "Random name" }).click();
      await expect(field).toHaveValue(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
      const first = await field.inputValue();
      await page.getByRole("button", { name: "Random name" }).click();
      await expect(field).not.toHaveValue(first);
      const name = await field.inputValue();
      await page.getByRole("button", { name: "Subscribe" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
      random = name;
    });
    await test.step("an address that is no topic server is reported beside its field, and nothing is stored", async () => {
      await subscribe(page, server, "backups");
      const [other, gone] = [await startOther(), await startOther()];
      await gone.stop();
      watch.tolerate(/404 \(Not Found\).*nowhere|ERR_CONNECTION_REFUSED/);
      const dialog = await addDialog(page);
      await topicField(dialog).fill("doors");
      const field = dialog.getByRole("combobox", { name: "Server" });
      for (const [typed, said] of [
        ["", "Enter the address of a server."],
        ["not an address", /^This is not an address/],
        ["ftp://127.0.0.1", "The address must begin with https:// or http://"],
        [`http://ada:s3cret@${other.host}`, /^Leave user and password out of the address/],
        [`http://${other.host}?a=b`, "An address can't contain ? or #"],
        [`http://${gone.host}`, "No answer from this address."],
        [`http://${other.host}/nowhere`, "Something answers there, but it is not a topic server."],
      ] as const) {
        await field.fill(typed);
        await dialog.getByRole("button", { name: "Subscribe" }).click();
        await expect(field).toHaveAccessibleDescription(said);
      }
      await field.fill(`http://${other.host}`);
      await expect(field, "the fault goes as soon as the field is changed").not.toHaveAttribute("aria-invalid");
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await expect(dialog).toBeHidden();
      expect(other.wasAskedFor("doors")).toBe(false);
      await page.reload();
      await expectTopics(page, server, [random, "backups"]);
    });
    await test.step("a topic that exists already is opened", async () => {
      await page.goto(`${server.url}#/`);
      const dialog = await addDialog(page);
      await topicField(dialog).fill("backups");
      await dialog.getByRole("button", { name: "Subscribe" }).click();
      await expect(dialog).toBeHidden();
      await expect(notice(page)).toContainText("You are already subscribed to backups.");
      await expect(page).toHaveURL(`${server.url}#/backups`);
      await expectTopics(page, server, [random, "backups"]);
    });
  });

  test("a topic of another server is added, with history or from now on", async ({ server, page, startOther }) => {
    const other = await startOther();
    await other.publish("doors", "opened before", { time: other.running.nowS() - 60 });
    await other.publish("windows", "closed before", { time: other.running.nowS() - 60 });
    await page.goto(server.url);
    await page.getByRole("button", { name: "Other server or sign-in" }).click();
    await topicField(page).fill("doors");
    await page.getByRole("textbox", { name: "Server" }).fill(`http://${other.host}`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page).toHaveURL(`${server.url}#/http:${other.host}/doors`);
    await expect(message(page, "opened before")).toHaveCount(1);

    const dialog = await addDialog(page);
    await topicField(dialog).fill(`http://${other.host}/windows`);
    await expect(topicField(dialog), "a pasted address fills both fields").toHaveValue("windows");
    await expect(dialog.getByRole("combobox", { name: "Server" })).toHaveValue(`http://${other.host}`);
    await choose(dialog, "New only");
    await dialog.getByRole("button", { name: "Subscribe" }).click();
    await expect(page).toHaveURL(`${server.url}#/http:${other.host}/windows`);
    await expect(page.getByRole("heading", { name: "No messages yet" })).toBeVisible();
    await expectLive(page);
    await other.curl("windows", "opened now");
    await expect(message(page, "opened now")).toHaveCount(1);
    await expect(message(page, "closed before")).toHaveCount(0);
  });
});

test.describe("a protected server", () => {
  test("takes a user name and password, or a token, and reports a wrong one without storing or retrying it", async ({
    server,
    page,
    startOther,
    watch,
  }) => {
    await test.step("takes a user name and password, and reports a wrong one without storing or retrying it", async () => {
      const other = await startOther(FOR_ADA);
      watch.tolerate(/status of 40[13]/);
      await other.publish("secret", "for ada alone");
      await page.goto(server.url);
      await page.getByRole("button", { name: "Other server or sign-in" }).click();
      await topicField(page).fill("secret");
      await page.getByRole("textbox", { name: "Server" }).fill(`http://${other.host}`);
      await page.getByRole("button", { name: "Subscribe" }).click();
      const password = page.getByLabel("Password");
      await expect(password).toHaveAccessibleDescription("The server requires a sign-in for secret.");

      await page.getByLabel("User name", { exact: true }).fill("ada");
      await password.fill("wrong");
      await page.getByRole("button", { name: "Subscribe" }).click();
      await expect(password).toHaveAccessibleDescription("The server rejected the password or token.");
      const rejected = page.getByRole("alert").filter({ hasText: "rejected" });
      await expect(rejected, "beside the button, read aloud").toBeInViewport({ ratio: 1 });
      expect(other.answered(401)).toBe(1);
      expect(other.running.streams()).toEqual([]);

      await password.fill("s3cret");
      await page.getByRole("button", { name: "Subscribe" }).click();
      await expect(message(page, "for ada alone")).toHaveCount(1);
      await expectLive(page);
      expect(other.answered(401), "tried once, and never again").toBe(1);
      expect(page.url()).not.toContain("s3cret");

      await chooseInMenu(page, "Server settings");
      await expect(page.getByRole("dialog").getByText("Signed in as ada")).toBeVisible();
      await page.keyboard.press("Escape");

      const dialog = await addDialog(page);
      await topicField(dialog).fill("more");
      await dialog.getByRole("combobox", { name: "Server" }).fill(`http://${other.host}`);
      await expect(dialog.getByLabel("Sign in"), "as before, without typing it again").toContainText(
        "Same as before: ada",
      );
      await dialog.getByRole("button", { name: "Subscribe" }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("more");
      await expect.poll(() => other.running.streams().map(({ topics }) => topics)).toEqual([["secret", "more"]]);
    });
    await test.step("takes an access token", async () => {
      const other = await startOther(FOR_ADA);
      await other.publish("secret", "for ada alone");
      const dialog = await addDialog(page);
      await topicField(dialog).fill("secret");
      await dialog.getByRole("combobox", { name: "Server" }).fill(`http://${other.host}`);
      await page.getByLabel("Sign in").selectOption("Access token");
      await page.getByRole("button", { name: "Subscribe" }).click();
      await expect(page.getByLabel("Access token")).toHaveAccessibleDescription("Enter a token.");
      await page.getByLabel("Access token").fill("tk_adasowntokenadasowntokenadaso");
      await page.getByRole("button", { name: "Subscribe" }).click();
      await expect(message(page, "for ada alone")).toHaveCount(1);
      await expectLive(page);
    });
  });

  test("is shown as refusing once it refuses, with a request to sign in, and is not retried unasked", async ({
    server,
    page,
    startOther,
    watch,
  }) => {
    const other = await startOther();
    await page.goto(`${server.url}#/http:${other.host}/secret`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expectLive(page);
    await chooseInMenu(page, "Server settings");
    const named = page.getByRole("dialog").getByRole("textbox", { name: "Display name" });
    await named.fill(server.host);
    await expect(page.getByRole("dialog", { name: server.host })).toBeVisible();
    await page.keyboard.press("Escape");
    watch.tolerate(/status of 40[13]|ERR_/);
    await other.stop();
    await other.start(FOR_ADA);

    const main = page.getByRole("main");
    await expect(main.getByText("Refused")).toBeVisible();
    await expect(main.getByText("The server requires a sign-in for secret.")).toBeVisible();
    await expect(rail(page).getByRole("img", { name: "The server refuses this topic" })).toBeVisible();

    await main.getByRole("button", { name: "Sign in" }).click();
    // A password is asked for under the address that gets it, whatever the server is called.
    const dialog = page.getByRole("dialog", { name: `Sign in to ${other.host}` });
    await expect(dialog.getByText("Needed for secret.")).toBeVisible();
    const password = dialog.getByLabel("Password");
    await dialog.getByLabel("User name", { exact: true }).fill("ada");
    await password.fill("wrong");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await expect(password).toHaveAccessibleDescription("The server rejected the password or token.");
    const refusals = other.answered(401);

    await password.fill("s3cret");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await expect(dialog).toBeHidden();
    await expectLive(page);
    expect(other.answered(401)).toBe(refusals);
    await other.publish("secret", "for ada alone");
    await expect(message(page, "for ada alone")).toHaveCount(1);
  });
});

test.describe("the list of topics", () => {
  test("shows unread counts, the newest message and the state of each server", async ({
    server,
    page,
    startOther,
    watch,
  }) => {
    const other = await startOther();
    await server.publish("backups", "first of backups");
    await server.publish("backups", "second of backups", { priority: 5 });
    await subscribe(page, server, "backups", "doors");
    await page.goto(`${server.url}#/http:${other.host}/remote`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expectLive(page);
    await page.goto(`${server.url}#/~topics`);
    const main = page.getByRole("main");
    await expect(main.getByText("2 servers · 3 topics")).toBeVisible();
    const backups = main.getByRole("link", { name: /^backups/ });
    await expect(backups).toContainText("2 unread");
    await expect(backups).toContainText("second of backups");
    await expect(backups.getByRole("img", { name: "Urgent" })).toBeVisible();
    await expect(main.getByRole("link", { name: /^doors/ })).not.toContainText("unread");
    await expect(main.getByText("Live", { exact: true })).toHaveCount(2);
    await server.curl("doors", "open");
    await expect(main.getByRole("link", { name: /^doors/ })).toContainText("1 unread");
    await expect(rail(page).getByRole("link", { name: /^Everything/ })).toContainText("3 unread");

    watch.tolerate(/ERR_/);
    await other.stop();
    await expect(main.getByText(/Next try in/)).toBeVisible();
    await expect(main.getByText("Live", { exact: true }), "one server out of reach leaves the other live").toHaveCount(
      1,
    );
    const strip = page.getByRole("status").filter({ hasText: `${other.host} can't be reached.` });
    await expect(strip).toContainText(/Next try in \d+ s/);
    await expect(rail(page).getByRole("button", { name: "The server can't be reached." })).toBeVisible();
    await strip.getByRole("button", { name: "Details" }).click();
    const connection = page.getByRole("dialog", { name: `Connection to ${other.host}` });
    await expect(connection).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(connection).toBeHidden();
    await rail(page).getByRole("button", { name: "The server can't be reached." }).click();
    await expect(connection, "the cause in the rail leads there too").toBeVisible();
    await page.keyboard.press("Escape");
    await page.goto(`${server.url}#/`);
    await expect(main).toContainText(`${other.host} can't be reached.`);
    await page.goBack();
    await backups.click();
    await expect(page).toHaveURL(`${server.url}#/backups`);
  });

  test("removing a topic can be undone; else it stays away after a reload, and is gone for good after the undo time", async ({
    server,
    page,
  }) => {
    await test.step("removing a topic can be undone", async () => {
      await server.publish("backups", "worth keeping");
      await subscribe(page, server, "backups", "doors");
      await page.goto(`${server.url}#/backups`);
      await expect(message(page, "worth keeping")).toHaveCount(1);
      await chooseInMenu(page, "Remove topic");
      await expect(notice(page)).toContainText("backups removed");
      await expect(page).toHaveURL(`${server.url}#/`);
      await expect(rail(page).getByRole("link", { name: /^backups/ })).toHaveCount(0);
      await expect(message(page, "worth keeping")).toHaveCount(0);
      await expect.poll(() => server.running.streams().map(({ topics }) => topics)).toEqual([["doors"]]);

      await notice(page).getByRole("button", { name: "Undo" }).click();
      await expect(page).toHaveURL(`${server.url}#/backups`);
      await expect(message(page, "worth keeping")).toHaveCount(1);
      await expect.poll(() => server.running.streams().map(({ topics }) => topics)).toEqual([["backups", "doors"]]);
    });
    await test.step("removed from elsewhere, it leaves no empty panel", async () => {
      await page.goto(`${server.url}#/`);
      await message(page, "worth keeping").click();
      const panel = page.getByRole("complementary", { name: "Message" });
      await expect(panel).toContainText("worth keeping");
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Command, topic, view or setting" }).fill("remove topic backups");
      await page.keyboard.press("Enter");
      await expect(panel).toContainText("This message is no longer stored");
      await notice(page).getByRole("button", { name: "Undo" }).click();
      await expect(panel).toContainText("worth keeping");
      await page.goto(`${server.url}#/backups`);
    });
    await test.step("a removed topic stays away after a reload, and is gone for good after the undo time", async () => {
      await chooseInMenu(page, "Remove topic");
      await expect(notice(page)).toContainText("backups removed");
      for (const rows of [1, 0]) {
        await page.reload();
        await expect(rail(page).getByRole("link", { name: /^doors/ })).toBeVisible();
        await expect(rail(page).getByRole("link", { name: /^backups/ })).toHaveCount(0);
        await expectLive(page);
        await expect.poll(() => storedMessages(page)).toEqual({ rows, ids: rows });
        await ageRemovals(page, 120_000);
      }
      await page.goto(`${server.url}#/backups`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Subscribe to this topic?");
      await page.getByRole("button", { name: "Subscribe" }).click();
      await expect(message(page, "worth keeping"), "subscribed anew, it has what the server holds").toHaveCount(1);
    });
  });

  test("topic settings change at once, and marking all read can be undone", async ({ server, page }) => {
    await test.step("mark all read can be undone", async () => {
      for (const text of ["one", "two", "three"]) await server.publish("backups", text);
      await server.publish("doors", "not of this view");
      await subscribe(page, server, "backups", "doors");
      await page.goto(`${server.url}#/backups`);
      const main = page.getByRole("main");
      await expect(main.getByText("3 unread", { exact: true })).toBeVisible();
      await message(page, "two").click();
      await expect(main.getByText("2 unread", { exact: true })).toBeVisible();
      await main.getByRole("button", { name: /^Mark (all|th).* read$/ }).click();
      await expect(notice(page)).toContainText("2 messages marked read");
      await expect(main.getByText(/\d unread/)).toHaveCount(0);
      await expect(rail(page).getByRole("link", { name: /^doors/ })).toContainText("1 unread");
      await notice(page).getByRole("button", { name: "Undo" }).click();
      await expect(main.getByText("2 unread", { exact: true }), "what was read before stays read").toBeVisible();
      await expect(message(page, "two").getByText("Unread", { exact: true })).toHaveCount(0);
    });
    await test.step("topic settings change name, colour, mute and retention at once", async () => {
      await page.goto(`${server.url}#/backups`);
      await chooseInMenu(page, "Topic settings");
      const dialog = page.getByRole("dialog", { name: "Settings of backups" });
      await dialog.getByLabel("Display name").fill("Nightly backups");
      await expect(page.locator("main > header h1"), "at once").toHaveText("Nightly backups");
      const settings = page.getByRole("dialog", { name: "Settings of Nightly backups" });
      await settings.getByRole("radio", { name: "Colour 4" }).check({ force: true });
      await settings.getByRole("radio", { name: "Server" }).check({ force: true });
      await settings.getByLabel("Keep messages").selectOption("7 days");
      await settings.getByRole("button", { name: "Mute…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Until I unmute it" }).click();
      await expect(page.getByRole("dialog")).toBeHidden();
      await expect(rail(page).getByRole("link", { name: /^Nightly backups/ })).toBeVisible();
      await expect(rail(page).getByRole("img", { name: "Muted" })).toBeVisible();
      await expect(page, "the link stays the topic's").toHaveURL(`${server.url}#/backups`);

      await page.reload();
      await chooseInMenu(page, "Topic settings");
      const again = page.getByRole("dialog", { name: "Settings of Nightly backups" });
      await expect(again.getByLabel("Display name")).toHaveValue("Nightly backups");
      await expect(again.getByRole("radio", { name: "Colour 4" })).toBeChecked();
      await expect(again.getByRole("button", { name: "Unmute" })).toBeVisible();
      await expect(again.getByRole("radio", { name: "Server" })).toBeChecked();
      await expect(again.getByLabel("Keep messages")).toHaveValue("7");
    });
  });
});

test.describe("sending", () => {
  test("what is sent arrives", async ({ server, page }) => {
    await test.step("an empty message is sent as the sample, and one for later is listed as scheduled", async () => {
      await subscribe(page, server, "backups");
      await expectLive(page);
      await chooseInMenu(page, "Send a message");
      await page.getByRole("dialog").getByLabel("Deliver later").fill("2h");
      await page.getByRole("dialog").getByRole("button", { name: "Send" }).click();
      await expect(notice(page)).toContainText(/Scheduled for (tomorrow )?\d\d:\d\d/);
      await page.getByRole("link", { name: "Scheduled" }).click();
      await expect(message(page, "It works")).toHaveCount(1);
      await page.getByRole("link", { name: "Everything" }).click();
      await expect(message(page, "It works")).toHaveCount(0);
    });
    await test.step("a test message with title, priority, tags and Markdown", async () => {
      await subscribe(page, server, "tests");
      await expectLive(page);
      await chooseInMenu(page, "Send a message");
      const dialog = page.getByRole("dialog", { name: "Send to tests" });
      await dialog.getByLabel("Message", { exact: true }).fill("It **works** here");
      await dialog.getByLabel("Format as Markdown").check();
      await dialog.getByLabel("Title").fill("From the phone");
      await dialog.getByLabel("Priority").selectOption("Urgent");
      await dialog.getByLabel("Tags").fill("tada, nightly");
      await dialog.getByRole("button", { name: "Send" }).click();
      await expect(dialog).toBeHidden();
      await expect(notice(page)).toContainText("Sent");
      const sent = message(page, "From the phone");
      await expect(sent).toHaveCount(1);
      await expect(sent.getByRole("heading")).toHaveText(/🎉\s*From the phone/);
      await expect(sent.getByRole("img", { name: "Urgent" })).toBeVisible();
      await expect(sent.locator(".words"), "Markdown without its marks").toHaveText("It works here");
      await expect(sent.getByRole("button", { name: "Filter by tag nightly" })).toBeVisible();
    });
  });

  test("what a server refuses, or soon will, is told, and the typed text stays", async ({
    server,
    page,
    startOther,
    watch,
  }) => {
    await test.step("the dialog says how many messages the server still accepts, once they are few", async () => {
      const other = await startOther({ limits: { ...LIMITS, messagesPerDay: 1 } });
      await page.goto(`${server.url}#/http:${other.host}/backups`);
      await page.getByRole("button", { name: "Subscribe" }).click();
      await expectLive(page);
      const dialog = page.getByRole("dialog", { name: "Send to backups" });
      await chooseInMenu(page, "Send a message");
      await expect(dialog.getByText("Messages left today: 1")).toBeVisible();
      await dialog.getByRole("button", { name: "Send" }).click();
      await expect(dialog).toBeHidden();
      await chooseInMenu(page, "Send a message");
      await expect(dialog.getByRole("alert")).toContainText("takes no more of your messages today");
      await dialog.getByRole("button", { name: "Send" }).click();
      await expect(dialog.getByRole("alert")).toContainText("takes no more of your messages today");
      await page.keyboard.press("Escape");
    });
    await test.step("a message that the server refuses is reported, and the typed text stays", async () => {
      const other = await startOther({ access: { default: "read-only", users: [], rules: [] } });
      watch.tolerate(/status of 40[03]/);
      await page.goto(`${server.url}#/http:${other.host}/readable`);
      await page.getByRole("button", { name: "Subscribe" }).click();
      await expectLive(page);
      await chooseInMenu(page, "Send a message");
      const dialog = page.getByRole("dialog", { name: "Send to readable" });
      await dialog.getByLabel("Message", { exact: true }).fill("worth typing");
      await dialog.getByRole("button", { name: "Send" }).click();
      await expect(dialog.getByRole("alert")).toHaveText(/The server requires a sign-in/);
      await expect(dialog.getByLabel("Message", { exact: true })).toHaveValue("worth typing");
    });
  });

  test("a delivery time is the sender's, shown before sending, and refused if only half understood", async ({
    server,
    browser,
  }) => {
    // Half a day away from whatever the server's time zone is.
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    const page = await browser.newPage({ timezoneId: timeZone === "Asia/Tokyo" ? "UTC" : "Asia/Tokyo" });
    await subscribe(page, server, "backups");
    await expectLive(page);
    await chooseInMenu(page, "Send a message");
    const dialog = page.getByRole("dialog");
    const field = dialog.getByLabel("Deliver later");
    const send = dialog.getByRole("button", { name: "Send" });
    for (const [text, words] of [
      ["tommorow evening", "can't be read"],
      ["yesterday at 5pm", "has passed"],
      ["in 5 seconds", "too near, or too far away"],
      ["in two weeks", "too near, or too far away"],
    ] as const) {
      await field.fill(text);
      await send.click();
      await expect(dialog.getByRole("alert")).toContainText(words);
      await expect(dialog.getByRole("alert")).toBeInViewport({ ratio: 1 });
    }
    await dialog.getByLabel("Title").fill("ü".repeat(513));
    await send.click();
    await expect(dialog.getByRole("alert")).toContainText("at most 1,024 bytes");
    await dialog.getByLabel("Title").fill("in the morning");
    await dialog.getByLabel("Tags").fill("x".repeat(513));
    await send.click();
    await expect(dialog.getByRole("alert")).toContainText("at most 512 bytes");
    await dialog.getByLabel("Tags").fill("");
    await field.fill("tomorrow, 10am");
    await expect(dialog.getByText(/10:00 your time/)).toBeVisible();
    await send.click();
    await expect(notice(page)).toContainText(/Scheduled for tomorrow 10:00/);
    await page.close();
  });
});

test.describe("settings", () => {
  test("settings apply at once and after a reload", async ({ server, page }) => {
    await test.step("theme and density apply at once and after a reload", async () => {
      await subscribe(page, server, "backups");
      await page.getByRole("link", { name: "Settings" }).click();
      const root = page.locator("html");
      await page.emulateMedia({ colorScheme: "light" });
      await expect(root).toHaveCSS("color-scheme", "light dark");
      const light = await root.evaluate((element) => getComputedStyle(element).backgroundColor);
      await choose(page, "Dark");
      await expect(root).not.toHaveCSS("background-color", light);
      await choose(page, "Compact");
      await page.reload();
      await expect(root).not.toHaveCSS("background-color", light);
      await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
      await expect(page.getByRole("radio", { name: "Compact" })).toBeChecked();
      await choose(page, "Light");
      await page.emulateMedia({ colorScheme: "dark" });
      await expect(root, "a choice by hand beats the device").toHaveCSS("background-color", light);
      await choose(page, "Same as device");
      await expect(root).not.toHaveCSS("background-color", light);
    });
    await test.step("retention limits accept whole numbers, and anything else is reported and changes nothing", async () => {
      await subscribe(page, server, "limits");
      await page.goto(`${server.url}#/~settings/storage`);
      const days = page.getByRole("spinbutton", { name: "Keep messages for" });
      const most = page.getByRole("spinbutton", { name: "Keep at most" });
      await expect(days).toHaveValue("30");
      await expect(most).toHaveValue("100000");
      for (const typed of ["-1", "1.5", ""]) {
        await days.fill(typed);
        await days.press("Tab");
        await expect(days, typed).toHaveAccessibleDescription("A whole number, 0 or more.");
      }
      await page.reload();
      await expect(days).toHaveValue("30");
      await days.fill("7");
      await days.press("Tab");
      await expect(days).not.toHaveAttribute("aria-invalid");
      await most.fill("0");
      await most.press("Tab");
      const files = page.getByRole("spinbutton", { name: "All of them together at most" });
      await files.fill("0");
      await files.press("Tab");
      await expect(files, "the number that was taken instead").toHaveValue("500");
      await page.reload();
      await expect(days).toHaveValue("7");
      await expect(most).toHaveValue("0");
    });
    await test.step("a lower limit keeps only the newest messages", async () => {
      for (let at = 0; at < 5; at++) {
        await server.publish("old", `message-${at}`, { time: server.running.nowS() - 60 + at });
      }
      await subscribe(page, server, "old");
      await expect(message(page, "message")).toHaveCount(5);
      await page.goto(`${server.url}#/~settings/storage`);
      const most = page.getByRole("spinbutton", { name: "Keep at most" });
      await most.fill("2");
      await most.press("Tab");
      await page.getByRole("button", { name: "Remove older messages now" }).click();
      // None, if the hub tidied of its own accord between the two; what the button does is tested without a page too.
      await expect(notice(page)).toHaveText(/^(0|3) messages removed/);
      await page.goto(`${server.url}#/old`);
      await expect(message(page, "message")).toHaveText([/message-4/, /message-3/]);
      await chooseInMenu(page, "Fetch again");
      await expect(notice(page)).toContainText("Nothing is missing");
      await expect(message(page, "message"), "what was removed does not come back").toHaveCount(2);
    });
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a topic is muted from a message, and searched again", async ({ server, page }) => {
    await test.step("a message's menu mutes its topic, and a topic's page has a button to send a message", async () => {
      await server.publish("backups", "an earlier one");
      await subscribe(page, server, "backups");
      await message(page, "an earlier one").getByRole("button", { name: "More" }).tap();
      await page.getByRole("menuitem", { name: "Mute…" }).tap();
      await page.getByRole("dialog", { name: "Mute backups" }).getByRole("button", { name: /^2 h/ }).tap();
      const header = page.locator("main > header");
      await expect(header.getByText(/^Muted until/)).toBeVisible();
      await message(page, "an earlier one").getByRole("button", { name: "More" }).tap();
      await expect(page.getByRole("menuitem", { name: "Delete" })).toBeVisible();
      await expect(page.getByRole("menuitem", { name: "Mute…" })).toHaveCount(0);
      await page.keyboard.press("Escape");
      await header.getByRole("button", { name: "Send a message" }).tap();
      await expect(page.getByRole("dialog", { name: "Send to backups" })).toBeVisible();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
    });
    await test.step("Search at the bottom leads back into the words that were searched for", async () => {
      await server.publish("disks", "disk full");
      await subscribe(page, server, "disks");
      const search = page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: "Search" });
      await search.tap();
      await filterBox(page).fill("disk");
      await filterBox(page).press("Enter");
      await expect(filterBox(page)).not.toBeFocused();
      await search.tap();
      await expect(filterBox(page)).toBeFocused();
    });
    await test.step("a topic's mute is ended in its header, also where the lines of that are short", async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      await server.publish("mutes", "an earlier one");
      await subscribe(page, server, "mutes");
      await message(page, "an earlier one").getByRole("button", { name: "More" }).tap();
      await page.getByRole("menuitem", { name: "Mute…" }).tap();
      await page.getByRole("dialog", { name: "Mute mutes" }).getByRole("button", { name: /^2 h/ }).tap();
      const header = page.locator("main > header");
      await expect(header.getByRole("button", { name: "1 unread" })).toBeVisible();
      await header.getByRole("button", { name: "Unmute" }).tap();
      await expect(notice(page)).toContainText("mutes is no longer muted");
    });
  });

  test("the bar at the bottom reaches everything, and counts urgent messages, else high ones", async ({
    server,
    page,
  }) => {
    await test.step("everything can be reached from the bar at the bottom", async () => {
      await server.publish("backups", "disk full", { priority: 5 });
      await server.publish("backups", "all well");
      await page.goto(server.url);
      await topicField(page).fill("backups");
      await page.getByRole("button", { name: "Subscribe" }).tap();
      await expect(message(page, "disk full")).toHaveCount(1);
      const bar = page.getByRole("navigation", { name: "Main" });

      await bar.getByRole("button", { name: "Search" }).tap();
      await page.getByRole("combobox", { name: "Search and filter" }).fill("full");
      await expect(message(page, "all well")).toHaveCount(0);
      await message(page, "disk full").tap();
      await expect(page.getByRole("button", { name: "Back to the messages" })).toBeVisible();
      await page.goBack();
      await expect(message(page, "disk full")).toBeInViewport();

      await bar.getByRole("link", { name: "Topics" }).tap();
      await page.getByRole("main").getByRole("button", { name: "Add a topic" }).tap();
      const dialog = page.getByRole("dialog", { name: "Add a topic" });
      await topicField(dialog).fill("doors");
      await dialog.getByRole("button", { name: "Subscribe" }).tap();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("doors");

      await bar.getByRole("link", { name: "Settings" }).tap();
      await page.getByRole("link", { name: "Storage 30 days" }).tap();
      const keep = await page.getByRole("button", { name: "Ask the browser to keep everything" }).boundingBox();
      expect((keep?.x ?? 0) + (keep?.width ?? Infinity), "nothing runs off the page").toBeLessThanOrEqual(390);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
      await bar.getByRole("link", { name: "Feed" }).tap();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Everything");
      await expect(message(page, "all well")).toHaveCount(1);
    });
    await test.step("the number at the bottom counts urgent messages, else high ones, and says so", async () => {
      await server.publish("disks", "disk is failing", { priority: 5 });
      for (const text of ["disk is filling", "disk is full"]) await server.publish("disks", text, { priority: 4 });
      await subscribe(page, server, "disks");
      const feed = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /Feed/ });
      await expect(feed).toHaveAccessibleName(/1 urgent unread/);
      await expect(feed).toHaveAttribute("title", "1 urgent unread");
      await message(page, "disk is failing").tap();
      await page.getByRole("button", { name: "Back to the messages" }).tap();
      await expect(feed).toHaveAccessibleName(/2 high unread/);
      await expect(feed).toHaveAttribute("title", "2 high unread");
    });
    await test.step("a two-digit count at the bottom stays on one line", async () => {
      for (let number = 0; number < 10; number++) await server.publish("disks", `disk full-${number}`, { priority: 4 });
      const count = page.getByRole("navigation", { name: "Main" }).getByText("12", { exact: true });
      await expect(count).toBeVisible();
      expect(await count.evaluate((digits) => digits.getClientRects().length)).toBe(1);
    });
  });
});
