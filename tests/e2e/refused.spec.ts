import { expect, subscribe, test, type TestServer } from "./fixtures";
import type { Page } from "@playwright/test";

test.use({
  serverOptions: {
    access: {
      users: [{ name: "ada", password: "s3cret", tokens: [] }],
      rules: [
        { user: "*", topic: "secret", allow: "deny-all" },
        { user: "ada", topic: "secret", allow: "read-write" },
      ],
    },
  },
});

const REFUSED = "The server asks for a sign-in for secret.";

async function signIn(page: Page): Promise<void> {
  await page.getByLabel("User", { exact: true }).fill("ada");
  await page.getByLabel("Password").fill("s3cret");
}

/** Subscribed to an open topic, and to one that the server no longer hands out. */
async function signOut(page: Page, server: TestServer): Promise<void> {
  await subscribe(page, server, "open");
  await page.goto(`${server.url}#/secret`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByLabel("Sign in").selectOption("With user and password");
  await signIn(page);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByText("No messages yet")).toBeVisible();
  await page.getByRole("button", { name: "More" }).first().click();
  await page.getByRole("menuitem", { name: /server/i }).click();
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByRole("dialog").getByLabel("Sign in").selectOption("Without");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
}

test("a topic that the server refuses says so where it is shown, while the others are live; signing in mends that one", async ({
  server,
  page,
  watch,
}) => {
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
      .getByRole("img", { name: /asks for a sign-in/ }),
  ).toBeVisible();

  await page.goto(`${server.url}#/secret`);
  await header.getByRole("button", { name: "Sign in" }).click();
  await signIn(page);
  await page.getByRole("dialog").getByRole("button", { name: "Sign in" }).click();
  await expect(header).toContainText("Live");
  await server.publish("secret", "for ada alone");
  await expect(page.getByRole("article").filter({ hasText: "for ada alone" })).toHaveCount(1);
  // The open topic stays as it was: it needs no sign-in.
  expect(
    server.running
      .streams()
      .map(({ topics }) => topics.join())
      .sort(),
  ).toEqual(["open", "secret"]);
});
