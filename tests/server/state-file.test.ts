import { appendFile, copyFile, lstat, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { ServerOptions } from "../../src/server";
import { ManualClock } from "./manual-clock";
import { Browser } from "./push-browser";
import { PushEndpoint } from "./push-endpoint";
import { ServerProcess } from "./server-process";
import { newFolder, start, type TestServer } from "./test-server";
import { runs } from "../long";

let folder: string;
beforeEach(async () => {
  folder = await newFolder();
});

const options = (): ServerOptions => ({
  stateFile: join(folder, "state.ndjson"),
  attachments: { folder: join(folder, "attachments") },
  access: { users: [{ name: "ada", password: "s3cret" }] },
});
const ada = { Authorization: `Basic ${Buffer.from("ada:s3cret").toString("base64")}` };

describe("a server with a state file", () => {
  it("still has its messages, row numbers, scheduled messages, files, tokens and counts after a restart", async () => {
    const clock = new ManualClock();
    const first = await start(options(), { clock });
    const a = await first.publish("t", "A");
    await first.publish("t", "D", { Delay: "1h" });
    const b = await first.publish("t", "B");
    const gone = await first.publish("t", "cancelled", { Delay: "1h" });
    await first.ask(`/t/${gone.id}`, { method: "DELETE" });
    const file = await first.publish("t", "content", { Filename: "f.txt" });
    const issued = await first.ask("/v1/account/token", { method: "POST", headers: ada });
    const { token } = JSON.parse(issued.text) as { token: string };
    await first.server.close();

    const second = await start(options(), { clock });
    expect(await second.texts(`t?since=${a.id}&message=B`)).toEqual(["B"]);
    expect(await second.texts("t?scheduled=1")).toEqual(["A", "B", undefined, file.message, "D"]);
    expect((await second.ask(`/file/${file.id}`)).text).toBe("content");
    expect((await second.ask("/t/auth", { headers: { Authorization: `Bearer ${token}` } })).status).toBe(200);
    expect(JSON.parse((await second.ask("/v1/stats")).text)).toMatchObject({ messages: 6 });
    await second.publish("t", "after");
    expect(await second.texts(`t?since=${b.id}`)).toEqual([undefined, file.message, "after"]);
    clock.advance(3_600);
    expect(await second.texts(`t?since=${b.id}`)).not.toContain("D");
    expect(await second.texts("t")).toContain("D");
  });

  it("still has what it answered when it is killed right after, with half a line at the end too", async () => {
    const stateFile = join(folder, "state.ndjson");
    const access = { users: [{ name: "ada", password: "s3cret" }] };
    const first = await ServerProcess.start({ port: 0, stateFile, access });
    const tokens: string[] = [];
    try {
      const issued = await fetch(`${first.url}/v1/account/token`, { method: "POST", headers: ada });
      tokens.push(((await issued.json()) as { token: string }).token);
      expect((await fetch(`${first.url}/t`, { method: "PUT", body: "kept" })).status).toBe(200);
    } finally {
      await first.kill();
    }
    await appendFile(stateFile, '{"put":{"row":2,"eve');
    const clock = new ManualClock(Date.now());
    const second = await start({ stateFile, access }, { clock });
    expect(second.reported).toEqual([]);
    expect(await second.texts("t")).toEqual(["kept"]);
    const answer = await second.ask("/v1/account", { headers: { Authorization: `Bearer ${tokens[0]}` } });
    expect(answer.status).toBe(200);
    await second.publish("t", "next");
    expect(await second.texts("t")).toEqual(["kept", "next"]);
    await copyFile(stateFile, join(folder, "copy.ndjson"));
    const third = await start({ stateFile: join(folder, "copy.ndjson") }, { clock });
    expect(third.reported).toEqual([]);
    expect(await third.texts("t")).toEqual(["kept", "next"]);
  });

  it("sends no scheduled message a second time after being killed", async () => {
    const path = join(folder, "state.ndjson");
    const first = await start({ stateFile: path });
    await first.publish("t", "scheduled", { Delay: "1m" });
    first.clock.advance(120);
    // As it is when the server is killed.
    await copyFile(path, join(folder, "copy.ndjson"));
    const second = await start({ stateFile: join(folder, "copy.ndjson") }, { clock: first.clock });
    const stream = await second.open("/t/json");
    second.clock.advance(10);
    await second.publish("t", "next");
    await stream.until(({ messages }) => messages.includes("next"));
    expect(stream.messages).toEqual(["next"]);
    expect(await second.texts("t")).toEqual(["scheduled", "next"]);
  });

  it("answers only once the message is in the file", async () => {
    const path = join(folder, "state.ndjson");
    const server = await start({ stateFile: path });
    const texts = Array.from({ length: 50 }, (_, at) => `message ${at}`);
    const found = texts.map(async (text) => {
      await server.publish("t", text);
      return (await readFile(path, "utf8")).includes(`"message":"${text}"`);
    });
    expect(await Promise.all(found)).toEqual(texts.map(() => true));
  });

  it("writes nothing when it starts, nor for what is not kept", async () => {
    const stateFile = join(folder, "state.ndjson");
    const server = await start({ stateFile });
    await server.publish("t", "live", { Cache: "no" });
    expect((await server.ask("/v1/config")).status).toBe(200);
    expect(await readdir(folder)).toEqual(["state.ndjson.lock"]);
  });

  it("rewrites the file when most of it is out of date, and when it stops", async () => {
    const path = join(folder, "state.ndjson");
    await writeFile(path, '{"published":2}\n'.repeat(20_000));
    const server = await start({ stateFile: path, cache: "10s" });
    await server.publish("t", "kept");
    await expect.poll(async () => (await stat(path)).size).toBeLessThan(1_000);
    expect(await readFile(path, "utf8")).toMatch(/^\{"published":2\}\n\{"put":.*"kept".*\n$/);
    server.clock.advance(60);
    await server.server.close();
    expect(await readFile(path, "utf8")).toBe('{"published":3}\n');
  });

  it("loses nothing that happens during a rewrite, and brings nothing back", async () => {
    const stateFile = join(folder, "state.ndjson");
    const server = await start({ stateFile });
    let last = 0;
    /** A message, and one that replaces a scheduled one. */
    const add = async () => {
      await server.server.publish({ topic: "t", message: `${last++} ${"x".repeat(400)}` });
      const time = server.server.nowS() + 60;
      await server.server.publish({ topic: "later", message: String(last), sequenceId: `s${last % 3}`, time });
    };
    for (let round = 0; round < 8; round++) {
      for (let at = 0; at < 200; at++) await add();
      // These come while the file is being written.
      for (let turn = 0; turn < 40; turn++) {
        await add();
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    const expected = [await server.texts("t"), await server.texts("later?scheduled=1")];
    expect(expected.map(({ length }) => length)).toEqual([8 * 240, 3]);
    await copyFile(stateFile, join(folder, "copy.ndjson"));
    await server.server.close();
    for (const path of [stateFile, join(folder, "copy.ndjson")]) {
      const again = await start({ stateFile: path }, { clock: server.clock });
      expect([await again.texts("t"), await again.texts("later?scheduled=1")]).toEqual(expected);
    }
  });

  it("starts after very many changes of an account, without hashing a password for each, which would take minutes", async () => {
    const stateFile = join(folder, "state.ndjson");
    const first = await start(options());
    await first.ask("/v1/account/token", { method: "POST", headers: ada });
    await first.server.close();
    const line = (await readFile(stateFile, "utf8")).split("\n").find((text) => text.startsWith('{"account"')) ?? "";
    await appendFile(stateFile, `${line}\n`.repeat(20_000));
    const again = await start(options());
    expect((await again.ask("/v1/account", { headers: ada })).status).toBe(200);
  });

  it("skips invalid lines, and says how many and where", async () => {
    const path = join(folder, "state.ndjson");
    const first = await start({ stateFile: path, access: { users: [{ name: "ada", password: "s3cret" }] } });
    await first.publish("t", "kept");
    await first.server.close();
    const damaged = ["{", "null", "5", '{"put":{}}', '{"put":{"row":1,"event":{"event":"open"},"delivered":true}}'];
    const more = ['{"account":{"name":"ada"}}', '{"push":{"endpoint":5}}', '{"put":{"row":4,"ev{"delivered":"x"}'];
    await appendFile(path, [...damaged, ...more, '{"of":"a later version"}', ""].join("\n"));
    const second = await start({ stateFile: path, access: { users: [{ name: "ada", password: "s3cret" }] } });
    expect(second.reported).toEqual([
      expect.objectContaining({ message: `${path}: 8 of 12 lines can't be read, the first is line 4` }),
    ]);
    expect(await second.texts("t", ada)).toEqual(["kept"]);
  });

  it("loses no message after one whose number is too high to go on from", async () => {
    const path = join(folder, "state.ndjson");
    const first = await start({ stateFile: path });
    await first.publish("t", "number");
    await first.server.close();
    const content = await readFile(path, "utf8");
    await writeFile(path, content.replace('"row":1', `"row":${Number.MAX_SAFE_INTEGER}`));
    const second = await start({ stateFile: path }, { clock: first.clock });
    await second.publish("t", "a");
    await second.publish("t", "b");
    await second.server.close();
    const third = await start({ stateFile: path }, { clock: first.clock });
    expect((await third.texts("t")).slice(-2)).toEqual(["a", "b"]);
    expect(third.reported).toEqual([]);
  });

  it("works with any values in its lines", async () => {
    const path = join(folder, "state.ndjson");
    const all: ServerOptions = { ...options(), webPush: { allowLoopback: true } };
    const first = await start(all);
    const service = await PushEndpoint.start();
    await first.publish("t", "kept");
    await first.publish("t", "later", { Delay: "1h", Title: "x", Tags: "a", Actions: "view, a, https://example.com" });
    await first.ask("/v1/account/token", { method: "POST", headers: ada });
    const listed = JSON.stringify({ base_url: "https://example.com", topic: "t" });
    await first.ask("/v1/account/subscription", { method: "POST", headers: ada, body: listed });
    const registration = { endpoint: `${service.origin}/1`, ...new Browser().keys, topics: ["t"] };
    await first.ask("/v1/webpush", { method: "POST", body: JSON.stringify(registration) });
    await first.server.close();
    const lines = (await readFile(path, "utf8")).split("\n").slice(0, -1);
    const kept = lines.find((line) => line.includes('"kept"')) ?? "";

    /** Puts another value somewhere into a value. */
    function damaged(value: unknown, at: readonly number[], by: unknown): unknown {
      const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
      const [key] = entries[(at[0] ?? 0) % entries.length] ?? [];
      if (at.length === 0 || key === undefined) return by;
      const copy: object = structuredClone(value) as object;
      return Object.assign(copy, { [key]: damaged(copy[key as keyof object], at.slice(1), by) });
    }
    const place = fc.array(fc.nat(9), { minLength: 1, maxLength: 4 });
    const damage = fc.tuple(fc.nat(lines.length - 1), place, fc.jsonValue({ maxDepth: 1 }));
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (changes) => {
        const changed = changes.map(([line, at, by]) => JSON.stringify(damaged(JSON.parse(lines[line] ?? ""), at, by)));
        await writeFile(path, [...changed, kept, ""].join("\n"));
        const server = await start(all, { fetch: () => Promise.resolve(new Response(null, { status: 201 })) });
        try {
          const asked = [
            server.ask("/t/json?poll=1&scheduled=1"),
            server.ask("/v1/account", { headers: ada }),
            server.ask("/v1/account", { headers: { Authorization: "Bearer tk_0" } }),
            server.ask("/v1/account/token", { method: "POST", headers: ada }),
            server.ask("/t", { method: "PUT", body: "new" }),
          ];
          expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 401, 200, 200]);
          server.clock.advance(60);
          await server.server.pushed();
        } finally {
          await server.server.close();
        }
        expect(server.reported.filter((error) => !/lines can't be read/.test(String(error)))).toEqual([]);
      }),
      { numRuns: runs(50) },
    );
  });

  it("refuses to start with a file of another kind, and leaves it alone", async () => {
    const path = join(folder, "state.ndjson");
    await writeFile(path, "something else\nentirely\n");
    await expect(start({ stateFile: path })).rejects.toThrow(`${path} is not a state file`);
    expect(await readFile(path, "utf8")).toBe("something else\nentirely\n");
    expect(await readdir(folder)).toEqual(["state.ndjson"]);
  });

  it.each([
    "a letter without a line feed",
    '{"level":"info"}\n{"level":"warn"}\n',
    '{"name":"a package","put":1}',
    "\u0000\u0001",
  ])("refuses to start with another program's file, and leaves it alone: %j", async (content) => {
    const path = join(folder, "state.ndjson");
    await writeFile(path, content);
    await expect(start({ stateFile: path })).rejects.toThrow(`${path} is not a state file`);
    expect(await readFile(path, "utf8")).toBe(content);
  });

  it.each(["", "{", '{"pu', '{"put":{"event":{"id"'])("starts with a first line that was cut: %j", async (content) => {
    const stateFile = join(folder, "state.ndjson");
    await writeFile(stateFile, content);
    const server = await start({ stateFile });
    await server.publish("t", "kept");
    expect(await readFile(stateFile, "utf8")).toMatch(/^\{"put":\{"row":1,.*\}\n$/);
  });

  it("says why it refuses to start with what can't be read", async () => {
    await expect(start({ stateFile: folder })).rejects.toThrow(`stateFile: ${folder} can't be read: EISDIR`);
    await rm(`${folder}.lock`, { force: true });
  });

  it("says why it refuses to start where nothing can be written", async () => {
    const file = join(folder, "file");
    await writeFile(file, "");
    const stateFile = join(file, "state.ndjson");
    await expect(start({ stateFile })).rejects.toThrow(`stateFile: ${stateFile} can't be written: ENOTDIR`);
  });

  it("refuses to start while another server uses the file, but not once that was killed", async () => {
    const stateFile = join(folder, "state.ndjson");
    const first = await ServerProcess.start({ port: 0, stateFile });
    try {
      await expect(start({ stateFile })).rejects.toThrow(`another server is using ${stateFile}`);
    } finally {
      await first.kill();
    }
    const second = await start({ stateFile });
    expect(second.reported).toEqual([]);
    await expect(start({ stateFile })).rejects.toThrow(`another server is using ${stateFile}`);
    await second.server.close();
    await start({ stateFile });
  });

  it("follows a link to the file, and leaves it a link", async () => {
    const path = join(folder, "state.ndjson");
    const link = join(folder, "link.ndjson");
    await writeFile(path, "");
    await symlink(path, link);
    const first = await start({ stateFile: link });
    await first.publish("t", "kept");
    await expect(start({ stateFile: path })).rejects.toThrow("another server is using");
    await first.server.close();
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    const second = await start({ stateFile: link });
    expect(await second.texts("t")).toEqual(["kept"]);
    expect(await readFile(path, "utf8")).toContain("kept");
  });

  it("notices another server however long the file's name is", async () => {
    const deep = join(folder, "x".repeat(120));
    for (const name of ["a", "b"]) await start({ stateFile: join(deep, name) });
    await expect(start({ stateFile: join(deep, "a") })).rejects.toThrow("another server is using");
  });

  it("can be started again after its port was taken", async () => {
    const other = await start();
    await expect(start({ ...options(), port: other.server.port })).rejects.toThrow(/EADDRINUSE/);
    await start(options());
  });

  it("ends the tokens of a user whose password changed", async () => {
    const first = await start(options());
    const { text } = await first.ask("/v1/account/token", { method: "POST", headers: ada });
    const { token } = JSON.parse(text) as { token: string };
    await first.server.close();
    const status = async (server: TestServer, Authorization = `Bearer ${token}`) =>
      (await server.ask("/v1/account", { headers: { Authorization } })).status;
    const same = await start(options());
    expect(await status(same)).toBe(200);
    await same.server.close();
    const other = await start({ ...options(), access: { users: [{ name: "ada", password: "other" }] } });
    expect(await status(other)).toBe(401);
    const basic = `Basic ${Buffer.from("ada:other").toString("base64")}`;
    const issued = await other.ask("/v1/account/token", { method: "POST", headers: { Authorization: basic } });
    const { token: later } = JSON.parse(issued.text) as { token: string };
    await other.server.close();
    const last = await start({ ...options(), access: { users: [{ name: "ada", password: "other" }] } });
    expect(await status(last, `Bearer ${later}`)).toBe(200);
    expect(await status(last)).toBe(401);
  });
});

describe("a server whose disk is full", () => {
  it("says why it refuses what it can't keep, keeps no trace of it, and goes on once there is room", async () => {
    const stateFile = join(folder, "state.ndjson");
    const all: ServerOptions = { ...options(), webPush: { allowLoopback: true } };
    const server = await ServerProcess.start({ ...all, port: 0, limits: { requests: 100_000 } });
    const put = (body: string, headers = {}) => fetch(`${server.url}/t`, { method: "PUT", body, headers });
    const list = async (topic: string) => {
      const body = JSON.stringify({ base_url: "https://example.com", topic });
      return (await fetch(`${server.url}/v1/account/subscription`, { method: "POST", headers: ada, body })).status;
    };
    const registration = { endpoint: "http://127.0.0.1:9/1", ...new Browser().keys, topics: ["other"] };
    const register = async () =>
      (await fetch(`${server.url}/v1/webpush`, { method: "POST", body: JSON.stringify(registration) })).status;
    const texts = async () => {
      const lines = (await (await fetch(`${server.url}/t/json?poll=1`)).text()).split("\n").filter(Boolean);
      return lines.map((line) => (JSON.parse(line) as { message: string }).message);
    };
    const text = (at: number) => `${at} ${"x".repeat(200)}`;
    let heard = "";
    const stream = await fetch(`${server.url}/t/json`);
    const listening = (async () => {
      for await (const chunk of stream.body ?? []) heard += Buffer.from(chunk as Uint8Array).toString();
    })().catch(() => undefined);
    const taken: string[] = [];
    try {
      server.limitFiles(2_000);
      const answers: number[] = [];
      for (let at = 0; at < 12; at++) {
        const answer = await put(text(at));
        answers.push(answer.status);
        if (answer.ok) taken.push(text(at));
        else
          expect(await answer.json()).toMatchObject({ http: 500, error: expect.stringContaining("can't be stored") });
      }
      expect(new Set(answers)).toEqual(new Set([200, 500]));
      expect([await list("a"), await register()]).toEqual([500, 500]);
      expect((await put("small", { Filename: `${"x".repeat(500)}.txt` })).status).toBe(500);
      expect((await put("x".repeat(5_000))).status).toBe(500);
      expect(await readdir(join(folder, "attachments"))).toEqual([]);
      // What needs no room in the file goes on.
      expect((await put("live", { Cache: "no" })).status).toBe(200);
      expect(await texts()).toEqual(taken);
      const { reported } = await server.inside();
      expect(reported.filter((error) => error.includes("state.ndjson"))).toHaveLength(1);
      expect(await readFile(stateFile, "utf8")).toMatch(/\}\n$/);
      server.limitFiles("unlimited");
      for (const at of [100, 101]) {
        expect((await put(text(at))).status).toBe(200);
        taken.push(text(at));
      }
      // The retry of what was refused is not the second one.
      expect([await list("a"), await register()]).toEqual([200, 200]);
      expect(await texts()).toEqual(taken);
      await expect.poll(() => heard).toContain(text(101));
    } finally {
      await server.kill();
      await listening;
    }
    const live = [...taken.slice(0, -2), "live", ...taken.slice(-2)];
    const events = heard.split("\n").filter(Boolean).slice(1);
    expect(events.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual(live);
    const again = await start(all, { clock: new ManualClock(Date.now()) });
    expect(await again.texts("t")).toEqual(taken);
    expect((await again.ask("/v1/account", { headers: ada })).text).toContain('"topic":"a"');
    expect(again.reported).toEqual([]);
  });

  it("starts and serves what it has, though nothing can be written", async () => {
    const clock = new ManualClock(Date.now());
    const before = await start(options(), { clock });
    await before.publish("t", "kept");
    await before.server.close();
    await appendFile(join(folder, "state.ndjson"), '{"put":{"half a li');
    const server = await ServerProcess.start({ ...options(), port: 0, webPush: {} }, 1);
    try {
      const poll = () => fetch(`${server.url}/t/json?poll=1`).then((answer) => answer.text());
      expect(await poll()).toContain("kept");
      expect((await fetch(`${server.url}/v1/config`)).status).toBe(200);
      expect((await fetch(`${server.url}/t`, { method: "PUT", body: "refused" })).status).toBe(500);
      expect((await server.inside()).reported[0]).toMatch(/state\.ndjson can't be written: EFBIG/);
      server.limitFiles("unlimited");
      expect((await fetch(`${server.url}/t`, { method: "PUT", body: "taken" })).status).toBe(200);
      expect(await poll()).not.toContain("refused");
    } finally {
      await server.kill();
    }
    const after = await start(options(), { clock });
    expect(await after.texts("t")).toEqual(["kept", "taken"]);
    expect(after.reported).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual(["state.ndjson", "state.ndjson.lock"]);
  });
});
