import type { Page } from "@playwright/test";
import { expectAccessible } from "./axe";
import type { ServerAddress } from "../../src/protocol";
import { accessLink } from "../../src/ui/topics/link/access-link";
import { readQrCode } from "../ui/read-qr-code";
import { expect, subscribe, test } from "./fixtures";
import { chooseInMenu, message } from "./on-screen";

const NAME = "QR code of the link to backups";

/** Opens the dialog that has all ways to hand a view's link on. */
const share = (page: Page) => page.locator("main > header").getByRole("button", { name: "Share" }).click();

/** The link in the dialog. */
const linkIn = (page: Page) => page.getByRole("dialog").locator(".link");

test("a sign-in is handed on only if that is chosen, shown before it is used, and stays in no address", async ({
  server,
  page,
  browser,
  startOther,
  watch,
}) => {
  watch.tolerate(/status of 40[13]/);
  const other = await startOther({
    access: { default: "deny-all", users: [{ name: "ada", password: "s3cret", role: "admin", tokens: [] }] },
  });
  await other.publish("secret", "for ada alone");
  /** Subscribes with what is in the fields. */
  const enter = async (one: Page): Promise<void> => {
    await one.getByRole("button", { name: "Subscribe" }).click();
    await expect(message(one, "for ada alone")).toHaveCount(1);
  };
  await page.goto(`${server.url}#/http:${other.host}/secret`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByLabel("Sign in").selectOption("User name and password");
  await page.getByLabel("User name", { exact: true }).fill("ada");
  await page.getByLabel("Password").fill("s3cret");
  await enter(page);
  await share(page);
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("The link contains no password.")).toBeVisible();
  await expect(linkIn(page)).toHaveText(`${server.url}#/http:${other.host}/secret`);
  await dialog.getByRole("checkbox", { name: /^With the sign-in/ }).check();
  await expect(dialog.getByText("Whoever gets this link", { exact: false })).toBeVisible();
  await expect(linkIn(page)).toContainText("#/~open/access:");
  await expectAccessible(page);
  const link = await linkIn(page).innerText();

  const context = await browser.newContext({ serviceWorkers: "block" });
  const receiver = await context.newPage();
  await page.goto("about:blank");
  await expect.poll(() => other.running.streams().length).toBe(0);
  const before = other.requests.length;
  await receiver.goto(link);
  await expect(receiver.getByText("The link brought this sign-in.", { exact: false })).toBeVisible();
  await expect(receiver.getByLabel("Sign in")).not.toHaveValue("none");
  expect(receiver.url()).toBe(`${server.url}#/http:${other.host}/secret`);
  expect(other.requests, "nothing is sent before the choice").toHaveLength(before);
  await expectAccessible(receiver);
  // Once only: it is in no entry of the history.
  await receiver.reload();
  await expect(receiver.getByRole("heading", { name: "Subscribe to this topic?" })).toBeVisible();
  await expect(receiver.getByText("The link brought this sign-in.", { exact: false })).toHaveCount(0);
  await receiver.goto(`${link.slice(0, -9)}AAAAAAAAA`);
  await expect(receiver.getByText("This link is damaged", { exact: false })).toBeVisible();
  expect(receiver.url()).toBe(`${server.url}#/~open`);
  await receiver.goto("about:blank");
  await receiver.goto(link);
  await enter(receiver);
  await receiver.goBack();
  await receiver.goBack();
  expect(await receiver.evaluate(() => location.href)).not.toContain("access:");
  await context.close();
});

