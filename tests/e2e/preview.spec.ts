import type { ServerResponse } from "node:http";
import { filterBox } from "./on-screen";
import { expect, lines, messageEvent, test } from "./scripted-server";

test("a preview shows what the server holds, and only that", async ({ server, page, scripted, startOther }) => {
  await test.step("a preview that arrives late is not shown on the page of another link", async () => {
    const held: ServerResponse[] = [];
    scripted.answer = ({ url }, response) => url.startsWith("/slow/") && held.push(response) > 0;
    await page.goto(`${server.url}#/http:${scripted.host}/slow`);
    await page.getByRole("button", { name: "Preview" }).click();
    await expect.poll(() => held.length).toBe(1);
    await page.goto(`${server.url}#/http:${scripted.host}/other`);
    await expect(page.getByRole("heading", { level: 2, name: "other" })).toBeVisible();
    for (const response of held) response.end(lines(messageEvent("slow", "of the slow one")));
    // The question is still there and can be answered.
    scripted.polled = lines(messageEvent("other", "of the other one"));
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(page.getByText("of the other one")).toBeVisible();
    await expect(page.getByText("of the slow one")).toHaveCount(0);
  });
  await test.step("after a few seconds a preview says which server it waits for", async () => {
    const held: ServerResponse[] = [];
    scripted.answer = ({ url }, response) => url.startsWith("/slow/") && held.push(response) > 0;
    await page.goto(`${server.url}#/http:${scripted.host}/slow`);
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(page.getByRole("status").getByText(`Waiting for ${scripted.host} to answer`)).toBeVisible();
    for (const response of held) {
      response
        .setHeader("Content-Type", "application/x-ndjson; charset=utf-8")
        .end(lines(messageEvent("slow", "here at last")));
    }
    await expect(page.getByText("here at last")).toBeVisible();
    await expect(page.getByText(/Waiting for/)).toHaveCount(0);
  });
  await test.step("a preview shows neither deleted nor superseded messages", async () => {
    const other = await startOther();
    const put = (path: string, method: string, body?: string) =>
      fetch(`${other.url}${path}`, { method, ...(body !== undefined && { body }) });
    await put("a/job", "PUT", "the job began");
    await put("a/alarm", "PUT", "a false alarm");
    await put("a/reset", "PUT", "before the reset");
    await put("a/job", "PUT", "the job is done");
    await put("a/alarm", "DELETE");
    await put("a/reset", "DELETE");
    await put("a/reset", "PUT", "after the reset");
    await page.goto(`${server.url}#/http:${other.host}/a`);
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(page.getByRole("article")).toHaveCount(2);
    for (const text of ["the job is done", "after the reset"]) await expect(page.getByText(text)).toBeVisible();
  });
  await test.step("a preview shows all messages of a server that gives one id to several", async () => {
    const same = (topic: string, text: string, more = {}) => ({ ...messageEvent(topic, text), id: "same", ...more });
    scripted.polled = lines(
      same("a", "first of a"),
      same("b", "first of b"),
      same("a", "second", { sequence_id: "s" }),
    );
    await page.goto(`${server.url}#/http:${scripted.host}/a,b`);
    await page.getByRole("button", { name: "Preview" }).click();
    for (const text of ["first of a", "first of b", "second"]) await expect(page.getByText(text)).toBeVisible();
    await filterBox(page).fill("first");
    await expect(page.getByRole("article")).toHaveCount(2);
  });
});

test("what fails when subscribing from a preview is told", async ({ server, page, scripted, startOther, watch }) => {
  await test.step("the reason why a subscription from a preview fails is shown", async () => {
    watch.tolerate(/status of 403/);
    scripted.polled = lines(messageEvent("a", "seen"));
    await page.goto(`${server.url}#/http:${scripted.host}/a`);
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(page.getByText("seen")).toBeVisible();
    scripted.answer = ({ url }, response) => {
      if (!/^\/a\//.test(url)) return false;
      const body = JSON.stringify({ code: 40301, http: 403, error: "forbidden" });
      response.writeHead(403, { "Content-Type": "application/json" }).end(body);
      return true;
    };
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "The server requires a sign-in for a." })).toBeVisible();
    await expect(page.getByLabel("Sign in")).toBeVisible();
  });
  await test.step("a server that is gone when subscribing from its preview is reported", async () => {
    watch.tolerate(/status of 404/);
    scripted.polled = lines(messageEvent("b", "seen"));
    await page.goto(`${server.url}#/http:${scripted.host}/b`);
    await page.getByRole("button", { name: "Preview" }).click();
    await expect(page.getByText("seen")).toBeVisible();
    scripted.answer = (_asked, response) => {
      response.writeHead(404, { "Content-Type": "text/html" }).end("gone");
      return true;
    };
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await expect(page.getByRole("button", { name: "Subscribe" })).toBeEnabled();
  });
  await test.step("a password typed for one server is not sent to the server of the next link", async () => {
    watch.tolerate(/status of 40[13]/);
    Object.assign(scripted, { answer: () => false, polled: "" });
    const before = scripted.requests.length;
    const guarded = await startOther({ access: { default: "deny-all" } });
    await page.goto(`${server.url}#/http:${guarded.host}/secret`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await page.getByLabel("Sign in").selectOption("User name and password");
    await page.getByLabel("User name", { exact: true }).fill("ada");
    await page.getByLabel("Password").fill("s3cret");
    await page.goto(`${server.url}#/http:${scripted.host}/c`);
    await expect(page.getByRole("heading", { level: 2, name: "c", exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page.getByText("No messages yet")).toBeVisible();
    expect(
      scripted.requests.slice(before).filter(({ url, headers }) => headers.authorization ?? /auth=/.test(url)),
    ).toEqual([]);
  });
});

test.describe("a preview by a stranger's first touch", () => {
  // Nothing may be stored, not even that the first steps are done.
  test.use({ firstSteps: true, hasTouch: true, viewport: { width: 390, height: 844 } });

  test("shows its messages once all of them is here, and nothing moves them then", async ({ server, page }) => {
    await server.curl("alerts", "a **bold** word", { "X-Markdown": "yes", "X-Title": "Fire", "X-Tags": "warning" });
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const files: string[] = [];
    await page.route(/\/assets\/(?:markdown|emoji)-[^/]*\.js$/, async (route) => {
      files.push(route.request().url());
      await held;
      await route.continue();
    });
    await page.goto(`${server.url}#/alerts`);
    await page.getByRole("button", { name: "Preview" }).tap();
    await expect.poll(() => files.length).toBe(2);
    await expect(page.getByRole("button", { name: "Preview" })).toBeVisible();
    await expect(page.getByRole("article")).toHaveCount(0);
    await page.evaluate(() => {
      const moved = ((globalThis as { moved?: number[] }).moved = []) as number[];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) moved.push((entry as unknown as { value: number }).value);
      }).observe({ type: "layout-shift" });
    });
    goOn();
    await expect(page.getByRole("article").locator("strong")).toHaveText("bold");
    await expect(page.getByRole("heading", { name: "⚠️ Fire" })).toBeVisible();
    await expect(page.getByRole("button", { name: "High and urgent" })).toBeVisible();
    expect(await page.evaluate(() => (globalThis as { moved?: number[] }).moved)).toEqual([]);
  });
});
