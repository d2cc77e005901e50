import type { StoreName } from "./database";

/** Everything that the schema says of one object store. */
interface StoreLayout {
  /** Absent = keys stand apart from the values. */
  keyPath?: string | string[];
  indexes?: Record<string, string | string[] | { keyPath: string; multiEntry: true }>;
}

/** Version 1, as DESIGN, section 5, lists it. */
const VERSION_1: Record<StoreName, StoreLayout> = {
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

/** One step: the database has the version before it, `transaction` spans everything. */
export type Migration = (database: IDBDatabase, transaction: IDBTransaction) => void;

/** The step to version 1 first. A step that was released never changes; each has a test that starts from real data. */
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
];

/** Takes a database from the version it has (0 = just made) to the newest. */
export function migrate(database: IDBDatabase, transaction: IDBTransaction, fromVersion: number): void {
  for (const step of MIGRATIONS.slice(fromVersion)) step(database, transaction);
}
