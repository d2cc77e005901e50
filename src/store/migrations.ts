export const DATABASE_NAME = "earshot";

/** Version of the database: a change of its layout needs a new one. */
export const SCHEMA_VERSION = 12;

/** What the schema says about one object store. */
interface StoreLayout {
  /** Absent = keys are stored separately from the values. */
  keyPath?: string | string[];
  indexes?: Record<string, string | string[]>;
}

const LAYOUT: Readonly<Record<string, StoreLayout>> = {
  servers: { keyPath: "serverId", indexes: { address: "address" } },
  accounts: { keyPath: "accountId", indexes: { server: "serverId" } },
  subscriptions: { keyPath: "subId", indexes: { serverTopic: ["serverId", "topic"] } },
  cursors: { keyPath: ["serverId", "accountId"] },
  messages: { keyPath: ["subId", "time", "id"], indexes: { order: ["time", "arrival"], listed: "listed" } },
  sequences: { keyPath: ["subId", "sequence"], indexes: { until: "until" } },
  tombstones: { keyPath: ["subId", "time", "id"], indexes: { until: "until" } },
  counts: { keyPath: ["subId", "day"] },
  gaps: { keyPath: ["subId", "from"] },
  segments: { keyPath: "from" },
  segmentTexts: { keyPath: "from" },
  signatures: { keyPath: "from" },
  views: { keyPath: "viewId" },
  settings: {},
  attachments: { keyPath: ["subId", "id"] },
  push: { keyPath: "serverId" },
  claims: { keyPath: "claimId", indexes: { until: "until" } },
  snapshots: { keyPath: "view" },
  outbox: { keyPath: ["subId", "sequence"] },
  clears: { keyPath: ["subId", "sequence"] },
  group: { keyPath: "deviceId" },
  shared: { keyPath: "key", indexes: { unsent: "unsent", changed: "changedAtMs" } },
};

/** The first version with counters and a search index like this one's. Those of earlier ones are made anew. */
const COUNTED_SINCE = 9;

/**
 * Brings a database of an earlier version, or a new one (`from` = 0), to the layout. Records stay as they are, because
 * readers check each. Without the counters, everything is counted and indexed anew (`repair.ts`).
 */
export function migrate(database: IDBDatabase, transaction: IDBTransaction, from: number): void {
  const madeAnew = from < COUNTED_SINCE ? ["segments", "segmentTexts", "signatures"] : [];
  for (const name of [...database.objectStoreNames])
    if (!Object.hasOwn(LAYOUT, name) || madeAnew.includes(name)) database.deleteObjectStore(name);
  for (const [name, { keyPath, indexes = {} }] of Object.entries(LAYOUT)) {
    const isThere = database.objectStoreNames.contains(name);
    const store = isThere
      ? transaction.objectStore(name)
      : database.createObjectStore(name, keyPath ? { keyPath } : {});
    for (const index of [...store.indexNames]) if (!Object.hasOwn(indexes, index)) store.deleteIndex(index);
    for (const [index, path] of Object.entries(indexes)) {
      // A row has an entry for each list that it is in.
      if (!store.indexNames.contains(index)) store.createIndex(index, path, { multiEntry: index === "listed" });
    }
  }
  if (from < COUNTED_SINCE) transaction.objectStore("settings").delete("counters");
}
