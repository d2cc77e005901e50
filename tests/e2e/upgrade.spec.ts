import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "@playwright/test";
import { ROOT } from "../../scripts/source-hash.mjs";
import type { ServerOptions } from "../../src/server";
import { expect, subscribe, test, type TestServer } from "./fixtures";
import { message, openMessage } from "./on-screen";

// A browser in which an earlier version was used opens this one. Each file of tests/upgrade holds what such a browser
// had stored and shown; with UPGRADE_FIXTURE=1 the first test writes that of the version in package.json.

const FOLDER = join(ROOT, "tests", "upgrade");
const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };

/** Stands in a file for the server's host and port. */
const HOST = "127.0.0.1:64999";

const TOKEN = "tk_0123456789abcdefghijklmnopqrs";
const ACCESS: ServerOptions = {
  access: {
    users: [{ name: "ada", password: "s3cret", tokens: [TOKEN] }],
    rules: [
      { user: "*", topic: "house", allow: "deny-all" },
      { user: "ada", topic: "house", allow: "read-write" },
    ],
  },
};

/** What a browser had stored, and the rows that its lists showed. */
interface Upgraded {
  profile: Awaited<ReturnType<BrowserContext["storageState"]>>;
  shown: Record<string, string[]>;
}

const LISTS = ["#/", "#/~starred", "#/~done", "#/~view/Disks", "#/backups", "#/house"];

/** Rows of messages. Another row says what may be missing, as a day later the server keeps nothing of the time between. */
const rowsOf = (page: Page) => page.getByRole("article").filter({ has: page.locator("h2") });

/** What stands in each row, without times, which read differently each day. */
const textsOf = (page: Page) =>
  rowsOf(page).evaluateAll((rows) =>
    rows.map((row) => [...row.querySelectorAll("h2, .words, .star")].map((part) => part.textContent.trim()).join()),
  );

/** What stands in each row of each list. */
async function shownBy(page: Page, server: TestServer): Promise<Upgraded["shown"]> {
  const shown: Upgraded["shown"] = {};
  for (const list of LISTS) {
    // Loaded anew, so that the rows are this list's.
    await page.goto("about:blank");
    await page.goto(`${server.url}${list}`);
    await expect(rowsOf(page).first()).toBeVisible();
    shown[list] = await textsOf(page);
  }
  return shown;
}

/** Expects that each list shows what it showed before. */
async function expectShown(page: Page, server: TestServer, shown: Upgraded["shown"]): Promise<void> {
  for (const list of LISTS) {
    await page.goto(`${server.url}${list}`);
    await expect.poll(() => textsOf(page), list).toEqual(shown[list]);
  }
}

/** Uses the app: topics with and without a sign-in, messages of every kind of mark, and settings. */
async function use(page: Page, server: TestServer): Promise<void> {
  await subscribe(page, server, "backups", "doors");
  await page.goto(`${server.url}#/house`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByLabel("Sign in").selectOption("Access token");
  await page.getByRole("textbox", { name: "Access token" }).fill(TOKEN);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByText("No messages yet")).toBeVisible();

  for (const [at, text] of ["plain", "starred", "done", "deleted", "read"].entries()) {
    await server.publish("backups", `${text} one`, { title: `Backup ${String(at)}`, tags: ["disk"] });
  }
  await server.publish("doors", "door open", { sequenceId: "door" });
  await server.publish("doors", "door closed", { sequenceId: "door" });
  await server.publish("house", "for ada alone", { markdown: true });
  await page.goto(`${server.url}#/`);
  await expect(page.getByRole("article")).toHaveCount(7);
  for (const [text, key] of Object.entries({ starred: "s", done: "e", deleted: "Delete", read: "" })) {
    await openMessage(page, `${text} one`);
    if (key !== "") await page.keyboard.press(key);
  }
  await expect(message(page, /done one|deleted one/)).toHaveCount(0);

  await page.goto(`${server.url}#/?q=tag:disk`);
  await page.locator("main > header").getByRole("button", { name: "Save this view" }).click();
  const dialog = page.getByRole("dialog", { name: "Save this view" });
  await dialog.getByLabel("Name").fill("Disks");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();

  await page.goto(`${server.url}#/~settings/appearance`);
  await page.getByText("Dark", { exact: true }).click();
  await page.goto(`${server.url}#/~settings/storage`);
  // The file is opened weeks and years later.
  await page.getByLabel("Keep messages for").fill("0");
  await page.getByLabel("Keep messages for").blur();
}

test.describe("a browser that was used before", () => {
  test.use({ serverOptions: ACCESS });

  test("is kept whole in a file, which a new browser can be made from", async ({ server, page, browser }) => {
    await use(page, server);
    const shown = await shownBy(page, server);
    const profile = await page.context().storageState({ indexedDB: true });
    const again = await (await browser.newContext({ storageState: profile })).newPage();
    await expectShown(again, server, shown);
    await again.context().close();
    if (!process.env["UPGRADE_FIXTURE"]) return;
    mkdirSync(FOLDER, { recursive: true });
    const text = JSON.stringify({ profile, shown }).replaceAll(server.host, HOST);
    writeFileSync(join(FOLDER, `${version}.json`), `${text}\n`);
  });

  for (const file of readdirSync(FOLDER)) {
    test(`of version ${file.replace(".json", "")} shows all that it had, asks for no password and goes on`, async ({
      server,
      browser,
    }) => {
      const text = readFileSync(join(FOLDER, file), "utf8").replaceAll(HOST, server.host);
      const { profile, shown } = JSON.parse(text) as Upgraded;
      const context = await browser.newContext({ storageState: profile });
      const page = await context.newPage();
      await expectShown(page, server, shown);
      await expect(page.locator("html")).toHaveCSS("color-scheme", "dark");

      await server.publish("house", "for ada again");
      await expect(message(page, "for ada again")).toBeVisible();
      await page.goto(`${server.url}#/`);
      await expect(rowsOf(page)).toHaveCount((shown["#/"]?.length ?? 0) + 1);
      expect(server.answered(401) + server.answered(403)).toBe(0);
      await context.close();
    });
  }
});
