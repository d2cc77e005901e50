import fc from "fast-check";
import { expect, test } from "vitest";
import { transact, type Database } from "../../src/store/database";
import { openDatabase } from "../../src/store/open-database";
import { compileSegmentFilter } from "../../src/store/search/segment-filter";
import { SegmentWalk } from "../../src/store/search/segment-walk";
import { signatureOf } from "../../src/store/search/signature";
import { readBlocks, replaceSignatures, type SignedSegment } from "../../src/store/search/signature-blocks";
import type { SegmentRecord, TimeSpan } from "../../src/store";
import { rowFilter } from "../contract/filter/row-filter";
import { memoryEngine } from "./memory-engine";
import { must } from "./samples";

const END = 400;
const RARE = "zebra of the north";
const EVERYTHING = { from: -Infinity, to: Infinity };

async function openEmpty(): Promise<Database> {
  return must(await openDatabase(memoryEngine()));
}

/** Adjacent segments that fill some of a span; each says whether it holds the rare words. */
function segmentsIn([start, end]: TimeSpan, lengths: readonly number[], rare: readonly boolean[]): SignedSegment[] {
  const segments: SignedSegment[] = [];
  let from = start;
  for (const [at, length] of lengths.entries()) {
    const to = from + length;
    if (to > end) break;
    const text = rare[at % rare.length] ? `with ${RARE} within` : "backup of the disk in the north";
    segments.push({ from, to, signature: signatureOf(`${text} ${from}`) });
    from = to + 1;
  }
  return segments;
}

/** Segments with their signatures as hexadecimal digits, which are compared much faster than arrays of bytes. */
function inHex(segments: readonly SignedSegment[] | undefined) {
  return segments?.map(({ signature, ...segment }) => ({ ...segment, bits: Buffer.from(signature).toString("hex") }));
}

const change = fc.record({
  span: fc.tuple(fc.nat({ max: END }), fc.nat({ max: 60 })).map(([from, length]): TimeSpan => [from, from + length]),
  lengths: fc.array(fc.nat({ max: 4 }), { maxLength: 30 }),
  rare: fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }),
});

async function replace(
  database: Database,
  held: readonly SignedSegment[],
  one: typeof change extends fc.Arbitrary<infer T> ? T : never,
) {
  // Segments that the span cuts are indexed anew with it, as the indexer does.
  const cut = held.filter((segment) => segment.to >= one.span[0] && segment.from <= one.span[1]);
  const span: TimeSpan = [
    Math.min(one.span[0], ...cut.map(({ from }) => from)),
    Math.max(one.span[1], ...cut.map(({ to }) => to)),
  ];
  const fresh = segmentsIn(span, one.lengths, one.rare);
  await transact(database, ["signatures", "segments"], "write", async (transaction) => {
    const segments = transaction.store("segments");
    segments.delete(IDBKeyRange.bound(...span));
    for (const { from, to } of fresh) segments.put({ ...EMPTY, from, to });
    await replaceSignatures(transaction, span, fresh);
  });
  return [...held.filter((segment) => !cut.includes(segment)), ...fresh].sort((a, b) => a.from - b.from);
}

const EMPTY: Omit<SegmentRecord, "from" | "to"> = {
  times: new Float64Array(),
  arrivals: new Float64Array(),
  subIds: new Uint32Array(),
  facts: new Uint16Array(),
  ids: "",
  idEnds: new Uint32Array(),
  tags: [],
  tagSlots: new Uint16Array(),
};

test("blocks hold the signatures of all segments in order, whatever is replaced, and stay short", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      const database = await openEmpty();
      let held: SignedSegment[] = [];
      for (const one of changes) {
        held = await replace(database, held, one);
        await transact(database, ["signatures"], "read", async (transaction) => {
          const blocks = await readBlocks(transaction, EVERYTHING);
          expect(inHex(blocks.flat())).toEqual(inHex(held));
          expect(blocks.every(({ length }) => length > 0 && length <= 16)).toBe(true);
          const newest = await readBlocks(transaction, EVERYTHING, { take: "last", count: 2 });
          expect(newest.map(inHex)).toEqual(blocks.slice(-2).map(inHex));
        });
      }
      database.close();
    }),
    { numRuns: 30 },
  );
});

test("a walk along them gives every segment of its stretch that may have what is wanted, in order, and says how far it came", async () => {
  const filter = compileSegmentFilter(rowFilter(`"${RARE}"`), 0);
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 8 }),
      fc.constantFrom("older" as const, "newer" as const),
      fc.tuple(fc.integer({ min: -5, max: END }), fc.nat({ max: END })),
      fc.integer({ min: 1, max: 9 }),
      fc.nat({ max: 12 }),
      async (changes, direction, [from, length], count, blocks) => {
        const database = await openEmpty();
        let held: SignedSegment[] = [];
        for (const one of changes) held = await replace(database, held, one);
        const within: TimeSpan = [from, from + length];
        const wanted = held.filter((segment) => segment.from <= within[1] && segment.to >= within[0]);
        if (direction === "older") wanted.reverse();
        const share = { blocks };
        await transact(database, ["signatures", "segments"], "read", async (transaction) => {
          const walk = new SegmentWalk(transaction, within, direction, filter, share);
          const given: number[] = [];
          for (;;) {
            const { segments, last } = await walk.next(count);
            expect(segments.length).toBeLessThanOrEqual(count);
            given.push(...segments.map(({ record }) => record.from));
            const seen = last ? wanted.findIndex((segment) => segment.from === last.from) + 1 : wanted.length;
            expect(last === undefined || seen > 0).toBe(true);
            const passed = wanted.slice(0, seen).filter(({ signature }) => filter.mayPass(signature));
            expect(given).toEqual(passed.map((segment) => segment.from));
            if (!last) break;
          }
        });
        database.close();
      },
    ),
    { numRuns: 40 },
  );
});

test("blocks stay long, whether segments come at the new end or the old one", async () => {
  for (const times of [[...Array(200).keys()], [...Array(200).keys()].toReversed()]) {
    const database = await openEmpty();
    for (const from of times)
      await replace(database, [], { span: [from * 2, from * 2 + 1], lengths: [1], rare: [false] });
    await transact(database, ["signatures"], "read", async (transaction) => {
      expect((await readBlocks(transaction, EVERYTHING)).length).toBeLessThanOrEqual(26);
    });
    database.close();
  }
});
