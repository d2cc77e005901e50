// What the page's first script reads, in one transaction and without any wrapper, so that it needn't load the code that
// creates, changes or searches the database.
import { type StoredMessage, isInFeed, newestFirst } from "../contract";
import { intact } from "./intact";
import { openAsItIs } from "./opening";
import type { EarshotSchema, GapRecord, ServerRecord, Settings, SubscriptionRecord, ViewRecord } from "./schema";
import { settingsOf } from "./settings";

/** The small tables, as far as the first rows need them. */
export interface FirstTables {
  servers: ServerRecord[];
  /** The subscriptions that aren't removed. */
  subscriptions: SubscriptionRecord[];
  views: ViewRecord[];
  gaps: GapRecord[];
  settings: Settings;
}

/** The chosen feed and its newest rows. */
export interface FirstRows<Feed> extends FirstTables {
  feed: Feed;
  /** Newest first. */
  rows: StoredMessage[];
  /** Nothing older is stored. */
  isAll: boolean;
}

/** A feed of all topics, or of one. */
interface FeedOf {
  subscription?: Pick<SubscriptionRecord, "subId">;
}

/** How many rows are read: those of a first page, and some more for rows that aren't shown. */
const ROWS = 46;

const NAMES = ["servers", "subscriptions", "views", "gaps", "settings", "messages"] as const;

/**
 * Reads the newest rows of a feed from the database as it is. Undefined if there is none, or one of another version,
 * which is left alone. Any error is reported by whoever opens the database next.
 *
 * @param choose picks the feed by what the small tables say; undefined = none
 * @param factory default: the browser's
 */
export async function readFirst<Feed extends FeedOf>(
  choose: (tables: FirstTables) => Feed | undefined,
  factory?: IDBFactory,
): Promise<FirstRows<Feed> | undefined> {
  const database = await openAsItIs(factory);
  if (!database) return undefined;
  try {
    const transaction = database.transaction(NAMES, "readonly");
    const all = async <Name extends Exclude<(typeof NAMES)[number], "settings">>(name: Name) =>
      intactOf(name, await answer(transaction.objectStore(name).getAll() as IDBRequest<unknown[]>));
    const messages = transaction.objectStore("messages");
    // All requests start at once, including the one for rows of all topics, as that is wanted most often.
    const [newest, servers, subscriptions, views, gaps, keys, values] = await Promise.all([
      newestOf(messages.index("time"), null),
      all("servers"),
      all("subscriptions"),
      all("views"),
      all("gaps"),
      answer(transaction.objectStore("settings").getAllKeys()),
      answer(transaction.objectStore("settings").getAll()),
    ]);
    const known = new Set(servers.map(({ serverId }) => serverId));
    const alive = subscriptions.filter(({ removedAtMs, serverId }) => removedAtMs === undefined && known.has(serverId));
    const settings = settingsOf(keys as string[], values);
    const tables: FirstTables = { servers, subscriptions: alive, views, gaps, settings };
    const feed = choose(tables);
    if (!feed) return undefined;
    const { subscription } = feed;
    // An empty array sorts after every number and string.
    const read = subscription
      ? await newestOf(messages, IDBKeyRange.bound([subscription.subId], [subscription.subId, []]))
      : newest;
    return { ...tables, feed, ...shownOf(read, new Set(alive.map(({ subId }) => subId))) };
  } catch (error) {
    // The storage failed; the app reports that when it reads in its turn.
    if (error instanceof DOMException) return undefined;
    throw error;
  } finally {
    database.close();
  }
}

/** The rows that are shown, in the order of the feed. */
function shownOf(read: unknown[], alive: ReadonlySet<number>): Pick<FirstRows<unknown>, "rows" | "isAll"> {
  const isAll = read.length < ROWS;
  const messages = intactOf("messages", read);
  // Keys order the rows of one second by id, so the last second may go on after what was read.
  const cut = isAll ? -Infinity : Number((read.at(-1) as Partial<StoredMessage> | undefined)?.time);
  const rows = messages.filter((row) => row.time > cut && alive.has(row.subId) && isInFeed(row)).sort(newestFirst);
  return { rows, isAll };
}

/** The records that may be used. */
function intactOf<Name extends Exclude<(typeof NAMES)[number], "settings">>(
  name: Name,
  records: unknown[],
): EarshotSchema[Name]["value"][] {
  return records.map((record) => intact(name, record)).filter((record) => record !== undefined);
}

function answer<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new DOMException("It could not be read."));
  });
}

/** Reads several records backwards at once, in browsers that can. */
interface Backwards {
  getAllRecords(options: {
    query: IDBKeyRange | null;
    count: number;
    direction: IDBCursorDirection;
  }): IDBRequest<{ value: unknown }[]>;
}

/** The last records of a range, last first. */
async function newestOf(source: IDBObjectStore | IDBIndex, query: IDBKeyRange | null): Promise<unknown[]> {
  if ("getAllRecords" in source) {
    const backwards = source as unknown as Backwards;
    const records = await answer(backwards.getAllRecords({ query, count: ROWS, direction: "prev" }));
    return records.map(({ value }) => value);
  }
  const rows: unknown[] = [];
  const request = source.openCursor(query, "prev");
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(request.error ?? new DOMException("It could not be read."));
    request.onsuccess = () => {
      const cursor = request.result;
      if (cursor) rows.push(cursor.value);
      if (cursor && rows.length < ROWS) cursor.continue();
      else resolve(rows);
    };
  });
}
