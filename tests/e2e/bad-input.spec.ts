import type { Page } from "@playwright/test";
import {
  chooseInMenu,
  detail,
  expectLive,
  expectPolled,
  expectStored,
  message,
  nextTryS,
  notice,
  offlineStrip,
  storedMessages,
} from "./on-screen";
import { expect, json, lines, messageEvent, nowS, subscribe, test, type ScriptedServer } from "./scripted-server";

/** Subscribes to topics of the scripted server, and waits until their stream is open. */
async function subscribeTo(page: Page, appUrl: string, scripted: ScriptedServer, topics = "notes"): Promise<void> {
  await page.goto(`${appUrl}#/http:${scripted.host}/${topics}`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect.poll(() => scripted.streams).toBe(1);
  await expectLive(page);
}

/** Expects this value after this label in the details of the connection. */
async function expectSaid(page: Page, words: string, value: string | RegExp): Promise<void> {
  await chooseInMenu(page, "Connection");
  await expect(detail(page, words)).toHaveText(value);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
}

const HTML = "<!doctype html><title>Sign in</title><h1>Welcome to the guest network</h1>";

test("malformed lines are skipped and counted, the stream goes on, and other messages arrive once", async ({
  server,
  page,
  scripted,
}) => {
  // A topic that is named twice is subscribed to once; else each of its messages would come twice.
  scripted.contentType = "Application/X-NDJSON ;charset=iso-8859-1";
  await subscribeTo(page, server.url, scripted, "notes,notes");
  const good = (text: string) => messageEvent("notes", text);
  const wrong = (fields: object) => messageEvent("notes", "wrong", fields);
  const malformed = [
    "this is no JSON",
    '{"event":"message"',
    HTML,
    "[]",
    "null",
    "42",
    '"message"',
    {},
    { event: 7 },
    wrong({ id: 12 }),
    wrong({ id: "" }),
    wrong({ time: "yesterday" }),
    wrong({ time: -1 }),
    wrong({ time: 1.5 }),
    wrong({ time: 1e300 }),
    wrong({ message: { text: "x" } }),
    wrong({ title: ["x"] }),
    wrong({ tags: "warning" }),
    wrong({ tags: [1] }),
    wrong({ priority: 9 }),
    wrong({ priority: "high" }),
    wrong({ actions: {} }),
    wrong({ actions: [null] }),
    wrong({ attachment: "https://example.org/a.png" }),
    wrong({ attachment: { name: "x" } }),
    wrong({ expires: "never" }),
    wrong({ click: 1 }),
    wrong({ topic: 1 }),
    wrong({ message: null }),
    messageEvent("another-topic", "for somebody else"),
    wrong({ message: "x".repeat(1_100_000) }),
    wrong({ message: "x".repeat(3_000_000) }),
    `{"event":"message","deep":${"[".repeat(200)}${"]".repeat(200)}}`,
  ];
  // An event of a newer server, an empty line and a line of spaces are no errors, so the app doesn't mention them.
  const passedOver = [{ id: "x", time: nowS(), event: "weather", topic: "notes" }, "", "   ".trim()];
  for (const [at, bad] of malformed.entries()) scripted.send(bad, good(`good ${at}.`));
  scripted.send(...passedOver, good("the last one"));

  await expect(message(page, "the last one")).toBeVisible();
  await expectStored(page, malformed.length + 1);
  await expect.poll(() => storedMessages(page)).toEqual({ rows: malformed.length + 1, ids: malformed.length + 1 });
  await expectSaid(page, "Malformed lines skipped", String(malformed.length));

  await test.step("invalid UTF-8, split characters and split lines are handled, even under a proxy's content type", async () => {
    const whole = Buffer.from(`${JSON.stringify(messageEvent("notes", "Grüße 🎉 cut"))}\n`);
    for (const byte of whole) scripted.write(Buffer.of(byte));
    await expect(message(page, "Grüße 🎉 cut")).toHaveCount(1);

    scripted.write(Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x0a]));
    const broken = Buffer.from(`${JSON.stringify(messageEvent("notes", "half a character: 🎉"))}\n`);
    const at = broken.indexOf(0xf0);
    scripted.write(Buffer.concat([broken.subarray(0, at + 2), broken.subarray(at + 4)]));
    await expect(message(page, "half a character: �")).toHaveCount(1);
    scripted.write("\r\n\r\n");
    scripted.write(`${JSON.stringify(messageEvent("notes", "with a carriage return"))}\r\n`);
    await expect(message(page, "with a carriage return")).toHaveCount(1);
    await expectSaid(page, "Malformed lines skipped", String(malformed.length + 1));
  });
  expect(scripted.asked(/^\/notes\/json$/), "one stream, never broken off").toBe(1);
  await expectLive(page);
});

