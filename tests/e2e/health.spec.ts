import { LIMITS, subscribe } from "./fixtures";
import { chooseInMenu, detail, expectLive, notice, tellState } from "./on-screen";
import { expect, test } from "./scripted-server";

test.use({
  serverOptions: {
    access: {
      users: [{ name: "ada", password: "s3cret-word", tokens: [] }],
      rules: [
        { user: "*", topic: "hidden-topic", allow: "deny-all" },
        { user: "ada", topic: "hidden-topic", allow: "read-write" },
      ],
    },
  },
});

test("the details of a connection show transport, last complete check and requests; their copy names neither servers nor topics nor credentials", async ({
  server,
  page,
  context,
  watch,
}) => {
  await test.step("the details of a connection show the transport, the last complete check, and the requests", async () => {
    await subscribe(page, server, "open-topic", "other-topic");
    await page.goto(`${server.url}#/open-topic`);
    await server.publish("open-topic", "hello");
    await expect(page.getByRole("article")).toHaveCount(1);
    await chooseInMenu(page, "Connection");
    await expect(detail(page, "State")).toContainText("Live");
    await expect(detail(page, "Receiving by")).toHaveText("JSON stream, chosen automatically");
    await expect(detail(page, "Last complete check")).toContainText(/^\s*\d\d:\d\d/);
    await expect(detail(page, "Server keeps messages for")).toHaveText("12 h");
    await expect(detail(page, "Requests in five minutes")).toHaveText(/^\d+ of the 120 that servers usually allow$/);
    await expect(detail(page, "Malformed lines skipped")).toHaveText("0");
    const complete = page.getByRole("dialog").getByText("Complete, as far back as the server keeps messages");
    await expect(complete, "said once for both topics").toHaveCount(1);
    await page.keyboard.press("Escape");
  });
  await test.step("the copied diagnosis names neither servers nor topics nor credentials", async () => {
    watch.tolerate(/status of 40[13]/);
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: server.url });
    await page.goto(`${server.url}#/hidden-topic`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await page.getByLabel("Sign in").selectOption("User name and password");
    await page.getByLabel("User name", { exact: true }).fill("ada");
    await page.getByLabel("Password").fill("s3cret-word");
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expect(page.getByText("No messages yet")).toBeVisible();
    await chooseInMenu(page, "Connection");
    await page.getByRole("button", { name: "Copy diagnostics" }).click();
    await expect(notice(page)).toContainText("Copied");
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text).toMatch(/"state":{"kind":"live",.*"transport":"json"/);
    expect(text.match(/^account /gm)).toHaveLength(1);
    for (const secret of [server.host, String(server.port), "127.0.0.1", "open-topic", "hidden-topic", "s3cret-word"]) {
      expect(text).not.toContain(secret);
    }
  });
});

test("a server that is slow or unreachable is told about", async ({ server, page, scripted, startOther, watch }) => {
  await test.step("a slow check says for how long, and which server it waits for", async () => {
    await page.goto(`${server.url}#/http:${scripted.host}/notes`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expectLive(page);
    const header = page.locator("main > header");
    await tellState(page);
    await expect(header).toContainText("complete until");
    let release: (() => void) | undefined;
    scripted.answer = ({ url }, response) => {
      if (!url.includes("poll=1")) return false;
      release = () => response.writeHead(200, { "Content-Type": "application/x-ndjson" }).end();
      return true;
    };
    // A tab that has just polled doesn't poll again at once, so try until it does.
    await expect(async () => {
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await expect(header).toContainText("Checking", { timeout: 1_000 });
    }).toPass();
    const slow = header.getByText(/Checking for \d+ s: no full answer yet from /);
    await expect(slow).toContainText(scripted.host);
    scripted.answer = () => false;
    release?.();
    await expect(header).not.toContainText("Checking");
  });
  await test.step("an unreachable server is shown with its next attempt, and tried at once when asked", async () => {
    watch.tolerate(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET/);
    const other = await startOther();
    await page.goto(`${server.url}#/http:${other.host}/open-topic`);
    await page.getByRole("button", { name: "Subscribe" }).click();
    await expectLive(page);
    await other.stop();
    await chooseInMenu(page, "Connection");
    await expect(detail(page, "State")).toContainText(/Next try in \d+ s/);
    await expect(detail(page, "Reason")).toContainText(/can't be reached|ended/);
    await other.start();
    await expect(async () => {
      const again = detail(page, "State").getByRole("button", { name: "Try now" });
      if (await again.isVisible()) await again.click({ timeout: 1_000 });
      await expect(detail(page, "State")).toContainText("Live", { timeout: 2_000 });
    }).toPass();
  });
});

test("if topics have no room in a stream, the details say how many are fetched in turn, and blame no proxy", async ({
  server,
  page,
  startOther,
  watch,
}) => {
  watch.tolerate(/status of 429/);
  const other = await startOther({ limits: { ...LIMITS, streams: 2 } });
  const topics = Array.from({ length: 200 }, (_, at) => `${"long-name-of-a-topic-".repeat(2)}${at}`);
  await page.goto(`${server.url}#/http:${other.host}/${topics.join(",")}`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(page.getByText("No messages yet")).toBeVisible();
  await page.goto(`${server.url}#/http:${other.host}/${topics[0] ?? ""}`);
  await chooseInMenu(page, "Connection");
  await expect(detail(page, "Receiving by")).toContainText(/Fetched in turn, each about every [^:]+: \d+\./);
  await expect(page.getByRole("dialog")).not.toContainText("proxy");
});
