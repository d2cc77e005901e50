import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Register, stampAt } from "../../../src/contract";
import { digitsOf, encryptingKey, IV_BYTES, makeIdentity } from "../../../src/hub/devices/keys";
import { MAX_PACKET_BYTES, open, type Packet, seal } from "../../../src/hub/devices/packets";

const bytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
const key = await encryptingKey(bytes(32), "group");
const DEVICE = "AAECAwQFBgc";

const marks = fc.record({
  key: fc
    .tuple(fc.constantFrom("read", "done", "deleted"), fc.nat(4e9), fc.stringMatching(/^[A-Za-z0-9]{12}$/))
    .map(([kind, time, id]) => `${kind} https://topics.example topic ${String(time)} ${id}`),
  value: fc.option(fc.nat(2 ** 40)),
  stamp: fc.nat(2 ** 41).map((ms) => stampAt(ms, DEVICE)),
});
const settings = fc.record({
  key: fc.stringMatching(/^[a-z]{1,20}$/).map((name) => `setting ${name}`),
  value: fc.jsonValue({ maxDepth: 2 }),
  stamp: fc.constant(stampAt(1e12, DEVICE)),
});
const registers = fc.array(fc.oneof(marks, settings), { maxLength: 400 });
const packetOf = (given: Register[]): Packet => ({
  deviceId: DEVICE,
  counter: 7,
  heard: { other: 3 },
  said: { kind: "changes", registers: given },
});

/** Writes as many packets as it takes. */
async function all(given: Register[]): Promise<string[]> {
  const texts: string[] = [];
  for (let left = given; ;) {
    const sealed = await seal(key, packetOf(left), bytes(IV_BYTES));
    texts.push(sealed.text);
    left = sealed.left;
    if (left.length === 0) return texts;
  }
}

describe("packets", () => {
  test("hold any registers, in as many as it takes, none longer than a message", async () => {
    await fc.assert(
      fc.asyncProperty(registers, async (given) => {
        const texts = await all(given);
        for (const text of texts) expect(text.length).toBeLessThanOrEqual(MAX_PACKET_BYTES);
        const packets = await Promise.all(texts.map((text) => open(key, text)));
        const read = packets.flatMap((packet) => (packet?.said.kind === "changes" ? packet.said.registers : []));
        const sorted = (some: unknown[]) => some.map((one) => JSON.stringify(one)).sort();
        expect(sorted(read)).toEqual(sorted(given));
        expect(packets[0]).toMatchObject({ deviceId: DEVICE, counter: 7, heard: { other: 3 } });
      }),
      { numRuns: 30 },
    );
  });

  test("hold 180 marks that were set together", async () => {
    let time = 1_700_000_000;
    const given = fc.sample(fc.tuple(fc.nat(600), fc.stringMatching(/^[A-Za-z0-9]{12}$/)), { numRuns: 2_400, seed: 1 });
    const read = given.map(([later, id]): Register => {
      time += later;
      const ms = 1_800_000_000_000 + Math.floor(time / 60_000);
      return { key: `read https://topics.example topic ${String(time)} ${id}`, value: ms, stamp: stampAt(ms, DEVICE) };
    });
    expect((await all(read)).length).toBeLessThanOrEqual(13);
  });

  test("anything changed, cut off, of another key, or never written by a device is none", async () => {
    const { text } = await seal(key, packetOf([]), bytes(IV_BYTES));
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom(..."AZaz09-_"), async (at, letter) => {
        const changed = text.slice(0, at) + letter + text.slice(at + 1);
        if (changed !== text) expect((await open(key, changed))?.said).toBeUndefined();
        expect(await open(key, text.slice(0, at))).toBeUndefined();
      }),
      { numRuns: 100 },
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 5_000 }), async (garbage) => {
        expect(await open(key, garbage)).toBeUndefined();
      }),
      { numRuns: 100 },
    );
    expect(await open(await encryptingKey(bytes(32), "group"), text)).toBeUndefined();
  });

  test("a value that is too large for one is left out, and holds up no other", async () => {
    const noise = Buffer.from(bytes(6_000)).toString("base64");
    const [before, after] = fc.sample(marks, { numRuns: 2, seed: 2 }) as [Register, Register];
    const large = { key: "setting noise", value: noise, stamp: before.stamp };
    const packets = await Promise.all((await all([before, large, after])).map((text) => open(key, text)));
    const read = packets.flatMap((packet) => (packet?.said.kind === "changes" ? packet.said.registers : []));
    expect(read).toEqual([before, after]);
  });
});

test("both devices get the same digits, and nobody else", async () => {
  const [inviter, joiner, thief] = [await makeIdentity(), await makeIdentity(), await makeIdentity()];
  const digits = await digitsOf(joiner, inviter.publicKey);
  expect(digits).toMatch(/^\d{6}$/);
  expect(await digitsOf(inviter, joiner.publicKey)).toBe(digits);
  expect(await digitsOf(thief, inviter.publicKey)).not.toBe(digits);
  expect(await digitsOf(thief, joiner.publicKey)).not.toBe(digits);
  expect(await digitsOf(thief, "no key")).toBeUndefined();
});
