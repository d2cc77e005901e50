import type { MessageKey, StoredMessage } from "../contract";
import { fail, ok, type Result } from "../protocol";
import { arrange } from "./arrange";
import { importer } from "./backup/importer";
import { endClaims, readUnread, settleClaim, takeClaims } from "./claims";
import { transact, type Database } from "./database";
import { addAccount, addServer, findServer, moveServer, patchAccount, setAccount } from "./edit-servers";
import { addSubscriptions, removeSubscription, restoreSubscription } from "./edit-subscriptions";
import { fileSteps } from "./files/file-steps";
import { addGap } from "./gaps";
import { readerOf } from "./indexeddb-reader";
import { ingest } from "./ingest";
import { releaseLease, takeLease } from "./lease";
import { chosenKeys, countList, deleteMessages, mark, markAllRead, restoreMessages, storedKeys } from "./marks";
import { openDatabase, type OpenOptions } from "./open-database";
import { purgeRemoved } from "./purge-removed";
import { editPush, listPushes } from "./push";
import { readGaps, readSettings } from "./read-catalogue";
import { repair } from "./repair";
import { prune } from "./retention";
import { reconcileScheduled, settleDue } from "./scheduled";
import { updateIndex } from "./segments";
import { listAccounts, listServers, patchServer } from "./servers";
import { setSetting } from "./set-setting";
import { attempt, stepsOn } from "./steps";
import type { Store } from "./store";
import type { StoreError } from "./store-error";
import { getCursor, listSubscriptions, noteKeptFor, patchSubscription, unjoin } from "./subscriptions";
import { readUnsettled } from "./unsettled";
import { setViews } from "./views";
import { wakeAndUndo } from "./wake-and-undo";
import { readWitnesses } from "./witnesses";

const METHODS = {
  unsettled: readUnsettled,
  settleDue,
  reconcileScheduled,
  wakeSnoozed: wakeAndUndo,
  mark,
  markAllRead,
  delete: deleteMessages,
  restore: restoreMessages,
  count: countList,
  chosenKeys,
  storedKeys,
  updateIndex,
  prune,
  repair: (database: Database) => repair(database, true),
  purgeRemoved,
  addServer,
  findServer,
  servers: listServers,
  moveServer,
  patchServer,
  addAccount,
  accounts: listAccounts,
  patchAccount,
  setAccount,
  addSubscriptions,
  subscriptions: listSubscriptions,
  patchSubscription,
  arrange,
  removeSubscription,
  restoreSubscription,
  unjoin,
  noteKeptFor,
  getCursor,
  gaps: readGaps,
  witnesses: readWitnesses,
  addGap,
  settings: (database: Database) => transact(database, ["settings"], { mode: "readonly" }, readSettings),
  setSetting,
  setViews,
  takeClaims,
  settleClaim,
  endClaims,
  unread: readUnread,
  pushes: listPushes,
  editPush,
  lease: takeLease,
  releaseLease,
  message: (database: Database, key: MessageKey) =>
    transact(database, ["messages"], { mode: "readonly" }, (transaction) => transaction.store("messages").get(key)),
};

/** Opens the database for reading and writing, after migrating it to this version. */
export async function openStore(options?: OpenOptions): Promise<Result<Store, StoreError>> {
  const opened = await openDatabase(options);
  if (!opened.ok) return opened;
  const database = opened.value;
  return ok({
    ...stepsOn(database, METHODS),
    importer: importer(database),
    fileSteps: fileSteps(database),
    reader: readerOf(database),
    close: () => database.close(),
    ingest: async (batch) => {
      let unstored = undefined as StoredMessage[] | undefined;
      const result = await attempt(database, () => ingest(database, batch, (rows) => (unstored = rows)));
      return result.ok || !unstored ? result : fail({ ...result.error, unstored });
    },
  });
}
