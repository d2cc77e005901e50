import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { decodeKeepFiles, type KeptFileState, type MessageKey, safeType } from "../../src/contract";
import type { MessageEvent, ServerAddress } from "../../src/protocol";
import { isDue } from "../../src/hub/commands/keep-files";
import { FakeFileCache } from "./fake-file-cache";
import { FakeServer, pollAnswer, type SeenRequest } from "./fake-server";
import { World, type Tab } from "./world";

const MINUTE_MS = 60_000;
const MB = 1_000_000;

let world: World;
let files: FakeFileCache;
/** What the server answers for its files, by the end of their path. */
let answers: Record<string, () => Response | "network-error" | "hang">;

beforeEach(async () => {
  files = new FakeFileCache();
  vi.stubGlobal("caches", files);
  answers = {};
  world = await World.make();
  world.server.intercept = ({ url }: SeenRequest) => {
    const name = /\/(?:file|elsewhere)\/([^/?]+)$/.exec(url.pathname)?.[1];
    return name === undefined ? undefined : (answers[name]?.() ?? new Response("", { status: 404 }));
  };
});

afterEach(() => vi.unstubAllGlobals());

const text =
  (body: BodyInit, type = "image/png") =>
  () =>
    new Response(body, { headers: { "Content-Type": type } });

/** A tab that keeps files of up to 1 MB each. */
async function keeping(setting: object = { eachMb: 1, allMb: 10 }): Promise<{ tab: Tab; subId: number }> {
  const { tab, subIds } = await world.subscribed(["a"]);
  await tab.send("setSetting", { key: "keepFiles", value: setting });
  return { tab, subId: subIds[0] ?? 0 };
}

function publish(name: string, part: Partial<MessageEvent["attachment"]> & object = {}): MessageEvent {
  const url = `${world.server.address}/file/${name}`;
  const expires = world.server.nowS + 10_800;
  return world.server.publish("a", "", { attachment: { name, url, type: "image/png", size: 3, expires, ...part } });
}

const keyOf = (subId: number, { time, id }: MessageEvent): MessageKey => [subId, time, id];

async function stateOf(tab: Tab, key: MessageKey): Promise<KeptFileState | null> {
  const answer = await tab.send("keptFile", { key });
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}

