import { expect, subscribe, test, type TestServer } from "./fixtures";
import { chooseInMenu } from "./on-screen";
import type { Page } from "@playwright/test";

test.use({
  serverOptions: {
    access: {
      users: [{ name: "ada", password: "s3cret", tokens: [] }],
      rules: [
        { user: "*", topic: "secret", allow: "deny-all" },
        { user: "ada", topic: "secret", allow: "read-write" },
        { user: "*", topic: "nobodys", allow: "deny-all" },
      ],
    },
  },
});

const REFUSED = "The server requires a sign-in for secret.";

async function signIn(page: Page): Promise<void> {
  await page.getByLabel("User name", { exact: true }).fill("ada");
  await page.getByLabel("Password").fill("s3cret");
}

/** Subscribes to an open topic and to a protected one, which the server then refuses. */
async function signOut(page: Page, server: TestServer): Promise<void> {
  await subscribe(page, server, "open");
  await page.goto(`${server.url}#/secret`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByLabel("Sign in").selectOption("User name and password");
  await signIn(page);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByText("No messages yet")).toBeVisible();
  await chooseInMenu(page, "Server settings");
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByRole("dialog").getByLabel("Sign in").selectOption("None");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
}

const OPEN = { users: [], rules: [] } as const;
const CLOSED = { users: [], rules: [{ user: "*", topic: "news", allow: "deny-all" }] } as const;

/** Closes a public topic so that the app leaves it out, and opens it again, with a message. */
async function closeForAWhile(page: Page, other: TestServer, text: string): Promise<void> {
  await expect(page.getByRole("main").getByText("Live", { exact: true })).toBeVisible();
  await other.stop();
  await other.start({ access: CLOSED });
  await expect(page.getByRole("main").getByRole("button", { name: "Try again" })).toBeVisible();
  await other.stop();
  await other.start({ access: OPEN });
  await other.publish("news", text);
}

test("a server whose rights or passwords change", async ({ server, page, startOther, watch }) => {
  await test.step("a public topic that was closed for a while is back at once", async () => {
    watch.tolerate(/status of 403|net::ERR_|CORS policy/);
    const other = await startOther({ access: OPEN });
    await page.goto(`${server.url}#/http:${other.host}/news`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await test.step("by the button beside the message", async () => {
      await closeForAWhile(page, other, "open again");
      await page.getByRole("main").getByRole("button", { name: "Try again" }).click();
      await expect(page.getByRole("article").filter({ hasText: "open again" })).toHaveCount(1);
    });
    await test.step("by signing in without an account", async () => {
      await closeForAWhile(page, other, "open once more");
      await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Sign in").selectOption("None");
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(page.getByRole("article").filter({ hasText: "open once more" })).toHaveCount(1);
    });
  });
  await test.step("a password that is no longer right is said to be rejected, while topics that need none stay live", async () => {
    watch.tolerate(/status of 40[13]|net::ERR_|CORS policy/);
    const access = (password: string) => ({
      users: [{ name: "ada", password, tokens: [] }],
      rules: [
        { user: "*", topic: "secret", allow: "deny-all" },
        { user: "ada", topic: "secret", allow: "read-write" },
      ] as const,
    });
    const other = await startOther({ access: access("s3cret") });
    await page.goto(`${server.url}#/http:${other.host}/open`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page.getByText("No messages yet")).toBeVisible();
    await page.goto(`${server.url}#/http:${other.host}/secret`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await page.getByLabel("Sign in").selectOption("User name and password");
    await signIn(page);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page.getByText("No messages yet")).toBeVisible();
    await other.stop();
    await other.start({ access: access("changed") });

    const header = page.locator("main header").first();
    await expect(header).toContainText("The server rejected the password or token.");
    await expect(header).not.toContainText("may not read");
    await chooseInMenu(page, "Connection");
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("listitem").filter({ hasText: "secret" })).toContainText("rejected the password");
    await expect(dialog).not.toContainText("may not read");
    await page.keyboard.press("Escape");
    await page.goto(`${server.url}#/http:${other.host}/open`);
    await expect(header).toContainText("Live");
  });
});

test("a topic that its server refuses", async ({ server, page, watch }) => {
  await test.step("a right password without the right to read says that this user may not read it, and asks for no other", async () => {
    watch.tolerate(/status of 403/);
    await page.goto(`${server.url}#/nobodys`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await page.getByLabel("Sign in").selectOption("User name and password");
    await signIn(page);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page.getByRole("alert")).toHaveText("ada can't read nobodys. Ask whoever runs the server.");
    await expect(page.getByText(/requires a sign-in/)).toHaveCount(0);
  });
  await test.step("a refused topic says so where it is shown, while the others are live, and is received again after a sign-in", async () => {
    watch.tolerate(/status of 40[13]/);
    await signOut(page, server);
    const header = page.locator("main header").first();
    await expect(header).toContainText(REFUSED);
    await expect(header).not.toContainText("Live");
    await page.goto(`${server.url}#/open`);
    await expect(header).toContainText("Live");
    await expect(header).not.toContainText(REFUSED);

    await page.goto(`${server.url}#/~topics`);
    await expect(
      page
        .locator("main")
        .getByRole("link", { name: "secret" })
        .getByRole("img", { name: "The server refuses this topic" }),
    ).toBeVisible();

    await page.goto(`${server.url}#/secret`);
    await header.getByRole("button", { name: "Sign in" }).click();
    await signIn(page);
    await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
    await expect(header).toContainText("Live");
    await server.publish("secret", "for ada alone");
    await expect(page.getByRole("article").filter({ hasText: "for ada alone" })).toHaveCount(1);
    // The stream of the open topic goes on unchanged, as it needs no sign-in.
    expect(
      server.running
        .streams()
        .map(({ topics }) => topics.join())
        .sort(),
    ).toEqual(["open", "secret"]);
  });
});
