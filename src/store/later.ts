// What isn't needed to receive messages; it is loaded later, as one chunk.
export { applySequences, replacedBy } from "./apply-sequences";
export { arrange } from "./arrange";
export { readUnread, settleClaim, takeClaims } from "./claims";
export { chosenKeys, count, deleteMessages, mark, markAllRead, restoreMessages, wakeSnoozed } from "./marks";
export { releaseLease, takeLease } from "./lease";
export { addAccount, addServer, findServer, patchAccount, setAccount } from "./edit-servers";
export { addSubscriptions, removeSubscription, restoreSubscription } from "./edit-subscriptions";
export { keepPacks } from "./packs/keep-packs";
export { purgeRemoved } from "./purge-removed";
export { prune } from "./retention";
export { reconcileScheduled, settleDue } from "./scheduled";
export { toldSeconds } from "./told-seconds";
export { readUnsettled } from "./unsettled";
export { setViews } from "./views";
export { readWitnesses } from "./witnesses";
