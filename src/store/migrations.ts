import type { StoredMessage } from "../contract";
import type { Counters, CountRecord, SubscriptionRecord, TimeSpan } from "./schema";

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

/**
 * One step: the database has the previous version, and `transaction` spans everything. It calls `done` once none of its
 * writes can still undo the next step's.
 */
export type Migration = (database: IDBDatabase, transaction: IDBTransaction, done: () => void) => void;

/** The step to version 1 comes first. A released step never changes; each has a test that starts from real data. */
export const MIGRATIONS: readonly Migration[] = [
  (database, _transaction, done) => {
    for (const [name, { keyPath, indexes = {} }] of Object.entries(VERSION_1)) {
      const store = database.createObjectStore(name, keyPath === undefined ? {} : { keyPath });
      for (const [index, made] of Object.entries(indexes)) {
        if (typeof made === "object" && "keyPath" in made) store.createIndex(index, made.keyPath, made);
        else store.createIndex(index, made);
      }
    }
    done();
  },
  (database, transaction, done) => {
    // No release ever filled the packs as version 1 had them.
    database.deleteObjectStore("packs");
    database.createObjectStore("packs", { keyPath: "from" });
    database.createObjectStore("packTexts", { keyPath: "from" });
    database.createObjectStore("signatures", { keyPath: ["kind", "from"] });
    // What was claimed before was shown then, or is long past.
    database.createObjectStore("claims", { keyPath: "claimId" }).createIndex("until", "until");
    countShortLists(transaction, done);
    markUpdates(transaction);
  },
  (_database, transaction, done) => {
    countUrgent(transaction);
    done();
  },
  (database, _transaction, done) => {
    database.createObjectStore("imports", { keyPath: "importId" });
    database.createObjectStore("staged", { keyPath: ["importId", "part"] });
    done();
  },
  (_database, transaction, done) => {
    transaction.objectStore("packs").name = "segments";
    transaction.objectStore("packTexts").name = "segmentTexts";
    renameUnindexed(transaction, done);
  },
  (database, _transaction, done) => {
    database.createObjectStore("snapshots", { keyPath: "view" });
    done();
  },
  (_database, transaction, done) => {
    // A second with very many messages can be read in parts.
    const messages = transaction.objectStore("messages");
    messages.createIndex("order", ["time", "arrival"]);
    messages.deleteIndex("time");
    done();
  },
];

/** The lists that each subscription counts since version 2. */
const COUNTED_LISTS = ["starred", "scheduled", "snoozed"] as const;

/** Version 2 counts starred, scheduled, snoozed and feed messages for each subscription. */
function countShortLists(transaction: IDBTransaction, done: () => void): void {
  const subscriptions = transaction.objectStore("subscriptions");
  const listed = transaction.objectStore("messages").index("listed");
  subscriptions.getAll().onsuccess = ({ target }) => {
    const { result } = target as IDBRequest<SubscriptionRecord[]>;
    const counted = new Map(
      result.map((record) => [record.subId, { ...record, starred: 0, scheduled: 0, snoozed: 0, inFeed: 0 }]),
    );
    const count = (list: (typeof COUNTED_LISTS)[number], then: () => void) => {
      const request = listed.openCursor(IDBKeyRange.bound([list], [list, []]));
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return then();
        const row = cursor.value as { subId: number } & Partial<
          Record<"deletedAtMs" | "supersededBy" | "scheduled" | "doneAtMs", unknown>
        >;
        const record = counted.get(row.subId);
        const isCounted =
          row.deletedAtMs === undefined &&
          (list === "scheduled" || (row.scheduled === undefined && row.supersededBy === undefined)) &&
          (list !== "snoozed" || row.doneAtMs === undefined);
        if (record && isCounted) record[list] += 1;
        cursor.continue();
      };
    };
    const countFrom = (at: number): void => {
      const list = COUNTED_LISTS[at];
      if (list) count(list, () => countFrom(at + 1));
      else sumDays();
    };
    // Days have been counted since version 1, so no message need be read to count the feed.
    const sumDays = () => {
      const request = transaction.objectStore("counts").openCursor();
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) {
          counted.forEach((record) => subscriptions.put(record));
          return done();
        }
        const { subId, count } = cursor.value as CountRecord;
        const record = counted.get(subId);
        if (record) record.inFeed += count;
        cursor.continue();
      };
    };
    countFrom(0);
  };
}

