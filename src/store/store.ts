import type { Arrangement, ListQuery, Mark, MessageKey, SavedView, StoredMessage } from "../contract";
import type { Result, ServerAddress } from "../protocol";
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
import type { Importer } from "./backup/importer";
import type { FileSteps } from "./files/file-steps";
import type { TakenClaim } from "./claims";
import type { Patch } from "./patch";
import type { PurgeResult } from "./purge-removed";
import type { Reader } from "./reader";
import type {
  AccountRecord,
  CursorRecord,
  GapRecord,
  KeptFor,
  PushRecord,
  ServerRecord,
  Settings,
  SubscriptionRecord,
} from "./schema";
import type { AccountChoice, AccountSignIn, Moved, ServerMove } from "./edit-servers";
import type { NewSubscriptions } from "./edit-subscriptions";
import type { ServerPatch } from "./servers";
import type { IngestError, StoreError } from "./store-error";
import type { SubscriptionChange } from "./subscriptions";
import type { WakeRound } from "./wake-and-undo";
import type { Witness, WitnessQuery } from "./witnesses";

/**
 * How the hub changes and reads what is stored. Each method is one transaction, or a few that each leave all counters
 * exact.
 */
export interface Store {
  /** Reads for a page that can't open the database itself. */
  readonly reader: Reader;
  close(): void;

  /** Stores what arrived, once, with its counters, alerts and cursors, in one transaction (docs/design.md §4). */
  ingest(batch: IngestBatch): Promise<Result<IngestResult, IngestError>>;
  /** Seconds of sequences whose order makes a difference and isn't known; a poll of that topic alone shows it. */
  unsettled(): Promise<Result<UnsettledSecond[], StoreError>>;
  /** Lets scheduled messages whose time has come enter the feed. */
  settleDue(input: SettleInput): Promise<Result<SettleResult, StoreError>>;
  /** Removes scheduled messages that were cancelled. */
  reconcileScheduled(input: ReconcileInput): Promise<Result<Changes, StoreError>>;
  /**
   * Brings back, as unread, messages whose snooze has ended; `nextWakeMs` is when the next one ends, device clock, ms.
   * First it undoes an import that was cut, a part at a time; `nextWakeMs` is then when to call again.
   */
  wakeSnoozed(nowMs: number): Promise<Result<WakeRound, StoreError>>;

  /** Sets or removes a mark; `inverse` undoes it. At most `MAX_CHANGED` keys, as for `delete` and `restore`. */
  mark(keys: MessageKey[], mark: Mark, nowMs: number): Promise<Result<Changes & { inverse: Marking[] }, StoreError>>;
  /**
   * `upTo`: an arrival number; what came later stays as it is. `keys` are those that were unread, for undo; `onPart` is called after
   * each transaction.
   */
  markAllRead(
    subIds: number[],
    upTo: number,
    nowMs: number,
    onPart?: (changes: Changes) => void,
  ): Promise<Result<Changes & { keys: MessageKey[] }, StoreError>>;
  /** Hides messages; the first `prune` after `DELETE_UNDO_MS` removes them. */
  delete(keys: MessageKey[], nowMs: number): Promise<Result<Changes, StoreError>>;
  /** Undoes `delete`. */
  restore(keys: MessageKey[]): Promise<Result<Changes, StoreError>>;
  /** How many messages a list shows, and the newest arrival number of all. */
  count(query: ListQuery, nowMs: number): Promise<Result<{ count: number; upTo: number }, StoreError>>;
  /** Keys of everything a list shows, of what had arrived up to a number. */
  chosenKeys(query: ListQuery & { upTo: number }, nowMs: number): Promise<Result<MessageKey[], StoreError>>;

  /** Keys of everything that is stored of these subscriptions, earlier versions too, but for what was deleted. */
  storedKeys(subIds: readonly number[]): Promise<Result<MessageKey[], StoreError>>;

  /** Does one bounded round of bringing the search index up to date. Call again while there is more. */
  updateIndex(): Promise<Result<{ more: boolean }, StoreError>>;
  /** Does one bounded round of retention: ended undo times, age, number, tombstones no longer needed. */
  prune(nowMs: number): Promise<Result<PruneResult, StoreError>>;
  /** Removes what is damaged, and counts everything anew. */
  repair(): Promise<Result<null, StoreError>>;
  /** Does one bounded round of purging subscriptions whose undo time is over. */
  purgeRemoved(nowMs: number): Promise<Result<PurgeResult, StoreError>>;

  /** Adds a server, or returns the one that has this address. */
  addServer(address: ServerAddress): Promise<Result<ServerRecord, StoreError>>;
  findServer(address: ServerAddress): Promise<Result<ServerRecord | undefined, StoreError>>;
  servers(): Promise<Result<ServerRecord[], StoreError>>;
  /** Gives a server another address: its topics and messages stay, and are caught up from everything it has there. */
  moveServer(move: ServerMove): Promise<Result<Moved, StoreError>>;
  patchServer(serverId: number, patch: ServerPatch): Promise<Result<ServerRecord | undefined, StoreError>>;

