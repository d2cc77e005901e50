// What the first script of the page reads: past all wrappers, in one transaction and without the code that makes or changes
// the database.
import { DATABASE_NAME } from "./database-name";
import { SCHEMA_VERSION, type Settings, type ServerRecord, type StoredMessage, type SubscriptionRecord, type GapRecord, type ViewRecord } from "./schema";
import { settingsOf } from "./settings";
import { compareAge, isInFeed } from "./standing";

/** The small tables as far as the first rows need them. */
export interface FirstTables {
  servers: ServerRecord[];
  /** Not removed. */
  subscriptions: SubscriptionRecord[];
  views: ViewRecord[];
  gaps: GapRecord[];
  settings: Settings;
}

/** The newest rows of a feed. */
export interface FirstRows extends FirstTables {
  /** Newest first. */
  rows: StoredMessage[];
  /** These are all. */
  isAll: boolean;
}

/** Which feed is wanted, by what the tables say: all topics, one of them, or none that is read here. */
export type Choose = (tables: FirstTables) => { subId?: number } | undefined;

/** Rows that are read: those of a first page, and some that are not shown. */
const ROWS = 46;

const NAMES = ["servers", "subscriptions", "views", "gaps", "settings", "messages"] as const;

/**
 * Reads the newest rows of a feed out of the database as it is. Undefined where there is none, of this very version, or where
 * nothing is to be shown of it; whatever is wrong is left to the reader that opens it behind this one.
 */
export async function readFirst(meanwhile: () => void, choose: Choose): Promise<FirstRows | undefined> {
  const database = await openAsItIs();
  if (!database) return undefined;
  try {
    const transaction = database.transaction(NAMES, "readonly");
    const [messages, small] = [transaction.objectStore("messages"), (name: (typeof NAMES)[number]) => transaction.objectStore(name)];
    const newest = getLast(messages.index("time"), null);
    const small_ = Promise.all([
      answer<ServerRecord[]>(small("servers").getAll()),
      answer<SubscriptionRecord[]>(small("subscriptions").getAll()),
      answer<ViewRecord[]>(small("views").getAll()),
      answer<GapRecord[]>(small("gaps").getAll()),
      answer(small("settings").getAllKeys()),
      answer<unknown[]>(small("settings").getAll()),
    ]);
    meanwhile();
    const [servers, subscriptions, views, gaps, keys, values] = await small_;
    const tables: FirstTables = {
      servers,
      subscriptions: subscriptions.filter(({ removedAtMs }) => removedAtMs === undefined),
      views,
      gaps,
      settings: settingsOf(keys as string[], values),
    };
    const chosen = choose(tables);
    if (!chosen) return undefined;
    const { subId } = chosen;
    // An empty array sorts behind every number and text.
    const read = subId === undefined ? newest : getLast(messages, IDBKeyRange.bound([subId], [subId, []]));
    return { ...tables, ...firstRows(await read, new Set(tables.subscriptions.map((one) => one.subId))) };
  } finally {
    database.close();
  }
}

/** Those that are shown, in the order of the feed. */
function firstRows(read: StoredMessage[], alive: ReadonlySet<number>): Pick<FirstRows, "rows" | "isAll"> {
  const isAll = read.length < ROWS;
  const cut = isAll ? -Infinity : (read.at(-1)?.time ?? -Infinity);
  const rows = read
    // The last second may go on behind what was read.
    .filter((row) => row.time > cut && alive.has(row.subId) && isInFeed(row))
    .sort((a, b) => compareAge(b, a));
  return { rows, isAll };
}

function openAsItIs(): Promise<IDBDatabase | undefined> {
  return new Promise((resolve) => {
    const request = indexedDB.open(DATABASE_NAME);
    // There is none: none is made here.
    request.onupgradeneeded = () => request.transaction?.abort();
    request.onerror = () => resolve(undefined);
    request.onsuccess = () => {
      const database = request.result;
      database.onversionchange = () => database.close();
      if (database.version === SCHEMA_VERSION) return resolve(database);
      database.close();
      resolve(undefined);
    };
  });
}

function answer<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("not read"));
  });
}

/** The last records of a range, last first. */
async function getLast(source: IDBObjectStore | IDBIndex, query: IDBKeyRange | null): Promise<StoredMessage[]> {
  if ("getAllRecords" in source) {
    const { getAllRecords } = source as unknown as {
      getAllRecords(options: { query: IDBKeyRange | null; count: number; direction: IDBCursorDirection }): IDBRequest<{ value: StoredMessage }[]>;
    };
    const records = await answer(getAllRecords.call(source, { query, count: ROWS, direction: "prev" }));
    return records.map(({ value }) => value);
  }
  const rows: StoredMessage[] = [];
  const request = source.openCursor(query, "prev");
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(request.error ?? new Error("not read"));
    request.onsuccess = () => {
      const cursor = request.result;
      if (cursor) rows.push(cursor.value as StoredMessage);
      if (cursor && rows.length < ROWS) cursor.continue();
      else resolve(rows);
    };
  });
}
