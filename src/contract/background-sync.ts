// The browser's background sync, between pages and the worker that it wakes.

/** Scope of that worker's registration, relative to the app; two folders below it, as those for pushes. */
export const SYNC_SCOPE = "./sync/all/";

/** The one thing that the browser is asked to wake it for. */
export const SYNC_TAG = "receive";

/** The cache in which a page leaves the strings that the worker will say, and their address, relative to the app. */
export const SYNC_CACHE = "earshot-sync";
export const SYNC_STRINGS = "./sync/words";
