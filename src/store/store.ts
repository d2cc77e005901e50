import type {
  Arrangement,
  Credentials,
  ListQuery,
  Mark,
  MessageKey,
  Result,
  SavedView,
  ServerAddress,
  StoredMessage,
} from "../protocol";
import type {
  Changes,
  IngestBatch,
  IngestResult,
  Marking,
  PruneResult,
  ReconcileInput,
  SettleInput,
  SettleResult,
  UnsettledSecond,
} from "./changes";
import type { TakenClaim } from "./claims";
import type { Patch } from "./patch";
import type { PurgeResult } from "./purge-removed";
import type { Reader } from "./reader";
import type {
  AccountRecord,
  CursorRecord,
  GapRecord,
  KeptFor,
  ServerRecord,
  Settings,
  SubscriptionRecord,
} from "./schema";
import type { AccountChoice } from "./edit-servers";
import type { NewSubscriptions } from "./edit-subscriptions";
import type { ServerPatch } from "./servers";
import type { IngestError, StoreError } from "./store-error";
import type { SubscriptionChange } from "./subscriptions";
import type { Witness, WitnessQuery } from "./witnesses";

/**
 * Every change and read goes through one of these; each is one transaction, or a few that each leave all counters
 * exact.
 */
export interface Store {
  /** Reads for a page that can't open the database itself. */
  readonly reader: Reader;
  close(): void;

  /** Stores what arrived, once, with its counters, alerts and cursors, in one transaction (docs/design.md §4). */
  ingest(batch: IngestBatch): Promise<Result<IngestResult, IngestError>>;
  /** Seconds of sequences whose order makes a difference and is not known: a poll of that topic alone tells it. */
  unsettled(): Promise<Result<UnsettledSecond[], StoreError>>;
  /** Lets scheduled messages enter the feed whose time has come. */
  settleDue(input: SettleInput): Promise<Result<SettleResult, StoreError>>;
  /** Takes away scheduled messages that were cancelled. */
  reconcileScheduled(input: ReconcileInput): Promise<Result<Changes, StoreError>>;
  /** Brings back, as unread, what was snoozed until now; `nextWakeMs` is the next one's time. */
  wakeSnoozed(nowMs: number): Promise<Result<Changes & { nextWakeMs?: number }, StoreError>>;

  /** `inverse` makes the rows that changed what they were. At most `BATCH` keys, like `delete` and `restore`. */
  mark(keys: MessageKey[], mark: Mark, nowMs: number): Promise<Result<Changes & { inverse: Marking[] }, StoreError>>;
  /**
   * `upTo`: server time, seconds, inclusive. `keys` are those that were unread, for undo; `onPart` is told after each
   * transaction.
   */
  markAllRead(
    subIds: number[],
    upTo: number | undefined,
    nowMs: number,
    onPart?: (changes: Changes) => void,
  ): Promise<Result<Changes & { keys: MessageKey[] }, StoreError>>;
  /** Hides messages; they go with the first `prune` after `DELETE_UNDO_MS`. */
  delete(keys: MessageKey[], nowMs: number): Promise<Result<Changes, StoreError>>;
  /** Takes `delete` back. */
  restore(keys: MessageKey[]): Promise<Result<Changes, StoreError>>;
  /** How many messages a list shows, and the newest arrival number of all. */
  count(query: ListQuery, nowMs: number): Promise<Result<{ count: number; upTo: number }, StoreError>>;
  /** Keys of all that a list shows, of those that had arrived up to a number. */
  chosenKeys(query: ListQuery & { upTo: number }, nowMs: number): Promise<Result<MessageKey[], StoreError>>;

  /** One bounded round of bringing the packs of the search up to what is stored; call again while there is more. */
  keepPacks(): Promise<Result<{ more: boolean }, StoreError>>;
  /** One bounded round of retention: ended undo times, age, number, outlived tombstones. */
  prune(nowMs: number): Promise<Result<PruneResult, StoreError>>;
  /** One bounded round of taking away subscriptions whose undo time is over. */
  purgeRemoved(nowMs: number): Promise<Result<PurgeResult, StoreError>>;