describe("files of messages", () => {
  test("are kept before they expire, once, and tabs are told", async () => {
    answers["one.png"] = text("abc");
    const { tab, subId } = await keeping();
    const event = publish("one.png");
    await world.time.advance(MINUTE_MS);
    expect(files.texts).toEqual(["abc"]);
    expect(await stateOf(tab, keyOf(subId, event))).toMatchObject({ kind: "kept", bytes: 3 });
    expect(tab.events).toContainEqual({ kind: "files", keys: [keyOf(subId, event)] });
    await world.time.advance(60 * MINUTE_MS);
    expect(world.server.requestsTo("one.png")).toHaveLength(1);
    expect(world.server.requestsTo("one.png")[0]).toMatchObject({ redirect: "error", authorization: undefined });
  });

  test("are kept whatever odd ids another server gives its messages, which count as malformed", async () => {
    answers["one.png"] = text("abc");
    const { tab } = await keeping();
    const attachment = { name: "x", url: `${world.server.address}/file/one.png`, size: 3 };
    for (const id of ["\ud800", "\udfff", "x".repeat(10_000)]) world.server.publish("a", "odd", { id, attachment });
    publish("one.png");
    await world.time.advance(MINUTE_MS);
    expect(files.texts).toEqual(["abc"]);
    expect(await world.feed()).toEqual([""]);
    expect(tab.newestStatus?.malformed).toBeGreaterThanOrEqual(3);
  });

  test("are kept of the whole history of a topic that is added later", async () => {
    answers["one.png"] = text("one");
    answers["old.png"] = text("old");
    const { tab } = await keeping();
    publish("one.png");
    await world.time.advance(MINUTE_MS);
    const time = world.server.nowS - 3 * 86_400;
    const attachment = { name: "old.png", url: `${world.server.address}/file/old.png`, size: 3 };
    const old = world.server.publish("b", "", { attachment, time, expires: world.server.nowS + 10_800 });
    const { intercept } = world.server;
    world.server.intercept = (request) => {
      const { pathname, searchParams } = request.url;
      if (pathname !== "/b/json" || searchParams.get("since") !== "all") return intercept?.(request);
      const answer = pollAnswer(`${JSON.stringify(old)}\n`);
      return new Promise((resolve) => void world.time.setTimer(() => resolve(answer), 20_000));
    };
    await tab.send("subscribe", { address: world.server.address, topics: ["b"], history: "all" });
    await world.time.advance(5 * MINUTE_MS);
    expect(files.texts).toEqual(["one", "old"]);
  });

  test("are kept of a server that was away for days, while another one's came", async () => {
    answers["late.png"] = text("late");
    const elsewhere = "https://elsewhere.example.com" as ServerAddress;
    const other = new FakeServer(world.time);
    other.idPrefix = "ot";
    const made = world.environment.bind(world);
    world.environment = (options) => ({
      ...made(options),
      fetch: (url, init) =>
        url.startsWith(elsewhere)
          ? other.fetch(url.replace(elsewhere, other.address), init)
          : world.server.fetch(url, init),
    });
    world.server.retentionS = 5 * 86_400;
    const { tab } = await keeping();
    await tab.send("subscribe", { address: elsewhere, topics: ["b"], history: "all" });
    publish("first.png");
    await world.time.advance(MINUTE_MS);
    world.server.down = true;
    world.server.cut();
    world.time.set(12 * 60 * MINUTE_MS);
    publish("late.png", { expires: world.server.nowS + 5 * 86_400 });
    world.time.set(48 * 60 * MINUTE_MS);
    await world.time.advance(MINUTE_MS);
    const attachment = { name: "b.png", url: `${elsewhere}/file/b.png`, size: 3 };
    other.publish("b", "", { attachment });
    await world.time.advance(5 * MINUTE_MS);
    world.server.down = false;
    await world.time.advance(5 * MINUTE_MS);
    expect(files.texts).toEqual(["late"]);
  });

  test("go with their topic", async () => {
    answers["one.png"] = text("one");
    const { tab, subId } = await keeping();
    publish("one.png");
    await world.time.advance(MINUTE_MS);
    expect(files.texts).toEqual(["one"]);
    await tab.send("unsubscribe", { subId });
    await world.time.advance(10 * MINUTE_MS);
    expect(files.texts).toEqual([]);
  });

  test("are kept even if an old one can't be deleted", async () => {
    answers["one.png"] = text("one");
    await keeping();
    const old = (at: number) => `https://files.invalid/${at}/old`;
    for (const at of [7, 8]) files.files.set(old(at), { bytes: new Uint8Array(1), headers: new Headers() });
    files.onDelete = (name) => {
      if (name === old(7)) throw new DOMException("odd", "InvalidStateError");
    };
    publish("one.png");
    await world.time.advance(MINUTE_MS);
    expect(files.texts).toContain("one");
    expect([...files.files.keys()]).not.toContain(old(8));
    expect(world.problems.splice(0)).not.toEqual([]);
  });

  test("are not requested unless that is set, for all or for a topic", async () => {
    answers["one.png"] = text("abc");
    const { tab, subIds } = await world.subscribed(["a", "b"]);
    publish("one.png");
    await world.time.advance(5 * MINUTE_MS);
    expect(world.server.requestsTo("one.png")).toEqual([]);
    await tab.send("patchSubscription", { subId: subIds[0] ?? 0, patch: { keepFilesMb: 1 } });
    await world.time.advance(MINUTE_MS);
    expect(files.texts).toEqual(["abc"]);
  });

  test("a topic may be left out", async () => {
    const { tab, subId } = await keeping();
    await tab.send("patchSubscription", { subId, patch: { keepFilesMb: 0 } });
    publish("one.png");
    await world.time.advance(5 * MINUTE_MS);
    expect(world.server.requestsTo("one.png")).toEqual([]);
  });

  test("from elsewhere are asked for only where the topic may load them", async () => {
    answers["shot.png"] = text("abc");
    const { tab, subId } = await keeping();
    const at = (url: string) => world.server.publish("a", "", { attachment: { name: "x", url } });
    at("https://other.example/elsewhere/shot.png");
    at("https://user:secret@other.example/elsewhere/shot.png");
    at("https://other.example/elsewhere/shot.png?act=1");
    at("https://other.example/elsewhere/shot");
    await world.time.advance(2 * MINUTE_MS);
    expect(files.texts).toEqual([]);
    await tab.send("setSetting", { key: "allowedRemote", value: [subId] });
    await world.time.advance(2 * MINUTE_MS);
    expect(world.server.requests.filter(({ url }) => url.host === "other.example").map(({ url }) => url.href)).toEqual([
      "https://other.example/elsewhere/shot.png",
    ]);
    expect(files.texts).toEqual(["abc"]);
  });

  test("are read from the device once they are kept, as text", async () => {
    answers["log.txt"] = text(new Uint8Array([0xe4]), "text/plain; charset=iso-8859-1");
    const { tab, subId } = await keeping();
    const event = publish("log.txt", { type: "text/plain", size: 1 });
    await world.time.advance(MINUTE_MS);
    world.server.down = true;
    answers = {};
    expect(await tab.send("readAttachment", { key: keyOf(subId, event) })).toMatchObject({
      ok: true,
      value: { kind: "text", text: "ä" },
    });
  });

  test("credentials go only to the server's own files, and only where it asks for them", async () => {
    const credentials = { kind: "token", token: "tk_mine" } as const;
    world.server.users.push(credentials);
    world.server.readers.set("a", [credentials]);
    const { tab, subIds } = await world.subscribed(["a"], { credentials });
    const refused = () => new Response("", { status: 401 });
    answers["own.png"] = refused;
    answers["shot.png"] = refused;
    publish("own.png");
    world.server.publish("a", "", { attachment: { name: "x", url: "https://other.example/elsewhere/shot.png" } });
    await tab.send("setSetting", { key: "allowedRemote", value: subIds });
    await tab.send("setSetting", { key: "keepFiles", value: { eachMb: 1, allMb: 10 } });
    await world.time.advance(MINUTE_MS);
    expect(world.server.requestsTo("own.png").map(({ authorization }) => authorization)).toEqual([
      undefined,
      "Bearer tk_mine",
    ]);
    expect(world.server.requestsTo("shot.png").map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  test("go with their messages, and with their topic", async () => {
    answers["one.png"] = text("one");
    answers["two.png"] = text("two");
    const { tab, subId } = await keeping();
    const first = publish("one.png");
    publish("two.png");
    await world.time.advance(MINUTE_MS);
    expect(files.texts.sort()).toEqual(["one", "two"]);
    await tab.send("mark", { mark: { kind: "deleted", on: true }, keys: [keyOf(subId, first)] });
    await world.time.advance(5 * MINUTE_MS);
    expect(files.texts).toEqual(["two"]);
    await tab.send("unsubscribe", { subId });
    await world.time.advance(5 * MINUTE_MS);
    expect(files.texts).toEqual([]);
  });

  test("their size is shown by topic, and they can be deleted", async () => {
    answers["one.png"] = text("abc");
    answers["two.png"] = text("two");
    const { tab, subId } = await keeping();
    publish("one.png");
    publish("gone.png");
    await world.time.advance(MINUTE_MS);
    expect(await tab.send("fileUse", {})).toEqual({
      ok: true,
      value: [{ subId, files: 1, bytes: 3, notKept: { gone: 1 } }],
    });
    await tab.send("dropFiles", {});
    // What was deleted doesn't come back, though files are still kept.
    publish("two.png");
    await world.time.advance(3 * MINUTE_MS);
    expect(files.texts).toEqual(["two"]);
    expect(world.server.requestsTo("/one.png")).toHaveLength(1);
    expect(await tab.send("fileUse", {})).toMatchObject({
      value: [{ subId, files: 1, bytes: 3, notKept: { deleted: 1 } }],
    });
  });
});

describe("what isn't kept, and why", () => {
  const endless = (type: string) => (): Response => {
    const chunk = new Uint8Array(200_000);
    const body = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) });
    return new Response(body, { headers: { "Content-Type": type } });
  };

  test.each<[string, () => Response | "network-error" | "hang", object, object]>([
    ["a file that the server has deleted", () => new Response("", { status: 410 }), {}, { why: "gone" }],
    ["one that is said to be too large", text("abc"), { size: 2 * MB }, { why: "too-large", bytes: 2 * MB }],
    ["one that is larger than it is said to be", text("x".repeat(2 * MB)), {}, { why: "too-large" }],
    ["one that never ends", endless("image/png"), { size: undefined }, { why: "too-large" }],
    ["one that has expired", text("abc"), { expires: 1_000 }, { why: "gone" }],
    ["one for which the server wants a sign-in", () => new Response("", { status: 403 }), {}, { why: "refused" }],
    ["a page in place of a picture", text("<html>", "text/html"), {}, { why: "failed" }],
    ["one that redirects, or does not answer", () => "network-error", {}, { why: "failed" }],
    ["one whose server is at fault", () => new Response("", { status: 500 }), {}, { why: "failed" }],
  ])("%s", async (_, answer, part, expected) => {
    answers["one.png"] = answer;
    const { tab, subId } = await keeping();
    const event = publish("one.png", part);
    await world.time.advance(MINUTE_MS);
    expect(files.texts).toEqual([]);
    expect(await stateOf(tab, keyOf(subId, event))).toMatchObject({ kind: "not-kept", ...expected });
    expect(world.problems).toEqual([]);
  });

  test("one that stalls is given up", async () => {
    answers["one.png"] = () => new Response(new ReadableStream({ start: (c) => c.enqueue(new Uint8Array(3)) }));
    const { tab, subId } = await keeping();
    const event = publish("one.png", { size: 9 });
    await world.time.advance(2 * MINUTE_MS);
    expect(files.texts).toEqual([]);
    expect(await stateOf(tab, keyOf(subId, event))).toMatchObject({ kind: "not-kept", why: "failed" });
  });

  test("a failure is retried a few times, at growing intervals", async () => {
    answers["one.png"] = () => "network-error";
    await keeping();
    publish("one.png", { expires: world.server.nowS + 30 * 86_400 });
    for (let hours = 0; hours < 9; hours++) await world.time.advance(60 * MINUTE_MS);
    expect(world.server.requestsTo("one.png")).toHaveLength(5);
  });

  test("a server that takes no more requests is left alone for a while", async () => {
    for (const name of ["1.png", "2.png", "3.png", "4.png"]) {
      answers[name] = () => new Response("", { status: 429 });
      publish(name);
    }
    await keeping();
    await world.time.advance(2 * MINUTE_MS);
    expect(world.server.requests.filter(({ url }) => url.pathname.includes("/file/")).length).toBeLessThanOrEqual(2);
  });

  test("a server that took no more requests is asked again, though the clock was set back by a year since", async () => {
    publish("one.png");
    let status = 429;
    answers["one.png"] = () => new Response("abc", { status, headers: { "Content-Type": "image/png" } });
    await keeping();
    await world.time.advance(2 * MINUTE_MS);
    status = 200;
    const year = 365 * 86_400_000;
    world.server.skewS += year / 1_000;
    world.time.set(-year);
    await world.time.advance(60 * MINUTE_MS);
    expect(files.texts).toEqual(["abc"]);
  });

  test("all files together stay below the limit, and kept ones stay", async () => {
    answers["one.png"] = text("x".repeat(700_000));
    answers["two.png"] = text("y".repeat(700_000));
    const { tab, subId } = await keeping({ eachMb: 1, allMb: 1 });
    const first = publish("one.png", { size: 700_000 });
    await world.time.advance(MINUTE_MS);
    const second = publish("two.png", { size: 5 });
    await world.time.advance(MINUTE_MS);
    expect(files.files.size).toBe(1);
    expect(await stateOf(tab, keyOf(subId, first))).toMatchObject({ kind: "kept" });
    expect(await stateOf(tab, keyOf(subId, second))).toMatchObject({ kind: "not-kept", why: "no-room" });
    await tab.send("setSetting", { key: "keepFiles", value: { eachMb: 1, allMb: 2 } });
    await world.time.advance(11 * MINUTE_MS);
    expect(files.files.size).toBe(2);
  });

  test("a full disk ends the round, and loses nothing", async () => {
    files.quota = 4;
    answers["one.png"] = text("abc");
    answers["two.png"] = text("def");
    answers["three.png"] = text("ghi");
    const { tab, subId } = await keeping();
    const first = publish("one.png");
    await world.time.advance(MINUTE_MS);
    const second = publish("two.png");
    await world.time.advance(MINUTE_MS);
    expect(await stateOf(tab, keyOf(subId, first))).toMatchObject({ kind: "kept" });
    expect(await stateOf(tab, keyOf(subId, second))).toMatchObject({ kind: "not-kept", why: "disk-full" });
    expect(await world.feed()).toHaveLength(2);
    files.quota = Infinity;
    await world.time.advance(11 * MINUTE_MS);
    expect(files.texts).toEqual(["abc", "def"]);
  });

  test("none while the user saves data", async () => {
    answers["one.png"] = text("abc");
    let saves = true;
    const { tab } = await world.subscribed(["a"], {}, { savesData: () => saves });
    await tab.send("setSetting", { key: "keepFiles", value: { eachMb: 1, allMb: 10 } });
    publish("one.png");
    await world.time.advance(5 * MINUTE_MS);
    expect(world.server.requestsTo("one.png")).toEqual([]);
    saves = false;
    await world.time.advance(2 * MINUTE_MS);
    expect(files.texts).toEqual(["abc"]);
  });
});

