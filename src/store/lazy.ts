// Code that receiving messages doesn't need; it is loaded on first use, as one chunk.
import { arrange } from "./arrange";
import { endClaims, readUnread, settleClaim, takeClaims } from "./claims";
import type { Database } from "./database";
import { addAccount, addServer, findServer, moveServer, patchAccount, setAccount } from "./edit-servers";
import { addSubscriptions, removeSubscription, restoreSubscription } from "./edit-subscriptions";
import { releaseLease, takeLease } from "./lease";
import { loadSteps } from "./load-steps";
import { chosenKeys, countList, deleteMessages, mark, markAllRead, restoreMessages, storedKeys } from "./marks";
import { updateIndex } from "./segments/update-index";
import { editPush, listPushes } from "./push";
import { purgeRemoved } from "./purge-removed";
import { repair } from "./repair";
import { prune } from "./retention";
import { reconcileScheduled, settleDue } from "./scheduled";
import { readUnsettled } from "./unsettled";
import { setViews } from "./views";
import { wakeAndUndo } from "./wake-and-undo";
import { readWitnesses } from "./witnesses";

export { heldBackBy } from "../contract";
export { applySequences, replacedBy } from "./apply-sequences";
export { secondOrders } from "./second-orders";

/** Methods of a `Store` whose code is here. Each takes the database first. */
export const methods = {
  settleDue,
  unsettled: readUnsettled,
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
  moveServer,
  addAccount,
  patchAccount,
  setAccount,
  addSubscriptions,
  arrange,
  removeSubscription,
  restoreSubscription,
  witnesses: readWitnesses,
  setViews,
  takeClaims,
  settleClaim,
  endClaims,
  unread: readUnread,
  pushes: listPushes,
  editPush,
  lease: takeLease,
  releaseLease,
  importer: async (database: Database) => (await loadSteps()).importer(database),
  fileSteps: async (database: Database) => (await loadSteps()).fileSteps(database),
};