  /** Adds a server, or gives the one that has this address. */
  addServer(address: ServerAddress): Promise<Result<ServerRecord, StoreError>>;
  findServer(address: ServerAddress): Promise<Result<ServerRecord | undefined, StoreError>>;
  servers(): Promise<Result<ServerRecord[], StoreError>>;
  patchServer(serverId: number, patch: ServerPatch): Promise<Result<ServerRecord | undefined, StoreError>>;

  /** Adds an account, or gives the server's one with the same credentials. */
  addAccount(serverId: number, credentials: Credentials): Promise<Result<AccountRecord, StoreError>>;
  accounts(): Promise<Result<AccountRecord[], StoreError>>;
  patchAccount(
    accountId: number,
    patch: Patch<Pick<AccountRecord, "expires" | "refusedAtMs">>,
  ): Promise<Result<AccountRecord | undefined, StoreError>>;
  /** Sets credentials; subscriptions that change their account are caught up alone before they join its group. */
  setAccount(
    input: AccountChoice,
  ): Promise<Result<{ accountId: number; subscriptions: SubscriptionRecord[] }, StoreError>>;

  /** Adds topics at the end of the order; one that is there already is given as it is. */
  addSubscriptions(input: NewSubscriptions): Promise<Result<SubscriptionRecord[], StoreError>>;
  /** Those that are not removed, by their order. */
  subscriptions(): Promise<Result<SubscriptionRecord[], StoreError>>;
  patchSubscription(
    subId: number,
    patch: SubscriptionChange,
  ): Promise<Result<SubscriptionRecord | undefined, StoreError>>;
  /** Sets groups and order of all topics; those that are not named come last. */
  arrange(arrangement: Arrangement): Promise<Result<null, StoreError>>;
  /** Marks it removed; it receives nothing from now on. */
  removeSubscription(subId: number, nowMs: number): Promise<Result<SubscriptionRecord | undefined, StoreError>>;
  /** Takes `removeSubscription` back; it is caught up alone before it joins its group again. */
  restoreSubscription(subId: number): Promise<Result<SubscriptionRecord | undefined, StoreError>>;
  /** Takes a subscription out of its group's cursor, so that it is caught up alone again. */
  unjoin(subIds: number[]): Promise<Result<null, StoreError>>;

  /** Keeps how long the server keeps the messages of subscriptions, as far as was learnt. */
  noteKeptFor(learnt: ReadonlyMap<number, KeptFor>): Promise<Result<null, StoreError>>;

  getCursor(serverId: number, accountId: number): Promise<Result<CursorRecord | undefined, StoreError>>;

  gaps(subIds: readonly number[]): Promise<Result<GapRecord[], StoreError>>;
  /** Messages that the servers of some subscriptions must still have. */
  witnesses(query: WitnessQuery): Promise<Result<Witness[], StoreError>>;
  /** Adds a span in which messages may be missing, merged with those it touches. */
  addGap(gap: GapRecord): Promise<Result<null, StoreError>>;

  settings(): Promise<Result<Settings, StoreError>>;
  setSetting<Name extends keyof Settings>(name: Name, value: Settings[Name]): Promise<Result<null, StoreError>>;

  /** Sets the saved views, all of them and in their order. */
  setViews(views: readonly SavedView[]): Promise<Result<null, StoreError>>;

  /** Takes the alerts that were claimed and that nobody offers, to offer them until a moment (device clock, ms). */
  takeClaims(nowMs: number, heldUntilMs: number): Promise<Result<{ taken?: TakenClaim; nextMs?: number }, StoreError>>;
  /** A tab shows what was claimed, or there is nothing left to show; whether it was still open. */
  settleClaim(claimId: number): Promise<Result<boolean, StoreError>>;
  /** Those of some messages that are unread still. */
  unread(keys: readonly MessageKey[]): Promise<Result<StoredMessage[], StoreError>>;

  /** Takes or renews a lease, where there are no Web Locks; whether `holder` has it until `untilMs` now. */
  lease(name: string, holder: string, nowMs: number, untilMs: number): Promise<Result<boolean, StoreError>>;
  /** Gives a lease back, if `holder` has it. */
  releaseLease(name: string, holder: string): Promise<Result<null, StoreError>>;

  /** One row, whatever its marks. */
  message(key: MessageKey): Promise<Result<StoredMessage | undefined, StoreError>>;
}