/** Version 2 marks the newest of several versions as updated. */
function markUpdates(transaction: IDBTransaction): void {
  const messages = transaction.objectStore("messages");
  const request = messages.index("listed").openCursor(IDBKeyRange.bound(["sequence"], ["sequence", []]));
  /** The sequence being walked through: its newest version, and whether it has several. */
  let open: { name: string; isSeveral: boolean; newest: object | undefined } | undefined;
  const close = () => {
    if (open?.isSeveral && open.newest) messages.put({ ...open.newest, updated: 1 });
  };
  request.onsuccess = () => {
    const cursor = request.result;
    if (!cursor) return close();
    const row = cursor.value as Pick<StoredMessage, "subId" | "sequence" | "supersededBy">;
    const name = `${row.subId}/${String(row.sequence)}`;
    const isSame = name === open?.name;
    if (!isSame) close();
    open = {
      name,
      isSeveral: isSame,
      newest: row.supersededBy === undefined ? row : isSame ? open?.newest : undefined,
    };
    cursor.continue();
  };
}

/**
 * Version 3 counts unread messages of priority 4 apart from those of priority 5; before, one counter had both. Each topic's
 * messages are read from the newest on, until that counter's are found.
 */
function countUrgent(transaction: IDBTransaction): void {
  const subscriptions = transaction.objectStore("subscriptions");
  const messages = transaction.objectStore("messages");
  subscriptions.getAll().onsuccess = ({ target }) => {
    const { result } = target as IDBRequest<SubscriptionRecord[]>;
    for (const record of result) {
      let left = record.unreadUrgent;
      const counted = { ...record, unreadUrgent: 0, unreadHigh: 0 };
      const done = () => subscriptions.put(counted);
      if (!(left > 0)) {
        done();
        continue;
      }
      const request = messages.openCursor(IDBKeyRange.bound([record.subId], [record.subId, []]), "prev");
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor || left === 0) return void done();
        const row = cursor.value as StoredMessage;
        // A damaged one has no event.
        const priority = (row.event as StoredMessage["event"] | undefined | null)?.priority;
        const isUnread =
          row.readAtMs === undefined &&
          row.doneAtMs === undefined &&
          row.snoozedUntilMs === undefined &&
          row.deletedAtMs === undefined &&
          row.supersededBy === undefined &&
          row.scheduled === undefined;
        if (isUnread && (priority === 4 || priority === 5)) {
          counted[priority === 5 ? "unreadUrgent" : "unreadHigh"] += 1;
          left -= 1;
        }
        cursor.continue();
      };
    }
  };
}

/** Version 5 calls the spans that the search index doesn't cover `unindexed`; they were `unpacked` before. */
function renameUnindexed(transaction: IDBTransaction, done: () => void): void {
  const settings = transaction.objectStore("settings");
  settings.get("counters").onsuccess = ({ target }) => {
    const { result } = target as IDBRequest<({ unpacked?: TimeSpan[] } & Omit<Counters, "unindexed">) | undefined>;
    if (result?.unpacked) {
      const { unpacked: unindexed, ...counters } = result;
      settings.put({ ...counters, unindexed }, "counters");
    }
    done();
  };
}

/** Takes a database from its version (0 = just created) to the newest, or to the one given. */
export function migrate(
  database: IDBDatabase,
  transaction: IDBTransaction,
  fromVersion: number,
  toVersion = MIGRATIONS.length,
): void {
  if (fromVersion >= toVersion) return;
  MIGRATIONS[fromVersion]?.(database, transaction, () => migrate(database, transaction, fromVersion + 1, toVersion));
}
