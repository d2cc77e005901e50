import type { MessageKey, StoredMessage } from "../../src/contract";
import type { IngestResult, PruneResult, SequenceRecord, SubscriptionRecord, TombstoneRecord } from "../../src/store";
import type { ReadStore } from "./sim-disk";
import type { SimServer } from "./sim-server";

/** What was deleted is remembered until it expires and this much longer, seconds (docs/design.md §4). */
const REMEMBERED_S = 86_400;

/** A record, apart from the store, of what the user and the retention did and what the store returned, to check it. */
export class Books {
  /** When each subscription joined its group, true time, ms. */
  readonly joinedAtMs = new Map<number, number>();
  /** True time, ms, at which the user asked for it. */
  readonly askedAtMs = new Map<string, number>();
  /** Topics whose subscription was sent to a frozen worker, which handles it late. */
  readonly askedOfFrozen = new Set<string>();
  /** Rows, as `subId/id`, that the user deleted, that were pruned, that the user marked read. */
  readonly deleted = new Set<string>();
  readonly pruned = new Set<string>();
  readonly readByHand = new Set<string>();
  /** Asked of a worker that may have died after it was done, and before it said so. */
  readonly deletionAsked = new Set<string>();
  isReadingAsked = false;
  /** What is due is told by the time since the server's clock was heard: a device whose clock jumps can't know. */
  hasDeviceClockJumped = false;
  /** The latest that it showed since it was first set, ms. */
  #latestDeviceMs = -Infinity;
  /** By that clock, seconds: how long each row, once deleted, and each sequence has to be remembered. */
  readonly #rowsUntilS = new Map<string, number>();
  readonly #sequencesUntilS = new Map<string, number>();
  /** How often the alert of a row was claimed. */
  readonly claims = new Map<string, number>();
  /** When that was, and when a tab first showed it, true time, ms. */
  readonly claimedAtMs = new Map<string, number>();
  readonly shownAtMs = new Map<string, number>();
  /** Rows that were there at a quiet moment; and those of them that were listed as scheduled. */
  readonly confirmed = new Set<string>();
  listed: ReadonlySet<string> = new Set();
  readonly problems: unknown[] = [];
  /** By subscription, when the store first knew how short the server may keep messages, true time, ms. */
  readonly retentionKnownAtMs = new Map<number, number>();
  /** Since when something else answers in place of the server, true time, ms; undefined = it does not. */
  impostorSinceMs: number | undefined;
  /** When the user last asked for something that may try credentials again, true time, ms. */
  loginAskedAtMs = -Infinity;
  /** When it was written down that credentials were refused, true time, ms; undefined = none are. */
  loginRefusedAtMs: number | undefined;
  /** A write could fail since the last quiet moment. */
  hadFullDisk = false;

  /** What every store method says. */
  watch(method: string, args: unknown[], result: unknown): void {
    for (const [subId, id] of this.claimed(method, result)) {
      const name = nameOf({ subId, id });
      this.claims.set(name, (this.claims.get(name) ?? 0) + 1);
    }
    if (!isOk(result)) return;
    if (method === "prune") for (const key of (result.value as PruneResult).removed) this.pruned.add(nameOfKey(key));
    if (method === "delete") for (const key of args[0] as MessageKey[]) this.deleted.add(nameOfKey(key));
    if (method === "restore") for (const key of args[0] as MessageKey[]) this.deleted.delete(nameOfKey(key));
    if (method === "markAllRead") {
      for (const key of (result.value as { keys: MessageKey[] }).keys) this.readByHand.add(nameOfKey(key));
    }
  }

  /** Rows whose alerts the store says it has claimed. */
  claimed(method: string, result: unknown): [subId: number, id: string][] {
    if (!isOk(result) || (method !== "ingest" && method !== "settleDue")) return [];
    return (result.value as IngestResult).alerts.map(({ subId, id }) => [subId, id]);
  }

  /** Told when the device's clock is set, and at each commit after that: for `outlived` and `sequenceOutlived`. */
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

  /** By a device's clock that was set on, nothing has to remember any more that this row, `subId/id`, was deleted. */
  outlived(name: string): boolean {
    return this.#latestDeviceMs >= (this.#rowsUntilS.get(name) ?? Infinity) * 1_000;
  }

  /** The same of the events of a sequence. */
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

/** What the invariants are checked on. */
export interface Evidence {
  server: SimServer;
  books: Books;
  read: <Value>(name: string) => Value[];
  nowMs: number;
  /** What the device's clock shows. */
  deviceNowMs: number;
  /** Tabs could show alerts all the time, and workers store what they want to. */
  isAttentive: boolean;
}
