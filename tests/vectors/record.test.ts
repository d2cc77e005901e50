import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startServer, type TopicServer } from "../../src/server";
import { differences } from "./differences";
import { Names } from "./names";
import { play, record } from "./record";
import { readRecordings, VECTORS_FOLDER, writeRecording, type Step, type Vector } from "./vector";

const recordings = readRecordings();
const vectors = [...recordings.values()].flatMap((recording) => recording.vectors);

describe("the files of recordings", () => {
  it("are there", () => {
    expect([...recordings.keys()]).toContain("since.json");
  });

  it.each([...recordings])("%s is written as a recording anew would write it", (file, recording) => {
    expect(readFileSync(join(VECTORS_FOLDER, file), "utf8")).toBe(writeRecording(recording));
  });

  it("name each vector once, so that --only means one", () => {
    const names = vectors.map(({ name }) => name);
    expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  });
});

describe("names in place of values that differ in every run", () => {
  const message = (id: string, time: number) => ({ id, time, expires: time + 60, event: "message", topic: "a12345" });

  it("are given in order of appearance, and stay the same", () => {
    const names = new Names();
    names.give("a", "a12345");
    const m1 = { id: "{{m1.id}}", time: "{{m1.time}}", expires: "{{m1.time+60}}", event: "message", topic: "{{a}}" };
    const m2 = { ...m1, id: "{{m2.id}}", time: "{{m2.time}}", expires: "{{m2.time+60}}" };
    expect(names.hide([message("x", 5), message("y", 6)])).toEqual([m1, m2]);
    expect(names.hide([message("y", 6), message("x", 5)])).toEqual([m2, m1]);
  });

  it("do not hide that a message has another time than before", () => {
    const names = new Names();
    names.hide(message("x", 5));
    expect(names.hide(message("x", 6))).toMatchObject({ id: "{{m1.id}}", time: 6, expires: "{{m1.time+60}}" });
  });

  it("are replaced by values in later requests", () => {
    const names = new Names({ token: "tk_1" });
    names.hide(message("x", 5));
    expect(names.fill({ path: "/?since={{m1.id}}", headers: ["{{m1.time+2}}", "{{token}}"] })).toEqual({
      path: "/?since=x",
      headers: ["7", "tk_1"],
    });
    expect(names.fill("{{base64url:a?>}}")).toBe("YT8-");
    expect(() => names.fill("{{m2.id}}")).toThrow("{{m2.id}} has no value yet");
  });

  it("replace the texts of errors, and nothing else in them", () => {
    const error = { code: 40401, http: 404, error: "page not found", link: "https://example.com" };
    expect(new Names().hide(error)).toEqual({ code: 40401, http: 404, error: "{{text}}", link: "{{text}}" });
  });
});

it("differences are described by their exact place", () => {
  expect(differences({ a: [1, { b: "x" }] }, { a: [1, { b: "y" }] }, "step 1")).toEqual([
    'step 1.a.1.b: want "x", got "y"',
  ]);
  expect(differences({ a: [1] }, { a: [1, 2] })).toEqual([".a: want [1], got [1,2]"]);
  expect(differences({ a: 1 }, { b: 1 })).toEqual([".a: want 1, got nothing", ".b: want nothing, got 1"]);
  expect(differences({}, [])).toEqual([": want {}, got []"]);
});

describe("playing", () => {
  let server: TopicServer;
  beforeEach(async () => {
    server = await startServer({ port: 0 });
  });
  afterEach(() => server.close());

  const head = {
    status: 200,
    headers: { "content-type": "application/x-ndjson; charset=utf-8", "access-control-allow-origin": "*" },
  };
  const open = { id: "{{o1.id}}", time: "{{o1.time}}", event: "open", topic: "{{a}}" };
  const m1 = { id: "{{m1.id}}", time: "{{m1.time}}", expires: "{{m1.time+43200}}", event: "message", topic: "{{a}}" };
  const opens: Step = { stream: "s", request: { method: "GET", path: "/{{a}}/json" }, answer: head };
  const reads: Step = { read: "s", lines: [open] };
  const publishes: Step = {
    request: { method: "PUT", path: "/{{a}}", body: "hi" },
    answer: {
      status: 200,
      headers: { "content-type": "application/json", "access-control-allow-origin": "*" },
      lines: [{ ...m1, message: "hi" }],
    },
  };
  const steps: Step[] = [opens, reads, publishes, { read: "s", lines: [{ ...m1, message: "hi" }] }];
  const vector = (...taken: Step[]): Vector => ({
    name: "a",
    section: "7",
    profile: "open",
    topics: ["a"],
    steps: taken,
  });

  it("finds no differences if the server does what was recorded", async () => {
    expect(await play(vector(...steps, { close: "s" }, { waitMs: 1 }), server.url)).toEqual([]);
  });

  it("records what the server does, whatever was recorded before", async () => {
    const blank = vector(
      { ...opens, answer: { status: 0, headers: {} } },
      { read: "s", lines: [""] },
      { ...publishes, answer: { status: 0, headers: {}, lines: [] } },
      { read: "s", lines: [""] },
    );
    expect(await record(blank, server.url)).toEqual(vector(...steps));
  });

  it.each<[what: string, step: Step, says: string]>([
    ["another status", { ...opens, answer: { ...head, status: 404 } }, "step 1.answer.status: want 404, got 200"],
    [
      "a header that is missing",
      { ...opens, answer: { ...head, headers: { ...head.headers, "retry-after": "1" } } },
      'step 1.answer.headers.retry-after: want "1", got nothing',
    ],
    [
      "a name that has no value",
      { request: { method: "GET", path: "/{{b}}" }, answer: { ...head, lines: [] } },
      "stopped: {{b}} has no value yet",
    ],
  ])("notices %s", async (_, step, says) => {
    expect(await play(vector(step), server.url)).toEqual([says]);
  });

  it("notices a line that differs, one that is missing, and one too many", async () => {
    const other = { read: "s", lines: [{ ...m1, message: "ho" }] };
    expect(await play(vector(opens, reads, publishes, other), server.url)).toEqual([
      'step 4.lines.0.message: want "ho", got "hi"',
    ]);
    const [problem] = await play(vector(opens, { read: "s", withinMs: 50, lines: [open, open] }), server.url);
    expect(problem).toContain("step 2.lines: want [");
    const [noise] = await play(vector(opens, reads, publishes, { quiet: "s", ms: 5_000 }), server.url);
    expect(noise).toContain("step 4.lines: want nothing, got [");
  });

  it("notices that a stream ended, and in which way", async () => {
    const poll: Step = { ...opens, request: { method: "GET", path: "/{{a}}/json?poll=1" } };
    expect(await play(vector(poll, { ended: "s", how: "end" }), server.url)).toEqual([]);
    expect(await play(vector(poll, { ended: "s", how: "cut" }), server.url)).toEqual([
      'step 2.how: want "cut", got "end"',
    ]);
    expect(await play(vector(poll, { quiet: "s", ms: 5_000 }), server.url)).toEqual([
      "stopped: the stream that was to stay open has ended (end)",
    ]);
  });

  it("reports that there is no server", async () => {
    await server.close();
    const [problem] = await play(vector(...steps), server.url);
    expect(problem).toMatch(/^stopped: .*ECONNREFUSED/);
  });
});