test("the link of a view is safe to open, and handed on as a QR code and with the topic's name", async ({
  server,
  page,
  browser,
  watch,
}) => {
  watch.tolerate(/favicon/);
  await subscribe(page, server, "backups");
  await test.step("a damaged link with a sign-in leaves the address for good", async () => {
    const secret = "c2VjcmV0c2VjcmV0";
    const inAddress = () => page.evaluate(() => location.href);
    await page.goto(`${server.url}#/~open/access:${secret}`);
    await expect(page.getByText("This link is damaged", { exact: false })).toBeVisible();
    expect(await inAddress()).not.toContain(secret);
    // Back closes a dialog, and must not write the old address again.
    await page.getByRole("button", { name: "Add a topic" }).last().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(page.getByText("This link is damaged", { exact: false })).toBeVisible();
    expect(await inAddress()).not.toContain(secret);
    await page.reload();
    expect(await inAddress()).not.toContain(secret);
    await page.getByRole("button", { name: "Show everything" }).click();
    await page.goBack();
    expect(await inAddress()).not.toContain(secret);
  });
  await test.step("a link that set up a device in earlier versions says what to do instead", async () => {
    await page.goto(`${server.url}#/~open/setup:H4sIAAAAAAAA`);
    await expect(page.getByText("under Settings → Devices", { exact: false })).toBeVisible();
  });
  await test.step("a refused link doesn't stay in the address", async () => {
    for (const [what, fragment] of Object.entries({
      "that can't be decoded": "#/~open/access:c2VjcmV0%zz",
      "that is far too long": `#/~open/access:c2VjcmV0${"A".repeat(17_000)}`,
      "with a password as a parameter": "#/backups?auth=c2VjcmV0",
      "with a password in its address": "#/ada:c2VjcmV0@box.example/backups",
      "to another app's address with a password": `#/~open/${encodeURIComponent("https://ada:c2VjcmV0@box.example/backups")}`,
      "with a password in an address that is none": "#/http:ada:c2VjcmV0@bo x/backups",
    })) {
      await page.goto(`${server.url}${fragment}`);
      await expect(
        page.getByRole("heading", { level: 1, name: /^(This link can't be opened|No topic found)/ }),
        what,
      ).toBeVisible();
      await expect.poll(() => page.evaluate(() => location.href), what).not.toContain("c2VjcmV0");
      await page.goto(`${server.url}#/backups`);
      await expect(page.getByRole("heading", { level: 1, name: "backups" })).toBeVisible();
    }
  });
  await test.step("the link of a view is shown as a QR code, and reads back as the link", async () => {
    await page.goto(`${server.url}#/backups`);
    await share(page);
    const dialog = page.getByRole("dialog", { name: "backups" });
    const picture = dialog.getByRole("img", { name: NAME });
    await expect(picture).toBeVisible();
    await expect(dialog.getByText(`${server.url}#/backups`)).toBeVisible();
    const size = Number((await picture.getAttribute("viewBox"))?.split(" ")[2]);
    const path = (await picture.locator(".dark").getAttribute("d")) ?? "";
    expect(readQrCode({ path, size })).toBe(`${server.url}#/backups`);
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toBeHidden();
  });
  await test.step("a link that is too long for a QR code says so and can be copied", async () => {
    await page.goto(`${server.url}#/backups?q=${"x".repeat(3_000)}`);
    await share(page);
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("This link is too long for a QR code.")).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Copy link" })).toBeVisible();
    await expect(dialog.getByRole("img")).toHaveCount(0);
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toBeHidden();
  });
  await test.step("only the title, the QR code and the link are printed", async () => {
    await page.goto(`${server.url}#/backups`);
    await server.publish("backups", "nobody prints this");
    await expect(message(page, "nobody prints this")).toHaveCount(1);
    await page.evaluate(() => {
      window.print = () => {
        document.documentElement.dataset["printed"] = "yes";
      };
    });
    await share(page);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Print" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-printed", "yes");
    await page.emulateMedia({ media: "print" });
    await expect(dialog.getByRole("img", { name: NAME })).toBeVisible();
    await expect(dialog.getByRole("heading", { name: "backups" })).toBeVisible();
    await expect(dialog.getByText(`${server.url}#/backups`)).toBeVisible();
    await expect(page.getByText("nobody prints this")).toBeHidden();
    for (const button of await dialog.locator("button").all()) await expect(button).toBeHidden();
  });
  await test.step("a topic is handed on with its name, which the receiver sees before it is taken over", async () => {
    await page.emulateMedia({ media: "screen" });
    await page.keyboard.press("Escape");
    await chooseInMenu(page, "Topic settings");
    await page.getByRole("textbox", { name: "Display name" }).fill("Nightly & weekly");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("heading", { level: 1, name: "Nightly & weekly" })).toBeVisible();
    await share(page);
    await expect(linkIn(page)).toContainText("#/~open/");
    const link = await linkIn(page).innerText();
    await page.getByRole("checkbox", { name: "With the name" }).uncheck();
    await expect(linkIn(page)).toHaveText(`${server.url}#/backups`);

    const context = await browser.newContext({ serviceWorkers: "block" });
    const other = await context.newPage();
    await other.goto(link);
    await expect(other.getByText("You will see it as “Nightly & weekly”.")).toBeVisible();
    expect(other.url()).toBe(`${server.url}#/backups`);
    await other.getByRole("button", { name: "Subscribe" }).click();
    await expect(other.getByRole("heading", { level: 1, name: "Nightly & weekly" })).toBeVisible();
    await context.close();
  });
});

test("a sign-in for an existing topic is offered beside the present one", async ({
  server,
  page,
  startOther,
  watch,
}) => {
  watch.tolerate(/status of 40[13]/);
  const other = await startOther({
    access: {
      default: "read-only",
      users: [
        { name: "ada", password: "s3cret", role: "admin", tokens: [] },
        { name: "bob", password: "pass", role: "admin", tokens: [] },
      ],
    },
  });
  const linkOf = async (user: string, password: string) =>
    accessLink(
      {
        scope: { kind: "topics", address: `http://${other.host}` as ServerAddress, topics: ["secret"] },
        filter: { terms: [] },
      },
      undefined,
      { kind: "basic", user, password },
      server.url,
    );
  await page.goto(`${server.url}#/http:${other.host}/secret`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByText("No messages yet")).toBeVisible();
  const signIns = () => other.requests.filter(({ path }) => path.startsWith("/v1/account")).length;

  await page.goto(await linkOf("ada", "s3cret"));
  const dialog = page.getByRole("dialog", { name: `Sign in to ${other.host}` });
  await expect(dialog.getByText("You are already subscribed to secret.")).toBeVisible();
  await expect(dialog.getByText("The link brought this sign-in.", { exact: false })).toBeVisible();
  await expect(dialog.getByText("Not signed in", { exact: true })).toBeVisible();
  await expect(dialog.getByLabel("User name", { exact: true })).toHaveValue("ada");
  expect(page.url()).not.toContain("access:");
  expect(signIns(), "nothing is sent before the choice").toBe(0);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(signIns).toBeGreaterThan(0);

  await page.goto(await linkOf("bob", "pass"));
  await expect(dialog.getByText("Signed in as ada")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(dialog).toBeHidden();
  await page.goto(await linkOf("bob", "pass"));
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await expect(dialog).toBeHidden();
  await page.goto(await linkOf("ada", "s3cret"));
  await expect(dialog.getByText("Signed in as bob")).toBeVisible();
});
