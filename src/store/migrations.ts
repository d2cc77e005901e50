export const DATABASE_NAME = "earshot";

/** Version of the database; each step to it has a migration below. */
export const SCHEMA_VERSION = 12;

/** What the schema says about one object store. */
interface StoreLayout {
  /** Absent = keys are stored separately from the values. */
  keyPath?: string | string[];
  indexes?: Record<string, string | string[] | { keyPath: string; multiEntry: true }>;
}

/** Version 1; docs/design.md §5 says what later steps changed. */
const VERSION_1: Readonly<Record<string, StoreLayout>> = {
  servers: { keyPath: "serverId", indexes: { address: "address" } },
  accounts: { keyPath: "accountId", indexes: { server: "serverId" } },
  subscriptions: { keyPath: "subId", indexes: { serverTopic: ["serverId", "topic"] } },
  cursors: { keyPath: ["serverId", "accountId"] },
  messages: {
    keyPath: ["subId", "time", "id"],
    indexes: { time: "time", listed: { keyPath: "listed", multiEntry: true } },
  },
  sequences: { keyPath: ["subId", "sequence"], indexes: { until: "until" } },
  tombstones: { keyPath: ["subId", "time", "id"], indexes: { until: "until" } },
  counts: { keyPath: ["subId", "day"] },
  gaps: { keyPath: ["subId", "from"] },
  packs: { keyPath: "pack" },
  views: { keyPath: "viewId" },
  settings: {},
  attachments: { keyPath: ["subId", "id"] },
  push: { keyPath: "serverId" },
  leases: { keyPath: "name" },
};

/** One step: the database has the previous version, and `transaction` spans everything. */
export type Migration = (database: IDBDatabase, transaction: IDBTransaction) => void;

/** The step to version 1 comes first. A released step never changes; each has a test that starts from real data. */
export const MIGRATIONS: readonly Migration[] = [
  (database) => {
    for (const [name, { keyPath, indexes = {} }] of Object.entries(VERSION_1)) {
      const store = database.createObjectStore(name, keyPath === undefined ? {} : { keyPath });
      for (const [index, made] of Object.entries(indexes)) {
        if (typeof made === "object" && "keyPath" in made) store.createIndex(index, made.keyPath, made);
        else store.createIndex(index, made);
      }
    }
  },
  (database, transaction) => {
    // No release ever filled the packs as version 1 had them.
    database.deleteObjectStore("packs");
    database.createObjectStore("packs", { keyPath: "from" });
    database.createObjectStore("packTexts", { keyPath: "from" });
    database.createObjectStore("signatures", { keyPath: ["kind", "from"] });
    // What was claimed before was shown then, or is long past.
    database.createObjectStore("claims", { keyPath: "claimId" }).createIndex("until", "until");
    countAnew(transaction);
  },
  (_database, transaction) => {
    // Unread messages of priority 4 are counted separately from those of priority 5.
    countAnew(transaction);
  },
  (database) => {
    database.createObjectStore("imports", { keyPath: "importId" });
    database.createObjectStore("staged", { keyPath: ["importId", "part"] });
  },
  (_database, transaction) => {
    transaction.objectStore("packs").name = "segments";
    transaction.objectStore("packTexts").name = "segmentTexts";
    // The counters name what isn't indexed; the name has changed.
    countAnew(transaction);
  },
  (database) => {
    database.createObjectStore("snapshots", { keyPath: "view" });
  },
  (_database, transaction) => {
    // A second with very many messages can be read in parts.
    const messages = transaction.objectStore("messages");
    messages.createIndex("order", ["time", "arrival"]);
    messages.deleteIndex("time");
  },
  (database) => {
    // An import stores nothing before the user accepts it.
    database.deleteObjectStore("imports");
    database.deleteObjectStore("staged");
  },
  (database, transaction) => {
    // The search index has ids in its columns, and one signature for each segment.
    database.deleteObjectStore("signatures");
    database.createObjectStore("signatures", { keyPath: "from" });
    countAnew(transaction);
  },
  (database) => {
    database.createObjectStore("outbox", { keyPath: ["subId", "sequence"] });
    // Where there are no locks, every hub leads.
    database.deleteObjectStore("leases");
  },
  (database) => {
    database.createObjectStore("clears", { keyPath: ["subId", "sequence"] });
  },
  (database) => {
    database.createObjectStore("group", { keyPath: "deviceId" });
    const shared = database.createObjectStore("shared", { keyPath: "key" });
    shared.createIndex("unsent", "unsent");
    shared.createIndex("changed", "changedAtMs");
  },
];

/** Without counters, the first write counts everything again (`repair.ts`). */
function countAnew(transaction: IDBTransaction): void {
  transaction.objectStore("settings").delete("counters");
}

/** Takes a database from its version (0 = just created) to the newest, or to the one given. */
export function migrate(
  database: IDBDatabase,
  transaction: IDBTransaction,
  fromVersion: number,
  toVersion = MIGRATIONS.length,
): void {
  for (const step of MIGRATIONS.slice(fromVersion, toVersion)) step(database, transaction);
}
