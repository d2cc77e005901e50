import type { Mark, MessageKey, StoredMessage } from "../../src/contract";
import type { IngestResult, PruneResult, SequenceRecord, SubscriptionRecord, TombstoneRecord } from "../../src/store";
import type { ReadStore } from "./sim-disk";
import type { SimServer } from "./sim-server";

/** How long beyond its expiry a deleted message is remembered, seconds (docs/design.md §4). */
const REMEMBERED_S = 86_400;

/** A record, apart from the store, of what user and retention did and what the store returned; the rules compare with it. */
export class Books {
  /** When each subscription joined its group, true time, ms. */
  readonly joinedAtMs = new Map<number, number>();
  /** When the user subscribed to each topic, true time, ms. */
  readonly askedAtMs = new Map<string, number>();
  /** Topics whose `subscribe` was sent to a frozen worker, which handles it late. */
  readonly askedOfFrozen = new Set<string>();
  /** Rows, as `subId/id`: deleted by the user, pruned. */
  readonly deleted = new Set<string>();
  readonly pruned = new Set<string>();
  /** Rows whose deletion was asked for; the worker may have died before or after it deleted them. */
  readonly deletionAsked = new Set<string>();
  isReadingAsked = false;
  /** The device's clock was set, so it can't know what is due: it counts from when it last heard the server's clock. */
  hasDeviceClockJumped = false;
  /** The latest time that the device's clock showed since it was first set, ms. */
  #latestDeviceMs = -Infinity;
  /** Until when each row, once deleted, and each sequence has to be remembered, by the device's clock, seconds. */
  readonly #rowsUntilS = new Map<string, number>();
  readonly #sequencesUntilS = new Map<string, number>();
  /** How often the alert of a row was claimed. */
  readonly claims = new Map<string, number>();
  /** When an alert was claimed, and when a tab first showed it, true time, ms. */
  readonly claimedAtMs = new Map<string, number>();
  readonly shownAtMs = new Map<string, number>();
  /** Rows that were stored at a quiet moment, and those of them that were scheduled. */
  readonly confirmed = new Set<string>();
  listed: ReadonlySet<string> = new Set();
  readonly problems: unknown[] = [];
  /** By subscription: when the store first knew the server's shortest retention, true time, ms. */
  readonly retentionKnownAtMs = new Map<number, number>();
  /** Since when something else has answered in place of the server, true time, ms; undefined = nothing does. */
  impostorSinceMs: number | undefined;
  /** When the user last asked for something that may try credentials again, true time, ms. */
  loginAskedAtMs = -Infinity;
  /** When the store noted that credentials were refused, true time, ms; undefined = none are. */
  loginRefusedAtMs: number | undefined;
  /** The disk was full at some time since the last quiet moment, so writes may have failed. */
  hadFullDisk = false;

  /** Notes the result of a store method; every call passes here. */
  watch(method: string, args: unknown[], result: unknown): void {
    for (const [subId, id] of this.claimed(method, result)) {
      const name = nameOf({ subId, id });
      this.claims.set(name, (this.claims.get(name) ?? 0) + 1);
    }
    if (!isOk(result)) return;
    if (method === "prune") for (const key of (result.value as PruneResult).removed) this.pruned.add(nameOfKey(key));
    const mark = method === "mark" ? (args[1] as Mark) : undefined;
    if (mark?.kind !== "deleted") return;
    for (const name of (args[0] as MessageKey[]).map(nameOfKey)) {
      if (mark.on) this.deleted.add(name);
      else this.deleted.delete(name);
    }
  }

  /** Rows whose alerts a store method claimed. */
  claimed(method: string, result: unknown): [subId: number, id: string][] {
    if (!isOk(result) || (method !== "ingest" && method !== "settleDue")) return [];
    return (result.value as IngestResult).alerts.map(({ subId, id }) => [subId, id]);
  }

  /** Notes what is remembered; called when the device's clock is set and at each commit after that. */
  noteTraces(read: ReadStore, deviceMs: number): void {
    this.#latestDeviceMs = Math.max(this.#latestDeviceMs, deviceMs);
    for (const row of read<StoredMessage>("messages")) {
      const name = nameOf(row);
      if (this.#rowsUntilS.has(name)) continue;
      const { time, expires = time } = row.event;
      // By either clock, as a device's may be ahead of its server's without having been set.
      const goneS = Math.max(expires, row.receivedAtMs / 1_000 + expires - time);
      this.#rowsUntilS.set(name, goneS + REMEMBERED_S);
    }
    for (const trace of read<TombstoneRecord>("tombstones")) {
      const name = nameOf(trace);
      if (!this.#rowsUntilS.has(name)) this.#rowsUntilS.set(name, trace.until);
    }
    for (const { subId, sequence, until } of read<SequenceRecord>("sequences")) {
      this.#sequencesUntilS.set(`${subId}/${sequence}`, until);
    }
  }

  /** Whether a clock set forward ended the time in which the deletion of this row, `subId/id`, is remembered. */
  outlived(name: string): boolean {
    return this.#latestDeviceMs >= (this.#rowsUntilS.get(name) ?? Infinity) * 1_000;
  }

  /** Whether a clock set forward ended the time in which the events of this sequence are remembered. */
  sequenceOutlived(subId: number, sequence: string): boolean {
    return this.#latestDeviceMs >= (this.#sequencesUntilS.get(`${subId}/${sequence}`) ?? Infinity) * 1_000;
  }

  noteJoined(subscriptions: readonly SubscriptionRecord[], nowMs: number): void {
    for (const { subId, joined } of subscriptions) {
      if (joined && !this.joinedAtMs.has(subId)) this.joinedAtMs.set(subId, nowMs);
    }
  }
}

function isOk(result: unknown): result is { ok: true; value: unknown } {
  return typeof result === "object" && result !== null && "ok" in result && result.ok === true;
}

export function nameOf(row: Pick<StoredMessage, "subId" | "id">): string {
  return `${row.subId}/${row.id}`;
}

function nameOfKey([subId, , id]: MessageKey): string {
  return `${subId}/${id}`;
}

/** A rule that was broken. */
export class Broken extends Error {
  override readonly name = "Broken";

  constructor(
    readonly rule: string,
    readonly text: string,
  ) {
    super(`${rule}: ${text}`);
  }
}

/** What the rules are checked on. */
export interface Evidence {
  server: SimServer;
  books: Books;
  read: <Value>(name: string) => Value[];
  nowMs: number;
  /** Time that the device's clock shows, ms. */
  deviceNowMs: number;
  /** Tabs could show alerts all the time, and workers could always write. */
  isAttentive: boolean;
}
