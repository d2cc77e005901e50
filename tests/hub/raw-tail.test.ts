import { describe, expect, test } from "vitest";
import type { Commands, TailLine } from "../../src/contract";
import type { Credentials } from "../../src/protocol";
import { RawTail } from "../../src/hub/commands/raw-tail";
import { Requests } from "../../src/hub/requests/requests";
import { errorAnswer } from "./fake-server";
import { World } from "./world";

type Told = Extract<Commands["tail"]["output"], { ok: true }>["value"];

const ADA: Credentials = { kind: "basic", user: "ada", password: "s3cret" };

async function tailed(input: Partial<Commands["tail"]["input"]> = {}, world?: World) {
  const here = world ?? (await World.make());
  const tab = here.openTab(here.startHub());
  const asked = { tailId: "t", address: here.server.address, topic: "a", ...input };
  const next = async (): Promise<Told> => {
    const answer = await tab.send("tail", asked);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.value;
  };
  /** Reads on until the tail is in this state. */
  const until = async (kind: Told["state"]["kind"]): Promise<Told> => {
    for (;;) {
      const told = await next();
      if (told.state.kind === kind) return told;
    }
  };
  return { world: here, tab, asked, next, until };
}

const texts = (lines: TailLine[]): string[] => lines.map(({ text }) => text);

describe("the raw tail of a topic", () => {
  test("tells each line as it comes, and stores nothing", async () => {
    const { world, until, next } = await tailed();
    world.server.publish("a", "before");
    expect(texts((await until("open")).lines)).toEqual([]);
    world.server.publish("a", "one");
    world.server.publish("a", "two\nlines");
    world.server.publish("b", "another topic's");
    await world.time.settle();
    const told = await next();
    expect(texts(told.lines)).toEqual(["one", "two lines"]);
    expect(told.lines[0]?.atMs).toBe(world.time.now());
    expect(await world.rows("feed", "scheduled")).toEqual([]);
    expect(world.server.requests.map(({ url }) => url.pathname)).toEqual(["/a/raw"]);
  });

  test("answers after a while though nothing came, and when a keepalive comes", async () => {
    const { world, until, next } = await tailed();
    await until("open");
    const startMs = world.time.now();
    expect((await next()).lines).toEqual([]);
    expect(world.time.now() - startMs).toBeLessThanOrEqual(21_000);
    await world.time.advance(26_000);
    const { state } = await next();
    expect(state).toMatchObject({ kind: "open" });
    expect(state.kind === "open" && state.heardAtMs).toBeGreaterThan(startMs);
  });

  test("answers a page that asks again before it was answered, as one back from the history does", async () => {
    const { world, until, next } = await tailed();
    await until("open");
    const first = next();
    const second = next();
    expect(texts((await first).lines)).toEqual([]);
    world.server.publish("a", "one");
    expect(texts((await second).lines)).toEqual(["one"]);
    await world.time.advance(60_000);
    expect(world.server.streams.size, "nobody asks any more").toBe(0);
  });

  test("reconnects by itself after a cut and after a silence, and says so in between", async () => {
    const { world, until, next } = await tailed();
    await until("open");
    world.server.cut();
    expect(await until("waiting")).toMatchObject({ state: { why: { kind: "ended" } } });
    await until("open");
    world.server.publish("a", "after the cut");
    expect(texts((await next()).lines)).toEqual(["after the cut"]);
    world.server.freeze();
    expect(await until("waiting")).toMatchObject({ state: { why: { kind: "silent" } } });
    await until("open");
  });

  test("stops at a refusal, and sends the account's credentials only to their own server", async () => {
    const world = await World.make();
    world.server.users.push(ADA);
    world.server.readers.set("a", [ADA]);
    const refused = await tailed({}, world);
    expect(await refused.until("stopped")).toMatchObject({ state: { why: { kind: "forbidden" } } });
    await world.subscribed(["a"], { credentials: ADA });
    const accounts = await world.store.accounts();
    const accountId = accounts.ok ? (accounts.value[0]?.accountId ?? 0) : 0;
    const { until } = await tailed({ accountId }, world);
    await until("open");
    const elsewhere = await refused.tab.send("tail", {
      ...refused.asked,
      tailId: "e",
      address: "https://elsewhere.example" as never,
      accountId,
    });
    expect(elsewhere).toEqual({ ok: false, error: { kind: "not-found" } });
  });

  test("keeps the newest lines for a slow page, and counts the rest", async () => {
    const { world, until, next } = await tailed();
    await until("open");
    for (let at = 0; at < 2_100; at++) world.server.publish("a", `m${String(at)}`);
    await world.time.settle();
    const told = await next();
    expect(told.lines).toHaveLength(2_000);
    expect(told.left).toBe(100);
    expect(told.lines.at(-1)?.text).toBe("m2099");
  });

  test("an ended tail does not end the next one of the same name later", async () => {
    const { world, tab, asked, next, until } = await tailed();
    await until("open");
    await next();
    const waiting = next();
    await tab.send("endTail", { tailId: asked.tailId });
    await waiting;
    await until("open");
    const startMs = world.time.now();
    while (world.time.now() - startMs < 60_000) await next();
    expect(world.server.requests).toHaveLength(2);
    expect(world.server.streams.size).toBe(1);
  });

  test("a tail that ends several times says so once", async () => {
    const world = await World.make();
    let ends = 0;
    const requests = new Requests(world.environment(), world.server.address);
    const tail = new RawTail(world.environment(), requests, { topic: "a", keepaliveMs: 45_000 }, () => (ends += 1));
    await tail.next();
    await world.time.advance(60_000);
    tail.stop();
    expect(ends).toBe(1);
  });

  test("ends when the page ends it or stops asking, and only a few run at a time", async () => {
    const { world, tab, asked, until } = await tailed();
    await until("open");
    await tab.send("tail", { ...asked, tailId: "u" });
    expect(await tab.send("tail", { ...asked, tailId: "v" })).toMatchObject({ ok: false, error: { kind: "failed" } });
    await tab.send("endTail", { tailId: "u" });
    await world.time.settle();
    expect(world.server.streams.size).toBe(1);
    await world.time.advance(60_000);
    expect(world.server.streams.size).toBe(0);
    expect(await tab.send("tail", { ...asked, tailId: "v" })).toMatchObject({ ok: true });
  });

  test("refuses invalid addresses and topics, and waits if the server is busy", async () => {
    const { world, tab, asked, until } = await tailed({ topic: "busy" });
    world.server.intercept = () => errorAnswer(429, 42901);
    await world.time.settle();
    expect(await tab.send("tail", { ...asked, tailId: "x", topic: "no topic" })).toMatchObject({ ok: false });
    world.server.cut();
    expect(await until("waiting")).toMatchObject({ state: { kind: "waiting" } });
  });
});