  /** Adds an account, or returns the server's account with the same credentials. */
  addAccount(serverId: number, signIn: AccountSignIn): Promise<Result<AccountRecord, StoreError>>;
  accounts(): Promise<Result<AccountRecord[], StoreError>>;
  patchAccount(
    accountId: number,
    patch: Patch<Pick<AccountRecord, "expires" | "refusedAtMs" | "inStep">>,
  ): Promise<Result<AccountRecord | undefined, StoreError>>;
  /**
   * Sets credentials; subscriptions that change their account are caught up alone before they join its group. `gone`: accounts
   * that nothing uses any more.
   */
  setAccount(
    input: AccountChoice,
  ): Promise<Result<{ accountId: number; subscriptions: SubscriptionRecord[]; gone: AccountRecord[] }, StoreError>>;

  /** Adds topics at the end of the order; a topic that exists is returned as it is. */
  addSubscriptions(input: NewSubscriptions): Promise<Result<SubscriptionRecord[], StoreError>>;
  /** Subscriptions that aren't removed, in their order. */
  subscriptions(): Promise<Result<SubscriptionRecord[], StoreError>>;
  patchSubscription(
    subId: number,
    patch: SubscriptionChange,
  ): Promise<Result<SubscriptionRecord | undefined, StoreError>>;
  /** Sets the groups and the order of all topics; those that aren't named come last. */
  arrange(arrangement: Arrangement): Promise<Result<null, StoreError>>;
  /** Marks a subscription removed; it receives nothing from now on. */
  removeSubscription(subId: number, nowMs: number): Promise<Result<SubscriptionRecord | undefined, StoreError>>;
  /** Undoes `removeSubscription`; the topic is caught up alone before it joins its group again. */
  restoreSubscription(subId: number): Promise<Result<SubscriptionRecord | undefined, StoreError>>;
  /** Takes subscriptions out of their group's cursor, so that they are caught up alone again. */
  unjoin(subIds: number[]): Promise<Result<null, StoreError>>;

  /** Stores what was learnt of how long the server keeps the messages of subscriptions. */
  noteKeptFor(learnt: ReadonlyMap<number, KeptFor>): Promise<Result<null, StoreError>>;

  getCursor(serverId: number, accountId: number): Promise<Result<CursorRecord | undefined, StoreError>>;

  gaps(subIds: readonly number[]): Promise<Result<GapRecord[], StoreError>>;
  /** Messages that the server must still have, for these subscriptions. */
  witnesses(query: WitnessQuery): Promise<Result<Witness[], StoreError>>;
  /** Adds a gap, a span in which messages may be missing; it is merged with gaps that it touches. */
  addGap(gap: GapRecord): Promise<Result<null, StoreError>>;

  settings(): Promise<Result<Settings, StoreError>>;
  setSetting<Name extends keyof Settings>(name: Name, value: Settings[Name]): Promise<Result<null, StoreError>>;

  /** Replaces all saved views, in their order. */
  setViews(views: readonly SavedView[]): Promise<Result<null, StoreError>>;

  /** Takes the claimed alerts that nobody offers, to offer them until `heldUntilMs` (device clock, ms). */
  takeClaims(nowMs: number, heldUntilMs: number): Promise<Result<{ taken?: TakenClaim; nextMs?: number }, StoreError>>;
  /** Removes a claim, as a tab shows it or nothing is left to show. Resolves to whether it was still open. */
  settleClaim(claimId: number): Promise<Result<boolean, StoreError>>;
  /**
   * Removes claims that nobody confirmed in time, and notes with their messages that no tab showed them. Resolves to when
   * to look again, device clock, ms; undefined = no claim is left.
   */
  endClaims(nowMs: number): Promise<Result<number | undefined, StoreError>>;
  /** Those of these messages that are still unread. */
  unread(keys: readonly MessageKey[]): Promise<Result<StoredMessage[], StoreError>>;

  /** How the pushes of all servers stand that have any. */
  pushes(): Promise<Result<PushRecord[], StoreError>>;
  /** Changes what is noted of a server's pushes; undefined = nothing is. Resolves to what was noted before. */
  editPush(
    serverId: number,
    edit: (before: PushRecord | undefined) => PushRecord | undefined,
  ): Promise<Result<PushRecord | undefined, StoreError>>;

  /** Takes or renews a lease where there are no Web Locks. Resolves to whether `holder` now has it until `untilMs`. */
  lease(name: string, holder: string, nowMs: number, untilMs: number): Promise<Result<boolean, StoreError>>;
  /** Gives a lease back if `holder` has it. */
  releaseLease(name: string, holder: string): Promise<Result<null, StoreError>>;

  /** The transactions that an import consists of. */
  readonly importer: Importer;
  /** The transactions by which files of messages are kept. */
  readonly fileSteps: FileSteps;

  /** One row, whatever its marks. */
  message(key: MessageKey): Promise<Result<StoredMessage | undefined, StoreError>>;
}
