import type { StoredMessage } from "../contract";
import { fail, ok, type Result } from "../protocol";
import { transact, type Database } from "./database";
import { addGap } from "./gaps";
import { ingest } from "./ingest";
import type * as Later from "./later";
import { loadLater } from "./load-later";
import { openDatabase, type OpenOptions } from "./open-database";
import { readGaps, readSettings } from "./read-catalogue";
import { listAccounts, listServers, patchServer } from "./servers";
import { setSetting } from "./set-setting";
import { passingReader, type Reader } from "./reader";
import type { Store } from "./store";
import { storeErrorOf, type StoreError } from "./store-error";
import { getCursor, listSubscriptions, noteKeptFor, patchSubscription, unjoin } from "./subscriptions";

/** Opens the database for reading and writing, after migrating it to this version. */
export async function openStore(options?: OpenOptions): Promise<Result<Store, StoreError>> {
  const opened = await openDatabase(options);
  if (!opened.ok) return opened;
  const database = opened.value;
  return ok({
    reader: lateReader(database),
    close: () => database.close(),

    ingest: async (batch) => {
      let unstored = undefined as StoredMessage[] | undefined;
      const result = await attempt(ingest(database, batch, (rows) => (unstored = rows)));
      return result.ok || !unstored ? result : fail({ ...result.error, unstored });
    },
    settleDue: (input) => later(({ settleDue }) => settleDue(database, input)),
    unsettled: () => later(({ readUnsettled }) => readUnsettled(database)),
    reconcileScheduled: (input) => later(({ reconcileScheduled }) => reconcileScheduled(database, input)),
    wakeSnoozed: (nowMs) => later(({ wakeSnoozed }) => wakeSnoozed(database, nowMs)),

    mark: (keys, which, nowMs) => later(({ mark }) => mark(database, keys, which, nowMs)),
    markAllRead: (subIds, upTo, nowMs, onPart) =>
      later(({ markAllRead }) => markAllRead(database, subIds, upTo, nowMs, onPart)),
    delete: (keys, nowMs) => later(({ deleteMessages }) => deleteMessages(database, keys, nowMs)),
    restore: (keys) => later(({ restoreMessages }) => restoreMessages(database, keys)),
    count: (query, nowMs) => later(({ count }) => count(database, query, nowMs)),
    chosenKeys: (query, nowMs) => later(({ chosenKeys }) => chosenKeys(database, query, nowMs)),

    keepPacks: () => later(({ keepPacks }) => keepPacks(database)),
    prune: (nowMs) => later(({ prune }) => prune(database, nowMs)),
    purgeRemoved: (nowMs) => later(({ purgeRemoved }) => purgeRemoved(database, nowMs)),

    addServer: (address) => later(({ addServer }) => addServer(database, address)),
    findServer: (address) => later(({ findServer }) => findServer(database, address)),
    servers: () => attempt(listServers(database)),
    patchServer: (serverId, patch) => attempt(patchServer(database, serverId, patch)),

    addAccount: (serverId, credentials) => later(({ addAccount }) => addAccount(database, serverId, credentials)),
    accounts: () => attempt(listAccounts(database)),
    patchAccount: (accountId, patch) => later(({ patchAccount }) => patchAccount(database, accountId, patch)),
    setAccount: (choice) => later(({ setAccount }) => setAccount(database, choice)),

    addSubscriptions: (input) => later(({ addSubscriptions }) => addSubscriptions(database, input)),
    subscriptions: () => attempt(listSubscriptions(database)),
    patchSubscription: (subId, patch) => attempt(patchSubscription(database, subId, patch)),
    arrange: (arrangement) => later(({ arrange }) => arrange(database, arrangement)),
    removeSubscription: (subId, nowMs) => later(({ removeSubscription }) => removeSubscription(database, subId, nowMs)),
    restoreSubscription: (subId) => later(({ restoreSubscription }) => restoreSubscription(database, subId)),
    unjoin: (subIds) => attempt(unjoin(database, subIds)),

    noteKeptFor: (learnt) => attempt(noteKeptFor(database, learnt)),

    getCursor: (serverId, accountId) => attempt(getCursor(database, serverId, accountId)),

    gaps: (subIds) => attempt(readGaps(database, subIds)),
    witnesses: (query) => later(({ readWitnesses }) => readWitnesses(database, query)),
    addGap: (gap) => attempt(addGap(database, gap)),

    settings: () => attempt(transact(database, ["settings"], { mode: "readonly" }, readSettings)),
    setSetting: (name, value) => attempt(setSetting(database, name, value)),

    setViews: (views) => later(({ setViews }) => setViews(database, views)),

    takeClaims: (nowMs, heldUntilMs) => later(({ takeClaims }) => takeClaims(database, nowMs, heldUntilMs)),
    settleClaim: (claimId) => later(({ settleClaim }) => settleClaim(database, claimId)),
    unread: (keys) => later(({ readUnread }) => readUnread(database, keys)),

    lease: (name, holder, nowMs, untilMs) =>
      later(({ takeLease }) => takeLease(database, name, holder, nowMs, untilMs)),
    releaseLease: (name, holder) => later(({ releaseLease }) => releaseLease(database, name, holder)),

    message: (key) =>
      attempt(
        transact(database, ["messages"], { mode: "readonly" }, (transaction) => transaction.store("messages").get(key)),
      ),
  });
}

/** Does what isn't needed to receive messages, once its code is loaded. */
function later<Value>(work: (module: typeof Later) => Promise<Value>): Promise<Result<Value, StoreError>> {
  return attempt(loadLater().then(work));
}

/** Pages read for themselves; only a page that can't open the database asks here, so this code is loaded on demand. */
function lateReader(database: Database): Reader {
  return passingReader(async (method, args) => {
    const { readerOf } = await import("./late-reader");
    const read = readerOf(database)[method] as (...args: unknown[]) => Promise<unknown>;
    return read(...args);
  });
}

/** Returns the database's errors as values; bugs are thrown on. */
async function attempt<Value>(work: Promise<Value>): Promise<Result<Value, StoreError>> {
  try {
    return ok(await work);
  } catch (thrown) {
    const error = storeErrorOf(thrown);
    if (!error) throw thrown;
    return fail(error);
  }
}
