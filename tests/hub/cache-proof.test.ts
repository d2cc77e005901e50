import { describe, expect, test } from "vitest";
import { CacheProof, EXPIRY_MARGIN_S } from "../../src/hub/sync/cache-proof";
import type { StorableEvent } from "../../src/protocol";
import type { SubscriptionRecord, Witness } from "../../src/store";

const NOW_S = 10_000;

const subscription = (subId: number, timeCursor: number | undefined, joined: 0 | 1 | undefined = 1) =>
  ({
    subId,
    topic: `t${subId}`,
    ...(timeCursor !== undefined && { timeCursor }),
    ...(joined !== undefined && { joined }),
  }) as SubscriptionRecord;
const witness = (subId: number, time: number, more: Partial<Witness> = {}): Witness => ({
  ...{ subId, id: `w${subId}`, time, expires: 50_000, sinceS: time },
  ...more,
});
const event = (subId: number, id: string, time: number): StorableEvent => ({
  ...{ id, time, expires: time + 43_200, event: "message", topic: `t${subId}`, message: id },
});

/** The gaps that a poll at `NOW_S` finds if it brings these events. */
function gaps(subscriptions: SubscriptionRecord[], witnesses: Witness[], events: StorableEvent[]) {
  const proof = new CacheProof(subscriptions, witnesses);
  proof.see(events);
  return proof
    .gaps(subscriptions, proof.missing(NOW_S), NOW_S)
    .map(({ subId, from, to, forgot }) => [subId, from, to, forgot]);
}

describe("what is missing from a poll of everything", () => {
  test("is nothing if each witness came or may have expired", () => {
    const subscriptions = [subscription(1, 9_000), subscription(2, 9_000), subscription(3, 9_000)];
    const expiring = witness(2, 8_000, { expires: NOW_S + EXPIRY_MARGIN_S - 1 });
    expect(gaps(subscriptions, [witness(1, 8_000), expiring], [event(1, "w1", 8_000)])).toEqual([]);
    expect(gaps(subscriptions, [], [])).toEqual([]);
  });

  test("is a gap from the time up to which the topic was complete to the first message since, or to now", () => {
    const subscriptions = [subscription(1, 9_000), subscription(2, 9_100)];
    const witnesses = [witness(1, 8_000), witness(2, 8_500)];
    const events = [event(1, "later", 9_800), event(1, "first", 9_500)];
    expect(gaps(subscriptions, witnesses, events)).toEqual([
      [1, 9_000, 9_499, 1],
      [2, 9_100, 10_000, 1],
    ]);
  });

  test("begins at the witness if the last complete check did not look for it", () => {
    const late = witness(1, 8_000, { sinceS: 9_050 });
    expect(gaps([subscription(1, 9_000)], [late], [])).toEqual([[1, 8_000, 10_000, 1]]);
    expect(gaps([subscription(1, undefined)], [witness(1, 8_000)], [])).toEqual([[1, 8_000, 10_000, 1]]);
    // What came after the loss shows that the topic was complete from then on.
    expect(gaps([subscription(1, 9_900)], [witness(1, 8_000)], [event(1, "first", 9_500)])).toEqual([
      [1, 8_000, 9_499, 1],
    ]);
    const fresh = witness(1, 9_400);
    expect(gaps([subscription(1, 9_000)], [fresh], [])).toEqual([[1, 9_000, 10_000, 1]]);
  });

  test("includes topics without a witness if no other topic still has its older messages", () => {
    const subscriptions = [subscription(1, 9_000), subscription(2, 9_100), subscription(3, 9_200, 0)];
    expect(gaps(subscriptions, [witness(1, 8_000)], [event(1, "first", 9_500)])).toEqual([
      [1, 9_000, 9_499, 1],
      [2, 9_100, 9_499, 1],
    ]);
    // What came after the loss is no proof that older messages are still there.
    const behind = witness(2, 9_600);
    expect(gaps(subscriptions, [witness(1, 8_000), behind], [event(2, "w2", 9_600)])).toEqual([
      [1, 9_000, 10_000, 1],
      [2, 9_100, 10_000, 1],
    ]);
    // The server has lost one topic alone, and nobody knows when.
    const kept = witness(2, 8_600);
    expect(gaps(subscriptions, [witness(1, 8_000), kept], [event(2, "w2", 8_600)])).toEqual([[1, 8_000, 10_000, 1]]);
  });

  test("begins half a minute before the newest message if that one is missing alone", () => {
    const latest = { id: "latest", time: 9_400, expires: 50_000 };
    const subscriptions = [subscription(1, 9_000), subscription(2, 9_000)];
    const witnesses = [witness(1, 8_000, { latest }), witness(2, 8_000)];
    const kept = [event(1, "w1", 8_000), event(2, "w2", 8_000)];
    expect(gaps(subscriptions, witnesses, [...kept, event(1, "latest", 9_400)])).toEqual([]);
    expect(gaps(subscriptions, witnesses, [...kept, event(1, "next", 9_500)])).toEqual([[1, 9_370, 9_499, 1]]);
    expect(gaps(subscriptions.slice(0, 1), [witness(1, 9_390, { latest })], [event(1, "w1", 9_390)])).toEqual([
      [1, 9_390, 10_000, 1],
    ]);
    const expiring = { ...latest, expires: NOW_S + EXPIRY_MARGIN_S - 1 };
    expect(gaps(subscriptions, [witness(1, 8_000, { latest: expiring })], kept)).toEqual([]);
  });

  test("is shown, in a poll by time, by each topic's newest message, although only one witness is looked for", () => {
    const latest = { id: "latest", time: 9_400, expires: 50_000 };
    const witnesses = [witness(1, 8_500), witness(2, 8_000, { latest }), witness(3, 8_000)];
    const proof = new CacheProof(
      [1, 2, 3].map((subId) => subscription(subId, 9_000)),
      witnesses,
      1,
    );
    proof.see([event(1, "w1", 8_500)]);
    expect(proof.missing(NOW_S)).toEqual(["t2"]);
    proof.see([event(2, "latest", 9_400)]);
    expect(proof.missing(NOW_S)).toEqual([]);
  });

  test("is found by one witness of a poll by time: the newest before it, else the oldest since", () => {
    const subscriptions = [subscription(1, 9_000), subscription(2, 9_000), subscription(3, undefined)];
    const proofOf = (...witnesses: Witness[]) => new CacheProof(subscriptions, witnesses, 1).fromS;
    expect(proofOf(witness(1, 8_000), witness(2, 8_500))).toBe(8_500);
    expect(proofOf(witness(1, 8_000), witness(2, 9_500))).toBe(8_000);
    expect(proofOf(witness(1, 9_700), witness(2, 9_500))).toBe(9_500);
    expect(proofOf(witness(3, 9_900), witness(2, 8_500))).toBe(9_900);
    expect(proofOf(witness(4, 9_900))).toBe(Infinity);
  });
});
