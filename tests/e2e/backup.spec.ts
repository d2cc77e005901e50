import { readFileSync } from "node:fs";
import type { Browser, Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import { expect, subscribe, test, type TestServer } from "./fixtures";
import { beyondTheEdge, chooseInMenu, message, notice } from "./on-screen";

async function openSettings(page: Page, server: TestServer): Promise<void> {
  await page.goto(`${server.url}#/~settings/devices`);
  await expect(page.getByRole("heading", { name: "Backup", exact: true })).toBeVisible();
}

/** Saves a backup and returns its path. */
async function save(page: Page, button = "Save backup"): Promise<string> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: button, exact: true }).click();
  return (await download).path();
}

/** A page of a profile that has stored nothing yet. */
async function freshProfile(browser: Browser, server: TestServer): Promise<Page> {
  const context = await browser.newContext();
  await context.addInitScript(() => localStorage.setItem("earshot-first-steps", "done"));
  const page = await context.newPage();
  await openSettings(page, server);
  return page;
}

const preview = (page: Page) => page.getByRole("group", { name: "What the import would change" });
const choose = (page: Page, file: string | { name: string; mimeType: string; buffer: Buffer }) =>
  page.getByLabel("Choose a backup").setInputFiles(file);
const fileOf = (text: string) => ({ name: "backup.jsonl", mimeType: "text/plain", buffer: Buffer.from(text) });

/** What the feed of everything shows of each message, newest first, once it shows so many. */
async function shown(page: Page, server: TestServer, count: number): Promise<string[]> {
  await page.goto(`${server.url}#/`);
  await expect(page.getByRole("heading", { level: 1, name: "Everything" })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(count);
  // The tools of the row under the pointer are left out.
  return page
    .getByRole("article")
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.querySelectorAll(".dot, .from, .star, time, h2, .words")].map((part) => part.textContent.trim()).join(),
      ),
    );
}

