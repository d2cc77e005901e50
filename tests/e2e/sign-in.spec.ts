import type { Page } from "@playwright/test";
import type { ServerOptions } from "../../src/server";
import { expect, forwardTo, test, type ScriptedServer } from "./scripted-server";

const PROTECTED: ServerOptions = {
  access: {
    users: [{ name: "ada", password: "s3cret", tokens: [] }],
    rules: [
      { user: "*", topic: "secret", allow: "deny-all" },
      { user: "ada", topic: "secret", allow: "read-write" },
    ],
  },
};

async function subscribe(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await page.getByLabel("Sign in").selectOption("User name and password");
  await page.getByLabel("User name", { exact: true }).fill("ada");
  await page.getByLabel("Password").fill("s3cret");
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByText("No messages yet")).toBeVisible();
}

/** Counts the requests for the topic with credentials in their address, and those with credentials in the header. */
function signedIn({ requests }: ScriptedServer, from = 0): { byQuery: number; byHeader: number } {
  const asked = requests.slice(from).filter(({ url }) => url.startsWith("/secret/"));
  return {
    byQuery: asked.filter(({ url }) => url.includes("auth=")).length,
    byHeader: asked.filter(({ headers }) => headers.authorization !== undefined).length,
  };
}

test("signing in", async ({ server, page, scripted, startOther, watch }) => {
  await test.step("a refused sign-in is reported beside the pressed button, visible on a phone", async () => {
    watch.tolerate(/status of 40[13]/);
    await page.setViewportSize({ width: 360, height: 560 });
    const other = await startOther(PROTECTED);
    await page.goto(server.url);
    await page.getByLabel("Topic").fill(`http://${other.host}/secret`);
    const subscribe = page.getByRole("button", { name: "Subscribe" });
    await subscribe.click();
    await expect(page.getByRole("alert")).toContainText("requires a sign-in");
    await expect(page.getByRole("alert")).toBeInViewport({ ratio: 1 });
    await page.getByLabel("User name", { exact: true }).fill("ada");
    await page.getByLabel("Password").fill("wrong");
    await subscribe.click();
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("rejected the password");
    await expect(alert).toBeInViewport({ ratio: 1 });
    // It is said once: the field has it as its description, which nothing reads by itself.
    const aloud = page.locator("[role=alert], [role=status], [aria-live]").filter({ hasText: "rejected the password" });
    await expect(aloud).toHaveCount(1);
    await expect(page.getByLabel("Password")).toHaveAccessibleDescription(/rejected the password/);
    // The button comes after the fields that it sends, right below what is said.
    const [said, field, button] = await Promise.all(
      [alert, page.getByLabel("Password"), subscribe].map((part) => part.boundingBox()),
    );
    expect(field?.y).toBeLessThan(said?.y ?? 0);
    expect(button?.y).toBeGreaterThan(said?.y ?? Infinity);
    expect((button?.y ?? Infinity) - (said?.y ?? 0)).toBeLessThan(120);
  });
  await test.step("behind a proxy that refuses the header the password goes in the address, as long as that lasts", async () => {
    watch.tolerate(/CORS policy|net::ERR_FAILED|status of 40[13]/);
    const other = await startOther(PROTECTED);
    scripted.answer = forwardTo(other.host);
    scripted.refusesSignIn = true;
    const url = `${server.url}#/http:${scripted.host}/secret`;
    await subscribe(page, url);
    const header = page.locator("main header").first();
    await expect(header).toContainText("Live");
    await other.publish("secret", "for ada alone");
    await expect(page.getByRole("article").filter({ hasText: "for ada alone" })).toHaveCount(1);
    expect(signedIn(scripted).byHeader).toBe(0);
    expect(signedIn(scripted).byQuery).toBeGreaterThan(0);
    // The browser's console messages about refused requests contain their addresses.
    expect(watch.problems.length).toBeGreaterThan(0);
    expect(JSON.stringify(watch.problems)).not.toContain("auth=");

    scripted.refusesSignIn = false;
    await page.goto("about:blank");
    await expect.poll(() => other.running.streams().length).toBe(0);
    const before = scripted.requests.length;
    await page.goto(url);
    await expect(header).toContainText("Live");
    await other.publish("secret", "and once more");
    await expect(page.getByRole("article").filter({ hasText: "and once more" })).toHaveCount(1);
    expect(signedIn(scripted, before).byQuery).toBe(0);
    expect(signedIn(scripted, before).byHeader).toBeGreaterThan(0);
  });
});
