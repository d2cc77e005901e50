import { Bans, cutReplay, sentAgain, Traffic, TRAFFIC_SPENT, TRUNCATED } from "../newer-server";
import { LIMITS, type TestServer } from "./fixtures";
import { expectLive, message, storedMessages, tellState } from "./on-screen";
import { expect, forwardTo, json, lines, messageEvent, test, type ScriptedServer } from "./scripted-server";

type Line = { topic: string; message?: string };

/** Puts a proxy before a server that changes what its polls answer; undefined = they are refused, as traffic is used up. */
function changePolls(
  proxy: ScriptedServer,
  server: TestServer,
  change: (polled: Line[]) => string | undefined,
  headers: Record<string, string> = {},
): void {
  const forward = forwardTo(server.host);
  proxy.answer = (asked, response) => {
    if (!/\/json\?.*poll=1/.test(asked.url)) return forward(asked, response);
    void fetch(`http://${server.host}${asked.url}`)
      .then((answer) => answer.text())
      .then((text) => {
        const polled = change(text.split("\n").flatMap((line) => (line ? [JSON.parse(line) as Line] : [])));
        if (polled === undefined) return json(response, 429, TRAFFIC_SPENT);
        response.writeHead(200, { "Content-Type": "application/x-ndjson; charset=utf-8", ...headers }).end(polled);
      });
    return true;
  };
}

test("what was missed comes over a stream once the server refuses polls, as the day's traffic is used up", async ({
  server,
  page,
  scripted,
  startOther,
  watch,
}) => {
  watch.tolerate(/status of 429/);
  const other = await startOther();
  const traffic = new Traffic(1_000, 0, Date.now());
  changePolls(scripted, other, (polled) =>
    traffic
      .metered(
        polled.map((line) => lines(line)),
        Date.now(),
      )
      ?.join(""),
  );
  await page.goto(`${server.url}#/http:${scripted.host}/a`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expectLive(page);
  await page.goto("about:blank");
  for (let at = 0; at < 20; at++) await other.publish("a", `missed ${at}, ${"x".repeat(100)}`);
  await page.goto(`${server.url}#/http:${scripted.host}/a`);
  await expect(message(page, "missed 19,")).toBeVisible();
  await expect.poll(() => storedMessages(page)).toEqual({ rows: 20, ids: 20 });
});

test("a replay that is cut short leaves a gap that says so", async ({ server, page, scripted, startOther }) => {
  const other = await startOther();
  const headers = {};
  changePolls(scripted, other, (polled) => lines(...cutReplay(polled, 2_000)), headers);
  await page.goto(`${server.url}#/http:${scripted.host}/a`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expectLive(page);
  await other.publish("a", "before");
  await expect(message(page, "before")).toBeVisible();
  await tellState(page);
  await expect(page.locator("main > header")).toContainText("complete until");
  await page.goto("about:blank");
  Object.assign(headers, TRUNCATED, { "Access-Control-Expose-Headers": "*" });
  for (let at = 0; at < 20; at++) await other.publish("a", `missed ${at}, ${"x".repeat(100)}`);
  await page.goto(`${server.url}#/http:${scripted.host}/a`);
  await expect(message(page, "missed 19,")).toBeVisible();
  await expect(page.getByText("More than the server sends at once")).toBeVisible();
});

test("of more new topics than a server admits, those that fit are live and the others say that they wait", async ({
  server,
  page,
  startOther,
  watch,
}) => {
  watch.tolerate(/status of 429/);
  const other = await startOther({ limits: { ...LIMITS, newTopics: 2 } });
  await page.goto(`${server.url}#/http:${other.host}/a,b,c,d`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect.poll(() => other.running.streams().flatMap(({ topics }) => topics)).toHaveLength(2);
  await page.goto(`${server.url}#/http:${other.host}/d`);
  await expect(page.getByText("Waiting for the server to admit new topics").first()).toBeVisible();
});

test("a server that refuses everything is not given reason to ban the address", async ({
  server,
  page,
  scripted,
  watch,
}) => {
  watch.tolerate(/status of 4\d\d/);
  await page.goto(`${server.url}#/http:${scripted.host}/a`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expectLive(page);
  const bans = new Bans();
  const codes = [42901, 42909, 40301, 41399];
  scripted.answer = ({ url }, response) => {
    if (url.startsWith("/v1/")) return false;
    const code = codes[bans.all % codes.length] ?? 0;
    bans.note(Date.now(), code);
    json(response, Math.floor(code / 100), { code, http: Math.floor(code / 100), error: "refused" });
    return true;
  };
  scripted.endStreams();
  for (let round = 1; round <= 6; round++) {
    await expect.poll(() => bans.all).toBeGreaterThanOrEqual(round);
    await page.reload();
  }
  // A worker that starts anew counts on.
  for (let round = 0; round < 2; round++) {
    await expect(page.getByText(/Refused|Waiting|limiting requests/).first()).toBeVisible();
    await page.reload();
  }
  expect(bans.worst).toBeLessThan(50);
});

test("a poll that lags behind takes nothing away, and what a stream sends again is shown once", async ({
  server,
  page,
  scripted,
}) => {
  const old = messageEvent("a", "old");
  scripted.polled = lines(old);
  await page.goto(`${server.url}#/http:${scripted.host}/a`);
  await page.getByRole("button", { name: "Subscribe" }).click();
  await expect(message(page, "old")).toBeVisible();
  await expectLive(page);
  const first = { id: "first0000000", time: Number(old["time"]), topic: "a", event: "message", message: "at 10 %" };
  const second = { ...first, id: "second000000", sequence_id: first.id, message: "at 20 %" };
  scripted.send(first, second);
  await expect(message(page, "at 20 %")).toBeVisible();
  await page.reload();
  await expectLive(page);
  await expect(message(page, "at 20 %")).toBeVisible();
  scripted.send(...sentAgain([first, second]), messageEvent("a", "last"));
  await expect(message(page, "last")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(3);
});