test("messages that come twice, swapped, from 1970 or from the far future are shown once, in order of time", async ({
  server,
  page,
  scripted,
}) => {
  const at = (text: string, time: number) => messageEvent("notes", text, { time });
  const [first, second] = [at("first", nowS() - 20), at("second", nowS() - 10)];
  const old = at("from 1970", 0);
  const future = at("from the future", nowS() + 20 * 365 * 86_400);
  const elsewhere = messageEvent("other", "of another topic, by the same id", { id: first["id"], time: nowS() - 5 });
  const huge = at("beyond all dates", Number.MAX_SAFE_INTEGER);
  scripted.polled = lines(first);
  await subscribeTo(page, server.url, scripted, "notes,other");
  await expect(message(page, "first")).toHaveCount(1);
  scripted.send(second, first, old, second, future, elsewhere, huge, future, old, elsewhere);
  scripted.polled = lines(old, second, first);
  await expectStored(page, 5);
  await expect(page.getByRole("article")).toHaveText([
    /from the future/,
    /of another topic, by the same id/,
    /second/,
    /first/,
    /from 1970/,
  ]);
  await page.goto(`${server.url}#/http:${scripted.host}/notes`);
  await chooseInMenu(page, "Fetch again");
  await expect(notice(page)).toContainText("Nothing is missing");
  scripted.send(at("now", nowS()));
  await expect(message(page, "now")).toHaveCount(1);
  await expect(page.getByRole("feed").locator(".day").first(), "the day of what is from the future").toHaveText(
    / 20\d\d$/,
  );
  await expectSaid(page, "Malformed lines skipped", "1");
  await page.reload();
  await expect(page.getByRole("article")).toHaveCount(5);
  await expect.poll(() => storedMessages(page)).toEqual({ rows: 6, ids: 5 });

  await test.step("a poll that breaks off or ends with an error object moves no cursor", async () => {
    await expectLive(page);
    const missed = messageEvent("notes", "missed", { time: nowS() - 5 });
    scripted.polled = `${lines(first)}${JSON.stringify(missed).slice(0, 40)}`;
    await chooseInMenu(page, "Fetch again");
    await expect(notice(page)).toContainText("The server closed the connection.");
    scripted.polled = lines(first, { code: 50_001, http: 500, error: "internal server error" });
    await expect.poll(() => scripted.streams).toBe(1);
    scripted.polled = lines(first, missed);
    await chooseInMenu(page, "Fetch again");
    await expect(message(page, "missed")).toHaveCount(1);
    await expect.poll(() => storedMessages(page)).toEqual({ rows: 7, ids: 6 });
  });
});

test("answers that are no stream are outages that pass", async ({ server, page, scripted, watch }) => {
  watch.tolerate(/Failed to load resource|ERR_/);
  await subscribeTo(page, server.url, scripted);
  for (const [status, says] of [
    [200, (server: string) => `Something else is answering in place of ${server}.`],
    [502, (server: string) => `${server} answered with an error (502).`],
  ] as const) {
    await test.step(`a page with status ${String(status)}`, async () => {
      scripted.answer = ({ url }, response) => {
        if (url.startsWith("/v1/")) return false;
        response.writeHead(status, { "Content-Type": "text/html" }).end(HTML);
        return true;
      };
      scripted.endStreams();
      await expect(page.getByRole("status").getByText(says(scripted.host))).toBeVisible();
      await expectSaid(page, "Reason", new RegExp(says("the server").replaceAll(/[().]/g, "\\$&"), "i"));
      scripted.answer = () => false;
      scripted.polled = lines(messageEvent("notes", `sent during ${String(status)}`));
      await expect(message(page, `sent during ${String(status)}`)).toHaveCount(1);
      await expectLive(page);
    });
  }
  await test.step("Try now ends the wait for a server that is back while its health check is not", async () => {
    let isBack = false;
    scripted.answer = ({ url }, response) => {
      if (isBack && url !== "/v1/health") return false;
      response.destroy();
      return true;
    };
    scripted.endStreams();

    // Each failure makes the next wait longer, until it is long enough to tell a press from patience.
    let waitS = 0;
    await expect.poll(async () => (waitS = (await nextTryS(page)) ?? 0), { timeout: 50_000 }).toBeGreaterThanOrEqual(6);
    const pressedAtMs = Date.now();
    isBack = true;
    await offlineStrip(page).getByRole("button", { name: "Try now" }).click();
    await expectLive(page);
    expect(Date.now() - pressedAtMs).toBeLessThan((waitS - 1) * 1000);
  });
  await test.step("a guest network's page in place of one of several servers is reported beside its topic", async () => {
    scripted.answer = () => false;
    await subscribe(page, server, "own");
    await page.goto(`${server.url}#/http:${scripted.host}/notes`);
    await expectLive(page);
    scripted.answer = (_, response) => {
      response.writeHead(200, { "Content-Type": "text/html" }).end(HTML);
      return true;
    };
    scripted.endStreams();
    const text = `Something else is answering in place of ${scripted.host}.`;
    await expect(page.getByRole("status").getByText(text)).toBeVisible();
  });
});

