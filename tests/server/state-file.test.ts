import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { ServerOptions } from "../../src/server";
import { MessageCache } from "../../src/server/message-cache";
import { StateFile } from "../../src/server/state-file";
import { ManualClock } from "./manual-clock";
import { newFolder, start } from "./test-server";

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

  it("still has them after it was killed, but for the line that was being written", async () => {
    const path = join(folder, "state.ndjson");
    const first = await start({ stateFile: path });
    await first.publish("t", "kept");
    const text = await readFile(path, "utf8");
    const copy = join(folder, "copy.ndjson");
    await writeFile(copy, `${text}{"put":{"row":2,"eve`);
    const second = await start({ stateFile: copy });
    expect(await second.texts("t")).toEqual(["kept"]);
    await second.publish("t", "next");
    expect(await second.texts("t")).toEqual(["kept", "next"]);
  });

  it("answers only once the message is in the file", async () => {
    const path = join(folder, "state.ndjson");
    const server = await start({ stateFile: path });
    const texts = Array.from({ length: 50 }, (_, at) => `message ${at}`);
    await Promise.all(texts.map((text) => server.publish("t", text)));
    const text = await readFile(path, "utf8");
    for (const each of texts) expect(text).toContain(`"message":"${each}"`);
  });

  it("rewrites the file when most of it is out of date", async () => {
    const path = join(folder, "state.ndjson");
    const server = await start({ stateFile: path, cache: "10s" });
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 600; at++) await server.server.publish({ topic: "t", message: "x" });
      server.clock.advance(60);
    }
    await server.publish("t", "last");
    const lines = (await readFile(path, "utf8")).split("\n");
    expect(lines.length).toBeLessThan(1_300);
    expect(await server.texts("t")).toEqual(["last"]);
  });

  it("loses nothing that happens while the file is being rewritten", async () => {
    const path = join(folder, "state.ndjson");
    const file = new StateFile(path);
    const cache = new MessageCache(file);
    await file.open(cache, undefined, () => 0);
    let last = 0;
    const add = () => {
      const id = `m${last++}`;
      const event = { id, time: last, event: "message" as const, topic: "t", message: "x".repeat(200) };
      cache.add({ event, delivered: true, sender: "" });
    };
    for (let round = 0; round < 12; round++) {
      for (let at = 0; at < 700; at++) add();
      // These changes come while the file is being written.
      const written = file.written();
      for (let turn = 0; turn < 40; turn++) {
        add();
        cache.forget([`m${last - 500}`, `m${last - 700}`]);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await written;
      cache.forget([...cache.all()].slice(0, -300).map(({ event }) => event.id));
    }
    await file.written();
    const ids = [...cache.all()].map(({ event }) => event.id);
    const restored = new MessageCache();
    await new StateFile(path).open(restored, undefined, () => 0);
    expect([...restored.all()].map(({ event }) => event.id).sort()).toEqual(ids.sort());
  });

  it("refuses to start with a file of another kind, and names the line", async () => {
    const path = join(folder, "state.ndjson");
    await writeFile(path, '{"published":0}\nsomething else\n');
    await appendFile(path, '{"published":0}\n');
    await expect(start({ stateFile: path })).rejects.toThrow(/state\.ndjson, line 2 is not a line of a state file/);
    expect(await readFile(path, "utf8")).toContain("something else");
  });
});
