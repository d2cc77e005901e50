// docs/protocol.md §6 and 13.
import { describe, expect, it } from "vitest";
import { start } from "./test-server";

describe("publishing text", () => {
  it("answers with the message as subscribers get it", async () => {
    const server = await start();
    const stream = await server.open("/t/json");
    const answer = await server.ask("/t", { method: "POST", body: " hi \n" });
    expect(answer.headers).toMatchObject({ "content-type": "application/json", "access-control-allow-origin": "*" });
    const { nowS } = server.clock;
    const message = JSON.parse(answer.text) as object;
    expect(message).toEqual({
      ...{ id: expect.stringMatching(/^[A-Za-z0-9]{12}$/), time: nowS, expires: nowS + 43_200 },
      ...{ event: "message", topic: "t", message: "hi" },
    });
    await stream.until(({ lines }) => lines.length === 2);
    expect(stream.events[1]).toEqual(message);
    expect(await server.poll("t")).toEqual([message]);
  });

  it("takes every plain field from headers and query, under each name", async () => {
    const server = await start();
    const expected = {
      ...{ title: "T", priority: 4, tags: ["warning", "custom", "ok"], click: "geo:1,2" },
      ...{ icon: "https://example.com/i.png", content_type: "text/markdown", message: "body" },
    };
    const icon = "https://example.com/i.png";
    const long = { "X-Title": "T", "X-Priority": "high", "X-Tags": "warning, custom ,ok", "X-Click": "geo:1,2" };
    expect(await server.publish("t", "body", { ...long, "X-Icon": icon, "X-Markdown": "yes" })).toMatchObject(expected);
    const query = "?t=T&p=4&ta=warning,custom,,ok&click=geo:1,2&icon=https://example.com/i.png&md=1";
    expect(await server.publish(`t${query}`, "body")).toMatchObject(expected);
    const get = `/t/publish${query}&m=body`;
    expect(JSON.parse((await server.ask(get)).text)).toMatchObject(expected);
  });

  it.each(["publish", "send", "trigger"])("works by GET …/%s", async (word) => {
    const server = await start();
    expect(JSON.parse((await server.ask(`/t/${word}?m=line%5Cnbreak`)).text)).toMatchObject({ message: "line\nbreak" });
    expect(JSON.parse((await server.ask(`/t/${word}`)).text)).toMatchObject({ message: "triggered" });
    expect(await server.code(`/t,u/${word}`)).toBe(40401);
  });

  it("lets a body beat the parameter, and the parameter an empty body", async () => {
    const server = await start();
    expect((await server.publish("t?m=parameter", "body")).message).toBe("body");
    expect((await server.publish("t?m=parameter")).message).toBe("parameter");
    expect((await server.publish("t", "  ")).message).toBe("triggered");
  });

  it.each([
    [{ "Content-Type": "text/markdown" }, true],
    [{ "Content-Type": "TEXT/Markdown" }, true],
    [{ "Content-Type": "text/markdown; charset=utf-8" }, false],
    [{ "Content-Type": "no type at all" }, false],
    [{ Markdown: "no" }, false],
  ])("with %j is Markdown: %s", async (headers, isMarkdown) => {
    const server = await start();
    const { content_type } = await server.publish("t", "**b**", headers);
    expect(content_type).toBe(isMarkdown ? "text/markdown" : undefined);
  });

  it("keeps an explicit priority of 3, and sends uncached messages only live, without expiry", async () => {
    const server = await start();
    expect((await server.publish("t", "x", { Priority: "Default" })).priority).toBe(3);
    const fleeting = await server.publish("u", "x", { Cache: "whatever" });
    expect(fleeting).not.toHaveProperty("expires");
    expect(await server.poll("u")).toEqual([]);
  });

  it("survives with markup, quotes, emoji and control characters in every format", async () => {
    const server = await start();
    const text = '<b>&amp; "quoted" \\ back\u0007 \u202eevil 👩‍👩‍👧 \u2028 é';
    expect((await server.publish("t", text)).message).toBe(text);
    expect(await server.texts("t")).toEqual([text]);
    expect((await server.ask("/t/raw?poll=1")).text).toBe(`${text}\n`);
  });

  it.each([
    [{ Priority: "6" }, 40007],
    [{ Priority: "0" }, 40007],
    [{ Icon: "ftp://example.com/i.png" }, 40021],
    [{ Attach: "ftp://example.com/f" }, 40013],
    [{ Attach: "HTTPS://example.com/f" }, 40013],
    [{ Actions: "jump, Label, https://example.com" }, 40018],
    [{ Delay: "banana" }, 40004],
    [{ Delay: "9s" }, 40005],
    [{ Delay: "-1h" }, 40005],
    [{ Delay: "73h" }, 40006],
    [{ Delay: "1h", Cache: "no" }, 40002],
    [{ "X-Sequence-ID": "no blanks" }, 40049],
    [{ Attach: "https://example.com/f", Priority: "9", Delay: "banana" }, 40007],
  ])("refuses %j with %i, and publishes nothing", async (headers, code) => {
    const server = await start();
    expect(await server.code("/t", { method: "PUT", headers, body: "x" })).toBe(code);
    expect(await server.poll("t?scheduled=1")).toEqual([]);
  });

  it("refuses text that isn't UTF-8 if it can't be a file", async () => {
    const server = await start();
    const body = Buffer.from([0xff, 0xfe, 0x80]);
    const headers = { Attach: "https://example.com/f.jpg" };
    expect(await server.code("/t", { method: "PUT", headers, body })).toBe(40011);
  });
});