test("only a type that is safe to show is kept, without its parameters", async () => {
  expect(safeType("image/png")).toBe("image/png");
  expect(safeType("video/mp4; codecs=x")).toBe("video/mp4");
  const unsafe = ["text/html", "image/svg+xml", "", "image/png\ntext/html", "IMAGE/SVG+XML", "image/x+xml"];
  for (const type of [...unsafe, "image/png, text/html"]) expect(safeType(type)).toBe("application/octet-stream");
  // Of a list, what reads the response takes the last type.
  const kept = new Response("", { headers: { "Content-Type": safeType("image/png;x, text/html") } });
  expect((await kept.blob()).type).toBe("image/png");
});

test("a message dated in the future hides no file of the others", async () => {
  answers["old.png"] = text("abc");
  await keeping();
  const url = `${world.server.address}/file/far.png`;
  const far = world.server.nowS + 30 * 86_400;
  world.server.publish("a", "", { time: far, attachment: { name: "far.png", url, type: "image/png", size: 3 } });
  await world.time.advance(2 * MINUTE_MS);
  publish("old.png");
  await world.time.advance(2 * MINUTE_MS);
  expect(files.texts).toEqual(["abc"]);
});

test("any number of messages dated in the future hide no file of the others", async () => {
  answers["now.png"] = text("abc");
  await keeping();
  const url = `${world.server.address}/file/far.png`;
  const attachment = { name: "far.png", url, type: "image/png", size: 3, expires: 1 };
  const far = world.server.nowS + 30 * 86_400;
  for (let at = 0; at < 510; at++) world.server.publish("a", "", { time: far + at, attachment });
  await world.time.advance(2 * MINUTE_MS);
  publish("now.png");
  await world.time.advance(2 * MINUTE_MS);
  expect(files.texts).toEqual(["abc"]);
});

