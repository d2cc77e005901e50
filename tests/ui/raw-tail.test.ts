import { expect, test } from "vitest";
import type { Commands, TailState } from "../../src/contract";
import type { ServerAddress } from "../../src/protocol";
import { Tail } from "../../src/ui/raw/tail.svelte";

type Told = Commands["tail"]["output"];

/** A hub that gives the answers that a test sets, one to each question. */
function hub() {
  const asked: { name: string; input: unknown }[] = [];
  let answer: ((told: Told) => void) | undefined;
  const send = (name: string, input: unknown): Promise<unknown> => {
    asked.push({ name, input });
    if (name !== "tail") return Promise.resolve({ ok: true, value: null });
    return new Promise((resolve) => (answer = resolve));
  };
  const reply = async (told: Told): Promise<void> => {
    answer?.(told);
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  const tell = (state: TailState, ...texts: string[]): Promise<void> =>
    reply({ ok: true, value: { lines: texts.map((text) => ({ atMs: 5, text })), left: 0, state } });
  const tail = new Tail({ send: send as never }, { address: "https://x.example" as ServerAddress, topic: "a" });
  return { tail, tell, asked, refuse: reply };
}

const OPEN: TailState = { kind: "open", heardAtMs: 1 };
const WAITING: TailState = { kind: "waiting", nextTryAtMs: 9, why: { kind: "ended" } };

const said = (tail: Tail) => tail.lines.map((line) => (line.kind === "text" ? line.text : line.kind));

test("lines come in order, with a note where the connection was lost", async () => {
  const { tail, tell } = hub();
  tail.start();
  await tell(OPEN, "one", "two");
  await tell(WAITING);
  await tell({ kind: "connecting" });
  await tell(OPEN, "three");
  expect(said(tail)).toEqual(["one", "two", "ended", "again", "three"]);
  expect(tail.count).toBe(3);
});

test("old lines are dropped", async () => {
  const { tail, tell } = hub();
  tail.start();
  const many = Array.from({ length: 2_500 }, (_, at) => String(at));
  await tell(OPEN, ...many);
  await tell(OPEN, "last");
  expect(tail.lines).toHaveLength(2_000);
  expect(said(tail).at(-1)).toBe("last");
  expect(tail.count).toBe(2_501);
});

test("the tail stops asking once it was stopped, refused, or can't succeed", async () => {
  const { tail, tell, asked, refuse } = hub();
  tail.start();
  tail.stop();
  await tell(OPEN, "too late");
  expect(tail.lines).toEqual([]);
  expect(asked.map(({ name }) => name)).toEqual(["tail", "endTail"]);
  tail.start();
  await tell({ kind: "stopped", why: { kind: "forbidden", code: 40301, topics: [] } });
  expect(asked.filter(({ name }) => name === "tail")).toHaveLength(2);
  tail.start();
  await refuse({ ok: false, error: { kind: "not-found" } });
  expect(tail.state, "nothing else is claimed").toEqual({ kind: "failed", error: { kind: "not-found" } });
});