test("a server that has gone from its address, and one that refuses, are not tried again unasked", async ({
  server,
  page,
  scripted,
  watch,
}) => {
  watch.tolerate(/Failed to load resource/);
  await subscribeTo(page, server.url, scripted);
  await test.step("an address that is no longer a topic server", async () => {
    scripted.answer = ({ url }, response) => {
      if (!url.startsWith("/notes")) return false;
      json(response, 404, { code: 40_401, http: 404, error: "page not found" });
      return true;
    };
    scripted.endStreams();
    await expect(page.getByRole("main").locator("header p")).toContainText("No topic server");
    await expect(page.getByRole("main").getByText("There is no topic server at this address.")).toBeVisible();
    scripted.answer = () => false;
    await page.getByRole("main").getByRole("button", { name: "Try again" }).click();
    await expectLive(page);
  });
  await test.step("a refusal asks for a sign-in", async () => {
    scripted.answer = ({ url, headers }, response) => {
      if (!url.startsWith("/notes") || headers.authorization !== undefined) return false;
      json(response, 401, { code: 40_101, http: 401, error: "unauthorized" });
      return true;
    };
    scripted.endStreams();
    await expect(page.getByRole("main").getByText("Refused")).toBeVisible();
    const asked = scripted.asked(/^\/notes/);
    await page.getByRole("main").getByRole("button", { name: "Sign in" }).click();
    const dialog = page.getByRole("dialog", { name: `Sign in to ${scripted.host}` });
    await expect(dialog).toContainText("notes");
    expect(scripted.asked(/^\/notes/), "not once more").toBe(asked);
    await dialog.getByLabel("User name").fill("ada");
    await dialog.getByLabel("Password").fill("s3cret");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await expectLive(page);
    const last = scripted.requests.findLast(({ url }) => !url.startsWith("/v1/"));
    expect(last?.headers.authorization).toBe(`Basic ${btoa("ada:s3cret")}`);
  });
});

test("behind a proxy that holds JSON lines back, server-sent events are used and remembered", async ({
  server,
  page,
  scripted,
}) => {
  scripted.answer = ({ url }, response) => {
    if (!/\/json$/.test(url)) return false;
    // The proxy passes the headers on, but never anything after them.
    response.writeHead(200, { "Content-Type": "application/x-ndjson" }).flushHeaders();
    return true;
  };
  await page.goto(`${server.url}#/http:${scripted.host}/notes`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect.poll(() => scripted.streams).toBe(1);
  await expectLive(page);
  expect(scripted.asked(/^\/notes\/sse$/)).toBe(1);
  scripted.send("no JSON at all", messageEvent("notes", "by SSE"));
  await expect(message(page, "by SSE")).toHaveCount(1);
  scripted.write(': a comment\n\nevent: message\nid: 7\nretry: 1\ndata: {"broken":\n\n');
  scripted.write(`data: ${JSON.stringify(messageEvent("notes", "x".repeat(1_100_000)))}\n\n`);
  scripted.send(messageEvent("notes", "after that too"));
  await expect(message(page, "after that too")).toHaveCount(1);
  await expectSaid(page, "Malformed lines skipped", "3");

  const asked = scripted.asked(/\/json$/);
  await page.reload();
  await expect.poll(() => scripted.asked(/\/sse$/)).toBe(2);
  expect(scripted.asked(/\/json$/)).toBe(asked);
});

test("behind a proxy that holds all streams back, the app polls, and the details name the proxy and how to configure it", async ({
  server,
  page,
  scripted,
  watch,
}) => {
  watch.tolerate(/WebSocket connection to/);
  scripted.answer = ({ url }, response) => {
    if (!/\/(?:json|sse)$/.test(url)) return false;
    // The proxy passes the headers on, but never anything after them.
    const type = url.endsWith("sse") ? "text/event-stream" : "application/x-ndjson";
    response.writeHead(200, { "Content-Type": type }).flushHeaders();
    return true;
  };
  await page.goto(`${server.url}#/http:${scripted.host}/notes`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expectPolled(page);
  await chooseInMenu(page, "Connection");
  await page.getByText("A proxy in front of the server holds messages back").click();
  await expect(page.getByText("proxy_buffering off;")).toBeVisible();
});