test("a backup of one profile, brought to a fresh one, shows the same, message for message", async ({
  server,
  page,
  browser,
}) => {
  await subscribe(page, server, "backups");
  await subscribe(page, server, "doors");
  for (let at = 0; at < 8; at++) {
    await server.publish(at % 2 ? "doors" : "backups", `message ${String(at)}`, {
      title: `Title ${String(at)}`,
      priority: at % 4 === 3 ? 5 : 3,
    });
  }
  await page.goto(`${server.url}#/`);
  await expect(message(page, "message 7")).toHaveCount(1);
  await message(page, "message 5").click();
  await page.keyboard.press("s");
  await expect(message(page, "message 5").getByText("Starred")).toBeAttached();
  const before = await shown(page, server, 8);
  await page.goto(`${server.url}#/~settings/appearance`);
  await page.getByText("Dark", { exact: true }).click();
  await expect(page.getByRole("radio", { name: "Dark" })).toBeChecked();
  await openSettings(page, server);
  const file = await save(page);
  await expect(notice(page)).toContainText("Backup saved, with 8 messages");

  const other = await freshProfile(browser, server);
  await choose(other, file);
  await expect(preview(other)).toContainText("8 messages would be added.");
  await expect(preview(other)).toContainText("2 topics would be added");
  await expect(preview(other)).toContainText(`Earshot would connect to ${server.host}.`);
  await expectAccessible(other);
  await expect.poll(() => other.evaluate(beyondTheEdge)).toEqual([]);
  await preview(other).getByRole("button", { name: "Import" }).click();
  await expect(notice(other)).toContainText("Imported, with 8 messages");
  await other.goto(`${server.url}#/~settings/appearance`);
  await expect(other.getByRole("radio", { name: "Dark" })).toBeChecked();
  await expect.poll(() => shown(other, server, 8)).toEqual(before);
  await other.goto(`${server.url}#/~starred`);
  await expect(other.getByRole("article")).toHaveCount(1);

  // A second time there is nothing left to add.
  await openSettings(other, server);
  await choose(other, file);
  await expect(preview(other)).toContainText("Everything in this backup is here already.");
  await preview(other).getByRole("button", { name: "Close" }).click();

  // What would delete stored messages says how many, and is taken over only if it is ticked.
  const lines = [
    { kind: "header", format: "earshot-backup", version: 1, scope: "everything", madeAtMs: 1 },
    { kind: "setting", name: "keepMessages", value: 3 },
    { kind: "end", messages: 0, lines: 3 },
  ];
  const deleting = fileOf(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await choose(other, deleting);
  const limit = preview(other).getByRole("checkbox", { name: /About 5 messages stored here would be deleted/ });
  await expect(limit).not.toBeChecked();
  await preview(other).getByRole("button", { name: "Import" }).click();
  await expect(preview(other)).toHaveCount(0);
  await choose(other, deleting);
  await expect(limit, "it is still different").not.toBeChecked();
  await other.context().close();
});

test("sign-ins are taken along only with their passphrase", async ({ server, page, browser, startOther, watch }) => {
  watch.tolerate(/status of 40[13]/);
  const other = await startOther({
    access: {
      users: [{ name: "ada", password: "canary-77", tokens: [] }],
      rules: [
        { user: "*", topic: "secret", allow: "deny-all" },
        { user: "ada", topic: "secret", allow: "read-write" },
      ],
    },
  });
  await page.goto(`${server.url}#/http:${other.host}/secret`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByLabel("Sign in").selectOption("User name and password");
  await page.getByLabel("User name", { exact: true }).fill("ada");
  await page.getByLabel("Password").fill("canary-77");
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByText("No messages yet")).toBeVisible();
  await openSettings(page, server);
  await page.getByLabel("Include sign-ins").check();
  await page.getByRole("button", { name: "Save backup" }).click();
  await expect(page.getByRole("alert")).toHaveText("At least 8 characters.");
  await page.getByRole("textbox", { name: "Passphrase" }).fill("correct horse");
  const file = await save(page);
  expect(readFileSync(file, "utf8")).not.toContain("canary");

  const fresh = await freshProfile(browser, server);
  await choose(fresh, file);
  await preview(fresh).getByRole("textbox", { name: "Passphrase" }).fill("correct hors");
  await preview(fresh).getByRole("button", { name: "Import" }).click();
  await expect(preview(fresh)).toContainText("This is not the passphrase of this backup.");
  await preview(fresh).getByRole("textbox", { name: "Passphrase" }).fill("correct horse");
  await preview(fresh).getByRole("button", { name: "Import" }).click();
  await expect(notice(fresh)).toContainText("Imported");
  await other.publish("secret", "only for ada");
  await fresh.goto(`${server.url}#/`);
  await expect(message(fresh, "only for ada")).toHaveCount(1);
  await fresh.context().close();
});

test("a view is saved as CSV, with its filter, and no cell of it is a formula; what is no backup is refused", async ({
  server,
  page,
}) => {
  await subscribe(page, server, "backups");
  await server.publish("backups", "=1+1", { title: "Backup, done" });
  await server.publish("backups", "something else");
  await page.goto(`${server.url}#/backups?q=done`);
  await expect(message(page, "=1+1")).toHaveCount(1);
  await chooseInMenu(page, "Export…");
  const file = await save(page, "Save");
  await expect(notice(page)).toContainText("1 message saved");
  const [head, line, ...rest] = readFileSync(file, "utf8").split("\r\n");
  expect(head).toMatch(/^\uFEFFtime,server,topic,priority/);
  expect(line).toContain(`,${server.host},backups,3,"Backup, done",'=1+1,`);
  expect(rest).toEqual([""]);

  const saved = async (from: string, to: string): Promise<number> => {
    await chooseInMenu(page, "Export…");
    await page.getByLabel("From", { exact: true }).fill(from);
    await page.getByLabel("To, that day included").fill(to);
    return readFileSync(await save(page, "Save"), "utf8").split("\r\n").length - 2;
  };
  const today = await page.evaluate(() => {
    const now = new Date();
    return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
  });
  expect(await saved(today, today)).toBe(1);
  expect(await saved("", "2001-01-01")).toBe(0);

  await test.step("all messages of a topic are deleted after a question, and undo brings them back", async () => {
    await page.goto(`${server.url}#/~settings/storage`);
    await page.getByRole("button", { name: "Delete the messages of backups" }).click();
    await expect(page.getByRole("dialog")).toContainText("2 messages would be deleted");
    await expectAccessible(page);
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await expect(notice(page)).toContainText("2 messages deleted");
    await notice(page).getByRole("button", { name: "Undo" }).click();
    await expect(page.getByRole("row", { name: "backups" })).toContainText("2");
  });
  await test.step("an unreadable file is refused in words", async () => {
    await openSettings(page, server);
    const header = '{"kind":"header","format":"earshot-backup","version":1,"scope":"everything","madeAtMs":1}\n';
    for (const [text, words] of [
      ["hello", "is not a backup of Earshot"],
      [header.replace('"version":1', '"version":9'), "A newer version of Earshot"],
      [header, "This file can't be read to its end"],
      [`${header}{"kind":"topic","server":"javascript:alert(1)","topic":"t"}\n`, "Line 2 can't be right"],
    ] as const) {
      await choose(page, fileOf(text));
      await expect(page.getByRole("alert")).toContainText(words);
    }
    await choose(page, fileOf(`${header}{"kind":"message"}\n{"kind":"end","messages":1,"lines":3}\n`));
    await expect(preview(page)).toContainText("1 line can't be read");
    await expect(preview(page), "nothing of it can be read").not.toContainText("is here already");
  });
});

test("when two tabs import the same at once, each message is there once", async ({ server, page, context }) => {
  const topic = { kind: "topic", server: `http://${server.host}`, topic: "doors" };
  const events = Array.from({ length: 50 }, (_, at) => {
    const event = {
      id: `two${String(at).padStart(9, "0")}`,
      time: 1_700_000_000 + at,
      event: "message",
      topic: "doors",
    };
    return { kind: "message", topic: 0, event: { ...event, message: `m${at}` }, via: "poll", receivedAtMs: 1 };
  });
  const lines = [
    { kind: "header", format: "earshot-backup", version: 1, scope: "everything", madeAtMs: 1 },
    { kind: "server", address: `http://${server.host}` },
    { ...topic, keepDays: 0 },
    ...events,
  ];
  const end = { kind: "end", messages: events.length, lines: lines.length + 1 };
  const backup = fileOf([...lines, end].map((line) => `${JSON.stringify(line)}\n`).join(""));
  const other = await context.newPage();
  const tabs = [page, other];
  for (const tab of tabs) await openSettings(tab, server);
  for (const tab of tabs) {
    await choose(tab, backup);
    await expect(preview(tab)).toContainText("50 messages would be added.");
  }
  await Promise.all(tabs.map((tab) => preview(tab).getByRole("button", { name: "Import" }).click()));
  for (const tab of tabs) await expect(notice(tab)).toContainText("Imported");
  for (const tab of tabs) {
    await tab.goto(`${server.url}#/~settings/storage`);
    await expect(tab.getByText("50 messages on this device")).toBeVisible();
  }
});
