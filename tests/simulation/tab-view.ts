import { type HubEvent, isInFeed, type StoredMessage } from "../../src/contract";
import { openReader, type OpenReader, type Page, type Reader, type SubscriptionRecord } from "../../src/store";
import { nameOf } from "./books";

const PAGE = 500;

/** What a tab shows: read once from the database, then kept up to date by announcements, as `src/ui/state` does. */
export class TabView {
  /** Unread messages by subscription, as the list of topics shows them. */
  unread = new Map<number, number>();
  /** Rows in the feed by name; the value says whether they are read. */
  readonly rows = new Map<string, boolean>();
  readonly #indexedDB: IDBFactory;
  readonly #nowMs: () => number;
  #opened: OpenReader | undefined;
  #isReading = false;
  /** Announcements made during a read, which may be newer than what it returns. */
  #meanwhile: HubEvent[] = [];
  #known: ReadonlySet<number> = new Set();
  #wanted: "catalogue" | "everything" | undefined;

  constructor(indexedDB: IDBFactory, nowMs: () => number) {
    this.#indexedDB = indexedDB;
    this.#nowMs = nowMs;
    this.#want("everything");
  }

  hear(event: HubEvent): void {
    if (this.#isReading) this.#meanwhile.push(event);
    if (event.kind === "catalogue") this.#want("catalogue");
    if (event.kind === "missed") this.#want("everything");
    if (event.kind !== "rows") return;
    this.#apply(event);
    if (event.more > 0) this.#want("everything");
  }

  #apply(event: HubEvent): void {
    if (event.kind !== "rows") return;
    for (const [subId, , id] of event.removed) this.rows.delete(nameOf({ subId, id }));
    for (const row of [...event.changed, ...event.added]) this.#set(row);
    for (const { subId, unread } of event.counts) if (this.unread.has(subId)) this.unread.set(subId, unread);
  }

  #set(row: StoredMessage): void {
    if (isInFeed(row)) this.rows.set(nameOf(row), row.readAtMs !== undefined);
    else this.rows.delete(nameOf(row));
  }

  #want(what: "catalogue" | "everything"): void {
    if (this.#wanted !== "everything") this.#wanted = what;
    if (!this.#isReading) void this.#read();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    while (this.#wanted) {
      const wanted = this.#wanted;
      this.#wanted = undefined;
      this.#meanwhile = [];
      const reader = await this.#reader();
      const { subscriptions } = await reader.catalogue();
      this.unread = new Map(subscriptions.map(({ subId, unread }) => [subId, unread]));
      if (wanted === "everything") await this.#readRows(reader);
      this.#keepOnly(subscriptions);
      for (const event of this.#meanwhile) this.#apply(event);
    }
    this.#isReading = false;
  }

  async #readRows(reader: Reader): Promise<void> {
    const rows: StoredMessage[] = [];
    let from: Page["next"];
    do {
      const query = { list: "feed", direction: "older", count: PAGE, nowMs: this.#nowMs() } as const;
      const page = await reader.page({ ...query, ...(from && { from }) });
      rows.push(...page.rows);
      from = page.next;
    } while (from);
    this.rows.clear();
    for (const row of rows) this.#set(row);
  }

  /** Drops rows of removed topics, and asks for another read when a topic comes back. */
  #keepOnly(subscriptions: readonly SubscriptionRecord[]): void {
    const known = new Set(subscriptions.map(({ subId }) => subId));
    if ([...known].some((subId) => !this.#known.has(subId))) this.#wanted = "everything";
    this.#known = known;
    for (const name of this.rows.keys()) if (!known.has(Number(name.split("/")[0]))) this.rows.delete(name);
  }

  async #reader(): Promise<Reader> {
    if (!this.#opened) {
      const opened = await openReader({ indexedDB: this.#indexedDB });
      if (!opened.ok) throw new Error(`a tab can't open the database: ${opened.error.text}`);
      this.#opened = opened.value;
    }
    return this.#opened.reader;
  }
}
