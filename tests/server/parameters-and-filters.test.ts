// docs/protocol.md §3 and 5, and §18, C1 and C2.
import { describe, expect, it } from "vitest";
import { start } from "./test-server";

async function filled() {
  const server = await start();
  const disk = await server.publish("t", "disk full", { Title: "Backup", Priority: "5", Tags: "backup,disk" });
  await server.publish("t", "backup done", { Title: "Backup", Priority: "low", Tags: "backup" });
  await server.publish("t", "door open", { Tags: "door,Disk" });
  await server.publish("t", "plain");
  await server.publish("t", "explicit three", { Priority: "3" });
  return { server, disk };
}

describe("parameters", () => {
  it.each([
    ["x-poll", "x-since"],
    ["poll", "since"],
    ["po", "si"],
    ["X-Poll", "SINCE"],
  ])("are read from headers and query under the names %s and %s, in any case", async (poll, since) => {
    const server = await start();
    const { id } = await server.publish("t", "one");
    await server.publish("t", "two");
    const byHeader = await server.ask("/t/raw", { headers: { [poll]: "1", [since]: id } });
    const byQuery = await server.ask(`/t/raw?${poll}=1&${since}=${id}`);
    expect([byHeader.text, byQuery.text]).toEqual(["two\n", "two\n"]);
  });

  it.each(["x-scheduled", "scheduled", "sched", "Sched"])("names %s for scheduled messages", async (name) => {
    const server = await start();
    await server.publish("t", "later", { Delay: "1h" });
    expect(await server.texts(`t?${name}=1`)).toEqual(["later"]);
    expect(await server.texts("t", { [name]: "yes" })).toEqual(["later"]);
    expect(await server.texts(`t?${name}=on`)).toEqual([]);
  });

  it("let a header beat the query, the first value of a name beat the next, and the name before beat the one after", async () => {
    const server = await start();
    await server.publish("t", "one");
    expect(await server.texts("t?since=all", { Since: "none" })).toEqual([]);
    expect(await server.texts("t?since=none&since=all")).toEqual([]);
    expect(await server.texts("t?si=all&since=none")).toEqual([]);
    expect(await server.texts("t", { si: "all", "X-Since": "none" })).toEqual([]);
    expect(await server.texts("t?since=none", { Since: " " })).toEqual([]);
  });

  it.each([
    ["1", true],
    ["true", true],
    ["YES", true],
    ["on", false],
    ["y", false],
    ["2", false],
    ["0", false],
  ])("read the boolean %s as %s", async (text, isTrue) => {
    const server = await start();
    await server.publish("t", "later", { Delay: "1h" });
    expect(await server.texts(`t?scheduled=${text}`)).toEqual(isTrue ? ["later"] : []);
  });

  it("decode encoded words and bare UTF-8 in headers", async () => {
    const server = await start();
    await server.publish("t", "x", { Title: "=?UTF-8?B?8J+YgCBoaQ==?=", Tags: "=?UTF-8?Q?gr=C3=BCn?=" });
    await server.publish("t", "x", { Title: Buffer.from("größer").toString("latin1") });
    expect((await server.poll("t")).map(({ title, tags }) => [title, tags])).toEqual([
      ["😀 hi", ["grün"]],
      ["größer", undefined],
    ]);
    expect(await server.poll("t", { "X-Title": Buffer.from("GRÖSSER").toString("latin1") })).toHaveLength(0);
    expect(await server.poll("t", { "X-Title": Buffer.from("GRÖßER").toString("latin1") })).toHaveLength(1);
  });

  it.each(["u=1, i", "u=3", "u=0,1", "i", "i, u=2"])("ignore a browser's own header Priority: %s", async (value) => {
    const server = await start();
    await server.publish("t", "one", { Priority: value });
    expect((await server.poll("t", { Priority: value }))[0]).not.toHaveProperty("priority");
  });
});

describe("filters", () => {
  it.each([
    ["priority=5", ["disk full"]],
    ["priority=urgent", ["disk full"]],
    ["p=max,LOW", ["disk full", "backup done"]],
    ["prio=3", ["door open", "plain", "explicit three"]],
    ["x-priority=default", ["door open", "plain", "explicit three"]],
    ["priority=1,%20min", []],
    ["tags=backup", ["disk full", "backup done"]],
    ["tag=backup,disk", ["disk full"]],
    ["ta=DISK", ["disk full", "door open"]],
    ["tags=backup,,disk,", ["disk full"]],
    ["tags=backup,%20disk", []],
    ["title=backup", ["disk full", "backup done"]],
    ["t=Back", []],
    ["message=PLAIN", ["plain"]],
    ["m=pla", []],
    ["title=Backup&priority=2&tags=backup", ["backup done"]],
    ["title=Backup&priority=5&tags=door", []],
    ["Priority=5&TITLE=backup", ["disk full"]],
    ["priority=&tags=&title=&message=&id=", ["disk full", "backup done", "door open", "plain", "explicit three"]],
  ])("%s passes %j", async (query, passed) => {
    const { server } = await filled();
    expect(await server.texts(`t?${query}`)).toEqual(passed);
  });

  it("find one by its id, in any case", async () => {
    const { server, disk } = await filled();
    expect(await server.texts(`t?id=${disk.id}`)).toEqual(["disk full"]);
    expect(await server.texts("t", { "X-ID": disk.id.toUpperCase() })).toEqual(["disk full"]);
  });

  it.each(["6", "0", "high,foo", "-1", "3.0"])("refuse the priority %s", async (priority) => {
    const server = await start();
    for (const path of [`/t/json?poll=1&priority=${priority}`, `/t/raw?p=${priority}`]) {
      expect(await server.code(path)).toBe(40007);
    }
  });

  it("apply to live messages, and never to open events and poll requests", async () => {
    const server = await start();
    const stream = await server.open("/t/json?priority=high,urgent&tags=disk");
    await server.publish("t", "no", { Priority: "5" });
    await server.publish("t", "no", { Tags: "disk" });
    await server.publish("t", "", { "X-Poll-ID": "abcdefghij12" });
    await server.publish("t", "yes", { Priority: "4", Tags: "disk,x" });
    await stream.until(({ messages }) => messages.length === 1);
    expect(stream.events.map(({ event }) => event)).toEqual(["open", "poll_request", "message"]);
    expect(stream.messages).toEqual(["yes"]);
  });
});
