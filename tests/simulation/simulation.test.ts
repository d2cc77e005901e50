import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Random } from "./random";
import { SimCache } from "./sim-cache";

const ROOT = join(import.meta.dirname, "..", "..");

function play(...args: string[]): string {
  return execFileSync(process.execPath, [join("scripts", "simulation.mjs"), ...args], { cwd: ROOT, encoding: "utf8" });
}

const hashes = (output: string): string[] => output.match(/(?<=^seed \d+ is )\w+/gm) ?? [];

// That they pass is a step of its own in `npm test`.
test("the same seed plays the same run, after another or alone, and another one another", () => {
  const [one, two] = hashes(play("--seeds", "2", "--workers", "1", "--hashes"));
  expect(hashes(play("--seeds", "1", "--seed", "2", "--hashes"))).toEqual([two]);
  expect(one).not.toBe(two);
});

test("a rule that is broken on purpose is noticed, and said", () => {
  const output = play("--breaks", "--only", "a live message moves the id cursor", "--seeds", "4");
  expect(output).toMatch(/"cursor" broken by seed \d/);
  expect(output).toMatch(/1 passed, 0 failed/);
});

test("chance is a matter of the seed alone", () => {
  const draw = (seed: number): number[] => {
    const random = new Random(seed);
    return Array.from({ length: 5 }, () => random.next());
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

test("the server selects as the example of docs/protocol.md §4 says", () => {
  const cache = new SimCache();
  const event = (id: string, time: number) => ({ id, time, event: "message", topic: "a", message: "" }) as const;
  const [A, D, B] = ["AAAAAAAAAAAA", "DDDDDDDDDDDD", "BBBBBBBBBBBB"] as const;
  const minute = 60;
  cache.add(event(A, 0), true, 0);
  cache.add(event(D, 30 * minute), false, 0);
  cache.add(event(B, 20 * minute), true, 0);
  const ids = (since: string, scheduled = false) => cache.select("a", since, scheduled).map(({ id }) => id);
  expect(ids(B, true)).toEqual([D]);
  const [, due] = cache.rows;
  if (due) due.delivered = true;
  expect(ids(A)).toEqual([B, D]);
  expect(ids(B)).toEqual([]);
  expect(ids(String(20 * minute))).toEqual([B, D]);
  expect(ids(D)).toEqual([B]);
  expect(ids("CCCCCCCCCCCC")).toEqual([A, B, D]);
  expect(ids("latest")).toEqual([D]);
  expect(ids("none")).toEqual([]);
});