it("U+0000 is left out of every text, and bytes of a header that aren't UTF-8 become U+FFFD", async () => {
  const server = await start();
  const json = JSON.stringify({ topic: "t", message: "a\0b", title: "c\0d", tags: ["e\0f"] });
  const answer = await server.ask("/", { method: "POST", body: json });
  expect(JSON.parse(answer.text)).toMatchObject({ message: "ab", title: "cd", tags: ["ef"] });
  expect(await server.publish("t", "g\0h", { Title: "caf\u00e9" })).toMatchObject({
    message: "gh",
    title: "caf\ufffd",
  });
});

describe("delays", () => {
  it.each([
    ["Delay", "1h", 3_600],
    ["X-Delay", "1h30m", 5_400],
    ["At", "30 min", 1_800],
    ["X-At", "2d", 172_800],
    ["In", "3 hours", 10_800],
    ["X-In", "10s", 10],
    ["in", "tomorrow, 10am", 86_400],
    ["delay", "10:30am", 1_800],
    ["delay", "9am", 82_800],
    ["delay", "sunday", 86_400],
    ["delay", "tuesday", 259_200],
    ["delay", "sunday noon", 93_600],
    ["delay", "sunday 9am", 82_800],
  ])("%s: %s", async (name, text, seconds) => {
    const server = await start();
    const { time, expires } = await server.publish("t", "x", { [name]: text });
    expect(time - server.clock.nowS).toBe(seconds);
    expect(expires).toBe(time + 43_200);
  });

  it.each([
    ["2026-10-20 10:00", 40005],
    ["yesterday", 40005],
    ["yesterday at 5pm", 40005],
    ["10 minutes ago", 40005],
    ["2 days ago", 40005],
    ["last monday", 40005],
    ["Oct 20", 40005],
    ["20 october 10am", 40005],
    ["10/20", 40005],
    ["midnight tonight", 40004],
    ["now", 40005],
    ["today", 40005],
    ["tommorow evening", 40004],
    ["evening-ish", 40004],
    ["10am to 11am", 40004],
    ["soon, 10am", 40004],
  ])("that are past or only partly readable are refused: %s", async (text, code) => {
    const server = await start();
    expect(await server.code("/t", { method: "PUT", headers: { At: text }, body: "x" })).toBe(code);
  });

  it.each(["on monday", "at noon", "in 2 hours", "tonight", "5pm tomorrow", "next week", "in an hour"])(
    "may be written as people say them: %s",
    async (text) => {
      const server = await start({ limits: { delayMax: 30 * 86_400 } });
      const { time } = await server.publish("t", "x", { At: text });
      expect(time).toBeGreaterThan(server.clock.nowS);
    },
  );

  it("may be Unix seconds", async () => {
    const server = await start();
    const at = server.clock.nowS + 60;
    expect((await server.publish(`t?at=${at}`, "x")).time).toBe(at);
    expect(await server.code(`/t?at=${server.clock.nowS - 1}`, { method: "PUT", body: "x" })).toBe(40004);
  });
});

