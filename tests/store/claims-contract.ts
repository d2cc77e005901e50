import { beforeEach, describe, expect, test } from "vitest";
import { ALERT_WITHIN_MS, type MessageKey } from "../../src/contract";
import { MAX_CLAIM_HOLD_MS, type Store } from "../../src/store";
import { checkConsistency } from "./check-consistency";
import { message, must, NOW_MS, NOW_S, receive, storeWith, type Engine } from "./samples";

/** How long a hub offers an alert to one tab, ms. */
const TURN_MS = 3_000;

/** After this time, ms, no alert is shown any more. */
const TOO_LATE_MS = ALERT_WITHIN_MS + 1_000;

/** After this time, ms, no hub can still be offering the alert to a tab. */
const ENDED_MS = TOO_LATE_MS + MAX_CLAIM_HOLD_MS;

export function describeClaims(makeEngine: () => Engine): void {
  describe("claimed alerts", () => {
    let engine: Engine;
    let store: Store;
    let subId: number;

    beforeEach(async () => {
      engine = makeEngine();
      const made = await storeWith(engine);
      store = made.store;
      subId = made.subIds[0] as number;
    });

    const take = async (nowMs = NOW_MS) => must(await store.takeClaims(nowMs, nowMs + TURN_MS));
    const idsOf = ({ taken }: Awaited<ReturnType<typeof take>>) => taken?.rows.map(({ id }) => id);

    test("stay until they are settled, and are taken together", async () => {
      expect(await take()).toEqual({});
      await receive(store, subId, [message("a"), message("b")]);
      await receive(store, subId, [message("c")]);
      await receive(store, subId, [message("a")], { via: "poll" });
      const first = await take();
      expect(idsOf(first)).toEqual(["a", "b", "c"]);
      const again = await take(NOW_MS + TURN_MS);
      expect(again).toEqual(first);
      const { claimId = 0 } = again.taken ?? {};
      expect([await store.settleClaim(claimId), await store.settleClaim(claimId)].map(must)).toEqual([true, false]);
      expect(await take(NOW_MS + 2 * TURN_MS)).toEqual({});
    });

    test("go to one of several hubs that ask at once, and the others learn when its time ends", async () => {
      await receive(store, subId, [message("a")]);
      const taken = await Promise.all([take(), take(), take()]);
      expect(taken.map(idsOf)).toEqual([["a"], undefined, undefined]);
      expect(taken.slice(1)).toEqual([{ nextMs: NOW_MS + TURN_MS }, { nextMs: NOW_MS + TURN_MS }]);
      await receive(store, subId, [message("b")]);
      expect(idsOf(await take()), "what came later is free").toEqual(["b"]);
    });

    test("come from messages that fall due too, but not from history or a muted topic", async () => {
      await receive(store, subId, [message("later", NOW_S + 10)], { via: "poll" });
      await receive(store, subId, [message("old", NOW_S - 10)], { alerts: false });
      expect(await take()).toEqual({});
      must(await store.settleDue({ serverNowS: NOW_S + 10, nowMs: NOW_MS, alerts: true }));
      expect(idsOf(await take())).toEqual(["later"]);
    });

    test("held until a time by a wrong clock are free for a hub with a right clock", async () => {
      await receive(store, subId, [message("a")]);
      must(await store.takeClaims(NOW_MS, NOW_MS + 86_400_000));
      expect(idsOf(await take())).toEqual(["a"]);
    });

    test("end after some minutes", async () => {
      await receive(store, subId, [message("a")]);
      expect(await take(NOW_MS + TOO_LATE_MS)).toEqual({});
      must(await store.endClaims(NOW_MS + ENDED_MS));
      expect(await take(), "even for a clock that is set back").toEqual({});
    });

    test("made while the clock was ahead end some minutes after it was set right", async () => {
      await receive(store, subId, [message("a")], { nowMs: NOW_MS + 86_400_000 });
      must(await store.endClaims(NOW_MS));
      expect(idsOf(await take(NOW_MS + ALERT_WITHIN_MS))).toEqual(["a"]);
      expect(await take(NOW_MS + TOO_LATE_MS)).toEqual({});
      expect(must(await store.endClaims(NOW_MS + ENDED_MS))).toBeUndefined();
      expect((await store.reader.get([subId, NOW_S, "a"]))?.noAlert).toBe("unshown");
    });

    test("end if no tab confirms them, and their messages say so", async () => {
      const reasons = async () => {
        const rows = await Promise.all(["shown", "unshown"].map((id) => store.reader.get([subId, NOW_S, id])));
        return rows.map((row) => row?.noAlert);
      };
      await receive(store, subId, [message("shown")]);
      must(await store.settleClaim((await take()).taken?.claimId ?? 0));
      await receive(store, subId, [message("unshown")]);
      expect(must(await store.endClaims(NOW_MS + TOO_LATE_MS)), "a tab may just be showing it").toBe(
        NOW_MS + ALERT_WITHIN_MS + MAX_CLAIM_HOLD_MS,
      );
      expect(await reasons()).toEqual([undefined, undefined]);
      expect(must(await store.endClaims(NOW_MS + ENDED_MS))).toBeUndefined();
      expect(await reasons()).toEqual([undefined, "unshown"]);
      expect(await take(), "even for a clock that is set back").toEqual({});
      await checkConsistency(engine);
    });

    test("end a few at a time, whichever hub looks, even if one has very many messages", async () => {
      const many = Array.from({ length: 450 }, (_, at) => message(`m${at}`));
      await receive(store, subId, many);
      await receive(store, subId, [message("last")]);
      const atMs = NOW_MS + ENDED_MS;
      expect(must(await store.endClaims(atMs))).toBeLessThanOrEqual(atMs);
      expect(must(await store.endClaims(atMs))).toBeLessThanOrEqual(atMs);
      expect(must(await store.endClaims(atMs))).toBeUndefined();
      const { messages } = await checkConsistency(engine);
      expect(messages.filter(({ noAlert }) => noAlert === "unshown")).toHaveLength(451);
    });

    test("end silently if the message is gone", async () => {
      await receive(store, subId, [message("a")]);
      must(await store.mark([[subId, NOW_S, "a"]], { kind: "deleted", on: true }, NOW_MS));
      must(await store.prune(NOW_MS + ENDED_MS));
      must(await store.endClaims(NOW_MS + ENDED_MS));
      expect((await checkConsistency(engine)).messages).toEqual([]);
    });

    test("bring only messages that are unread, and end without any", async () => {
      await receive(store, subId, [message("a"), message("b"), message("c")]);
      const keys = ["a", "b", "c"].map((id): MessageKey => [subId, NOW_S, id]);
      must(await store.mark(keys.slice(0, 1), { kind: "read", on: true }, NOW_MS));
      must(await store.mark(keys.slice(1, 2), { kind: "deleted", on: true }, NOW_MS));
      expect(must(await store.unreadAmong([...keys, [subId, NOW_S, "gone"]])).map(({ id }) => id)).toEqual(["c"]);
      expect(idsOf(await take())).toEqual(["c"]);
      must(await store.mark(keys, { kind: "read", on: true }, NOW_MS));
      expect(await take(NOW_MS + TURN_MS)).toEqual({});
      must(await store.mark(keys, { kind: "read", on: false }, NOW_MS));
      expect(await take(NOW_MS + 2 * TURN_MS)).toEqual({});
    });

    test("bring both versions of a second whose order is unknown", async () => {
      await receive(store, subId, [
        { ...message("a"), sequence_id: "s" },
        { ...message("b"), sequence_id: "s" },
      ]);
      expect(idsOf(await take())).toEqual(["a", "b"]);
    });
  });
}