test("what a round didn't reach is fetched by a later one, however old its message is", async () => {
  let isBusy = true;
  answers["new.png"] = () => (isBusy ? new Response("", { status: 429 }) : text("new")());
  for (const name of ["old.png", "older.png"]) answers[name] = text(name);
  const expires = world.server.nowS + 30 * 86_400;
  for (const [name, days] of [
    ["older.png", 5],
    ["old.png", 3],
    ["new.png", 0],
  ] as const) {
    const url = `${world.server.address}/file/${name}`;
    const attachment = { name, url, type: "image/png", size: 9, expires };
    world.server.publish("a", "", { time: world.server.nowS - days * 86_400, attachment });
  }
  const { tab, subId } = await keeping();
  // The others wait.
  await world.time.advance(2 * MINUTE_MS);
  expect(files.texts).not.toContain("older.png");
  isBusy = false;
  await world.time.advance(20 * MINUTE_MS);
  expect(files.texts.sort()).toEqual(["new", "old.png", "older.png"]);
  expect(await tab.send("fileUse", {})).toMatchObject({ value: [{ subId, files: 3 }] });
});

test("files that are larger than they are said to be stay below the limit for all of them", async () => {
  answers["one.png"] = text("x".repeat(700_000));
  answers["two.png"] = text("y".repeat(700_000));
  await keeping({ eachMb: 1, allMb: 1 });
  publish("one.png", { size: 5 });
  publish("two.png", { size: 5 });
  await world.time.advance(MINUTE_MS);
  expect(files.texts.reduce((sum, { length }) => sum + length, 0)).toBe(700_000);
});

test("an impossible stored setting counts as off", () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const { eachMb, allMb } = decodeKeepFiles(value);
      expect(Number.isSafeInteger(eachMb) && eachMb >= 0 && Number.isSafeInteger(allMb) && allMb > 0).toBe(true);
    }),
  );
});

test("files over the limit are requested again once the limit grows", () => {
  const state = { kind: "not-kept", why: "too-large", atMs: 0, tries: 1, bytes: 5 } as const;
  expect(isDue(state, { limit: 5, leftBytes: 9, nowMs: 1 })).toBe(false);
  expect(isDue(state, { limit: 6, leftBytes: 9, nowMs: 1 })).toBe(true);
});