describe("publishing JSON", () => {
  const send = async (server: Awaited<ReturnType<typeof start>>, body: object | string, path = "/") => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await server.ask(path, { method: "POST", body: text });
    return JSON.parse(answer.text) as Record<string, unknown>;
  };

  it("accepts every field, ignores unknown ones, and wins over parameters", async () => {
    const server = await start();
    const message = {
      ...{ topic: "t", message: "m", title: "t", tags: ["x", "y"], priority: 4, click: "https://example.com" },
      ...{ markdown: true, icon: "https://example.com/i.png", delay: "1h", unknown: 1, email: null },
      actions: [{ action: "VIEW", label: "Open", url: "mailto:a@example.com", other: 1 }],
    };
    expect(await send(server, message, "/?title=lost&click=lost")).toEqual({
      ...{ id: expect.any(String), time: server.clock.nowS + 3_600, expires: server.clock.nowS + 46_800 },
      ...{ event: "message", topic: "t", title: "t", message: "m", priority: 4, tags: ["x", "y"] },
      ...{ click: "https://example.com", icon: "https://example.com/i.png", content_type: "text/markdown" },
      actions: [{ id: expect.any(String), action: "view", label: "Open", clear: false, url: "mailto:a@example.com" }],
    });
    expect(await send(server, { topic: "t", priority: 0 }, "/?title=kept")).toMatchObject({
      message: "triggered",
      title: "kept",
    });
    expect(await send(server, { topic: "t", cache: "no" })).not.toHaveProperty("expires");
  });

  it("accepts keys in any case, and uses the last of each name that is not null", async () => {
    const server = await start();
    const message = { Topic: "lost", TOPIC: "t", Message: "m", taGs: ["x"], PRIORITY: 4, Title: "t", title: null };
    expect(await send(server, message)).toMatchObject({
      ...{ topic: "t", message: "m", tags: ["x"], priority: 4, title: "t" },
    });
  });

  it.each([
    ["null", 40009],
    ['{"topic":"t"} trailing', 40024],
    ['{"topic":"t"', 40024],
    ['{"topic":"t","message":"x}', 40024],
    ["", 40024],
    ["}", 40024],
    ["not json", 40024],
    ["[]", 40024],
    ['{"topic":"t","priority":"high"}', 40024],
    ['{"topic":"t","tags":"a,b"}', 40024],
    ['{"topic":"t","actions":[{"action":1}]}', 40024],
    ['{"message":"no topic"}', 40009],
    ['{"topic":"bad topic"}', 40009],
    ['{"topic":"docs"}', 40010],
    ['{"topic":"t","priority":9}', 40007],
    [JSON.stringify({ topic: "t", message: "x".repeat(8_200) }), 41303],
  ])("refuses %s with %i", async (body, code) => {
    const server = await start();
    expect(await server.code("/", { method: "PUT", body })).toBe(code);
  });
});

describe("UnifiedPush", () => {
  it("keeps bytes as they are, as text where they are text, and cuts what is too long", async () => {
    const server = await start();
    const bytes = Buffer.from([0xff, 0x00, 0xfe]);
    expect(await server.publish("t?up=1", bytes)).toMatchObject({
      message: bytes.toString("base64"),
      encoding: "base64",
    });
    const text = await server.publish("t?up=1", " not trimmed ");
    expect(text.message).toBe(" not trimmed ");
    expect(text).not.toHaveProperty("encoding");
    expect((await server.publish("t", bytes, { "Content-Encoding": "aes128gcm" })).encoding).toBe("base64");
    const long = await server.publish("t", "x".repeat(5_000), { "X-UnifiedPush": "1" });
    expect(long.message).toHaveLength(4_096);
    expect(long).not.toHaveProperty("attachment");
  });
});
