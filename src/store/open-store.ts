import { fail, ok, type Result } from "../protocol";
import { transact } from "./database";
import { addGap, removeGaps } from "./gaps";
import { ingest } from "./ingest";
import { readerOf } from "./indexeddb-reader";
import { releaseLease, takeLease } from "./lease";
import { deleteMessages, mark, markAllRead, restoreMessages, wakeSnoozed } from "./marks";
import { openDatabase, type OpenOptions } from "./open-database";
import { purgeRemoved } from "./purge-removed";
import { readSettings } from "./read-catalogue";
import { prune } from "./retention";
import { reconcileScheduled, settleDue } from "./scheduled";
import {
  addAccount,
  addServer,
  findServer,
  listAccounts,
  listServers,
  patchAccount,
  patchServer,
  setAccount,
} from "./servers";
import { setSetting } from "./settings";
import type { Store } from "./store";
import { storeErrorOf, type StoreError } from "./store-error";
import {
  addSubscriptions,
  getCursor,
  listSubscriptions,
  patchSubscription,
  removeSubscription,
  restoreSubscription,
  unjoin,
} from "./subscriptions";
import { addView, patchView, removeView } from "./views";

/** Opens the database for reading and writing, bringing it to this version first. */
export async function openStore(options?: OpenOptions): Promise<Result<Store, StoreError>> {
  const opened = await openDatabase(options);
  if (!opened.ok) return opened;
  const database = opened.value;
  return ok({
    reader: readerOf(database),
    close: () => database.close(),

    ingest: (batch) => attempt(ingest(database, batch)),
    settleDue: (input) => attempt(settleDue(database, input)),
    reconcileScheduled: (input) => attempt(reconcileScheduled(database, input)),
    wakeSnoozed: (nowMs) => attempt(wakeSnoozed(database, nowMs)),

    mark: (keys, which, nowMs) => attempt(mark(database, keys, which, nowMs)),
    markAllRead: (subIds, upTo, nowMs) => attempt(markAllRead(database, subIds, upTo, nowMs)),
    delete: (keys, nowMs) => attempt(deleteMessages(database, keys, nowMs)),
    restore: (keys) => attempt(restoreMessages(database, keys)),

    prune: (nowMs) => attempt(prune(database, nowMs)),
    purgeRemoved: (nowMs) => attempt(purgeRemoved(database, nowMs)),

    addServer: (address) => attempt(addServer(database, address)),
    findServer: (address) => attempt(findServer(database, address)),
    servers: () => attempt(listServers(database)),
    patchServer: (serverId, patch) => attempt(patchServer(database, serverId, patch)),

    addAccount: (serverId, credentials) => attempt(addAccount(database, serverId, credentials)),
    accounts: () => attempt(listAccounts(database)),
    patchAccount: (accountId, patch) => attempt(patchAccount(database, accountId, patch)),
    setAccount: (choice) => attempt(setAccount(database, choice)),

    addSubscriptions: (input) => attempt(addSubscriptions(database, input)),
    subscriptions: () => attempt(listSubscriptions(database)),
    patchSubscription: (subId, patch) => attempt(patchSubscription(database, subId, patch)),
    removeSubscription: (subId, nowMs) => attempt(removeSubscription(database, subId, nowMs)),
    restoreSubscription: (subId) => attempt(restoreSubscription(database, subId)),
    unjoin: (subIds) => attempt(unjoin(database, subIds)),

    getCursor: (serverId, accountId) => attempt(getCursor(database, serverId, accountId)),

    addGap: (gap) => attempt(addGap(database, gap)),
    removeGaps: (subId, from, to) => attempt(removeGaps(database, subId, from, to)),

    settings: () => attempt(transact(database, ["settings"], { mode: "readonly" }, readSettings)),
    setSetting: (name, value) => attempt(setSetting(database, name, value)),

    addView: (view) => attempt(addView(database, view)),
    patchView: (viewId, patch) => attempt(patchView(database, viewId, patch)),
    removeView: (viewId) => attempt(removeView(database, viewId)),

    lease: (name, holder, nowMs, untilMs) => attempt(takeLease(database, name, holder, nowMs, untilMs)),
    releaseLease: (name, holder) => attempt(releaseLease(database, name, holder)),

    message: (key) =>
      attempt(
        transact(database, ["messages"], { mode: "readonly" }, (transaction) => transaction.store("messages").get(key)),
      ),
  });
}

/** Hands what the database reports on as a value; bugs go on to the top. */
async function attempt<Value>(work: Promise<Value>): Promise<Result<Value, StoreError>> {
  try {
    return ok(await work);
  } catch (thrown) {
    const error = storeErrorOf(thrown);
    if (!error) throw thrown;
    return fail(error);
  }
}
