import type { StoredMessage } from "../contract";
import type { CountRecord, SubscriptionRecord } from "./schema";

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
    countShortLists(transaction);
    markUpdates(transaction);
  },
];

/** The lists that each subscription counts since version 2. */
const COUNTED_LISTS = ["starred", "scheduled", "snoozed"] as const;

/** Version 2 counts starred, scheduled, snoozed and feed messages for each subscription. */
function countShortLists(transaction: IDBTransaction): void {
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
        if (!cursor) return counted.forEach((record) => subscriptions.put(record));
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
  /** The sequence being walked through: whether it has more than one version, and its newest one. */
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

/** Takes a database from its version (0 = just created) to the newest. */
export function migrate(database: IDBDatabase, transaction: IDBTransaction, fromVersion: number): void {
  for (const step of MIGRATIONS.slice(fromVersion)) step(database, transaction);
}
