import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  beats,
  cutStamp,
  decodeRegister,
  MARK_KINDS,
  markKey,
  markOf,
  nameOf,
  type Register,
  stampAt,
  stampMs,
  topicKey,
} from "../../src/contract";
import type { ServerAddress } from "../../src/protocol";

const ADDRESS = "https://ntfy.example.org" as ServerAddress;
const MESSAGE = { address: ADDRESS, topic: "backups", time: 1_700_000_000, id: "abc" };

const aStamp = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.constantFrom("phone", "desk"))
  .map(([ms, device]) => stampAt(ms, device));
const aRegister = fc.record({ key: fc.constantFrom("a", "b"), value: fc.constantFrom(null, 1, 2), stamp: aStamp });

/** What a device knows after registers came in this order. */
function merged(registers: readonly Register[]): Record<string, Register> {
  const known: Record<string, Register> = {};
  for (const register of registers) {
    const before = known[register.key];
    if (!before || beats(register, before)) known[register.key] = register;
  }
  return known;
}

describe("merging", () => {
  test("any order and repetition of the same registers leads to the same", () => {
    const shuffled = fc
      .array(aRegister)
      .chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }), fc.subarray(all)),
      );
    fc.assert(
      fc.property(shuffled, ([all, others, again]) => {
        expect(merged([...others, ...again])).toEqual(merged(all));
      }),
    );
  });

  test("what was merged apart and then together is as if it had been merged at once", () => {
    fc.assert(
      fc.property(fc.array(aRegister), fc.array(aRegister), fc.array(aRegister), (a, b, c) => {
        const all = (registers: Record<string, Register>) => Object.values(registers);
        const left = merged([...all(merged([...a, ...b])), ...c]);
        expect(merged([...a, ...all(merged([...b, ...c]))])).toEqual(left);
      }),
    );
  });
});

describe("stamps", () => {
  test("one that is too far ahead is set back, and is the same however often and wherever that is done", () => {
    const ahead = stampAt(9e12, "phone");
    const cut = cutStamp(ahead, 2e12);
    expect([stampMs(cut), cut.endsWith("phone"), cutStamp(cut, 2e12)]).toEqual([2e12, true, cut]);
    const near = stampAt(2e12 + 60_000, "phone");
    expect(cutStamp(near, 2e12)).toBe(near);
  });
});

describe("keys", () => {
  test("are read as they were written", () => {
    for (const kind of MARK_KINDS) expect(markOf(markKey(kind, MESSAGE))).toEqual({ kind, ...MESSAGE });
    const spaced = { ...MESSAGE, id: "an id" };
    expect(markOf(markKey("read", spaced))).toEqual({ kind: "read", ...spaced });
    expect(nameOf(topicKey(ADDRESS, "backups"))).toEqual({ kind: "topic", address: ADDRESS, topic: "backups" });
    expect(nameOf("setting keepDays")).toEqual({ kind: "setting", name: "keepDays" });
    expect(nameOf("colour of the sky")).toEqual({ kind: "unknown" });
  });
});

describe("registers from outside", () => {
  const stamp = stampAt(2e12, "phone");
  test.each([
    ["no register", 7],
    ["no key", { value: 1, stamp }],
    ["a stamp that is none", { key: "view A", value: "#/a", stamp: "yesterday" }],
    ["a server that is none", { key: "read ftp://x backups 1 a", value: 1, stamp }],
    ["a server written otherwise", { key: "read https://NTFY.example.org backups 1 a", value: 1, stamp }],
    ["a topic that is none", { key: "topic https://ntfy.example.org a/b", value: null, stamp }],
    ["no message", { key: "read https://ntfy.example.org backups", value: 1, stamp }],
    ["a time that is none", { key: "read https://ntfy.example.org backups -1 a", value: 1, stamp }],
    ["a mark that is no time", { key: markKey("done", MESSAGE), value: true, stamp }],
    ["a mark before all time", { key: markKey("snoozed", MESSAGE), value: -1, stamp }],
    ["a mark after all time", { key: markKey("snoozed", MESSAGE), value: 1e300, stamp }],
    ["a star that is none", { key: markKey("starred", MESSAGE), value: 2, stamp }],
    ["a time written otherwise", { key: "read https://ntfy.example.org backups 01 a", value: 1, stamp }],
    ["a topic of the wrong shape", { key: topicKey(ADDRESS, "backups"), value: { order: "first" }, stamp }],
    ["a view without a name", { key: "view ", value: "#/a", stamp }],
    ["a move to no address", { key: "moved https://ntfy.example.org", value: "nowhere", stamp }],
    ["a value that fills the disk", { key: "setting x", value: "x".repeat(30_000), stamp }],
    ["a key that fills the disk", { key: `setting ${"x".repeat(30_000)}`, value: 1, stamp }],
  ])("%s is no register", (_, value) => {
    expect(decodeRegister(value)).toBeUndefined();
  });

  test("of kinds that a newer version has are kept as they are", () => {
    const register = { key: "mood today", value: { is: ["good"] }, stamp };
    expect(decodeRegister({ ...register, more: 1 })).toEqual(register);
  });
});
