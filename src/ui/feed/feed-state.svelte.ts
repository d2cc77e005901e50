import type { Page, Reader, StoredMessage } from "../../client";
import type { HubEvent } from "../../protocol";
import type { Scope } from "../state/view";
import { belongsTo, isInList } from "./belongs";
import { compareRows, dropRows, keyText, mergeRows, replaceRows, rowKey, type Position } from "./feed-window";

/** Rows of the first read: a tall screen, and a little more. */
const FIRST_PAGE = 30;

/** Rows of every further read: a few screens, so that scrolling meets no edge, and still one short read. */
const NEXT_PAGE = 60;

/** Rows in memory. Beyond it the far end is let go and read again when one comes back (DESIGN, section 2, promise 3). */
const MOST_ROWS = 600;

/** New rows held back one by one; beyond it they are only counted, and read when asked for. */
const MOST_HELD = 200;

/** What was announced while a read was under way. */
function nothingYet() {
  return {
    added: new Map<string, StoredMessage>(),
    changed: new Map<string, StoredMessage>(),
    removed: new Set<string>(),
  };
}

type Rows = Extract<HubEvent<StoredMessage>, { kind: "rows" }>;

/**
 * The feed of one view: a bounded window of rows, newest first. It reads on at both ends as asked, follows what the hub
 * announces, and holds new rows back while something is being read.
 */
export class FeedState {
  readonly scope: Scope;
  /** Newest first, by (time, arrival). Replaced, never changed. */
  rows = $state.raw<readonly StoredMessage[]>([]);
  phase = $state<"reading" | "ready" | "failed">("reading");
  /** Something older, or newer, than the window is stored (or may be). */
  hasOlder = $state(true);
  hasNewer = $state(false);
  /** A long search goes on: server time, seconds, back to which it came. */
  searchedTo = $state<number>();
  /** New rows held back. */
  fresh = $state(0);
  /** Others were left out of the announcement, so `fresh` is only a part. */
  freshIsPart = $state(false);
  /** What could not be read, in technical words. */
  failure = $state<string>();

  /** Set by the list: new rows may enter at the top, as nothing else is being read. */
  follows = true;

  #reader: Pick<Reader, "page">;
  #older: Position | undefined;
  #held = new Map<string, StoredMessage>();
  #heldBeyond = 0;
  /** Rows that a full disk kept from being stored: no read brings them. */
  #unstored = new Map<string, StoredMessage>();
  /** What was announced while a read was under way: the read may have begun before it. */
  #since = nothingYet();
  /** Taken away here and now; when one comes back, by undo, it does so at once. */
  #gone = new Set<string>();
  #reads = 0;
  /** Grows when the window begins anew, so that reads of the former one end. */
  #turn = 0;
  #busy: "older" | "newer" | "newest" | undefined;
  #readAgain = false;

  constructor(reader: Pick<Reader, "page">, scope: Scope) {
    this.#reader = reader;
    this.scope = scope;
    void this.#readNewest(FIRST_PAGE);
  }

  /** Ends all reading; the state stays as it is. */
  dispose(): void {
    this.#turn++;
    this.#busy = undefined;
  }

  /** Reads more at the older end, if there is more. */
  older(): void {
    if (this.#busy || !this.hasOlder || this.phase === "failed") return;
    void this.#during("older", () => this.#readOlder(NEXT_PAGE));
  }

  /** Reads more at the newer end, when that was let go before. */
  newer(): void {
    if (this.#busy || !this.hasNewer || this.phase === "failed") return;
    void this.#during("newer", () => this.#readNewer());
  }

  /** Lets the rows that were held back in; resolves when the newest row is in the window. */
  async release(): Promise<void> {
    if (this.hasNewer || this.#heldBeyond > 0 || this.freshIsPart) {
      await this.#readNewest(NEXT_PAGE);
      return;
    }
    const held = [...this.#held.values()];
    this.#clearHeld();
    if (held.length > 0) this.#insert(held);
  }

  /** Tries again after a failure. */
  retry(): void {
    this.phase = "reading";
    void this.#readNewest(FIRST_PAGE);
  }

  /** Takes in an announcement of the hub. */
  apply(event: HubEvent<StoredMessage>): void {
    if (event.kind === "rows") this.#applyRows(event);
    if (event.kind === "unstored") {
      for (const row of event.rows.filter(this.#belongs())) this.#unstored.set(rowKey(row), row);
      this.#add(event.rows);
    }
  }

  /** Position of the oldest row that is still part of the window, for what lies between rows. */
  get oldest(): Position | undefined {
    return this.hasOlder ? this.rows.at(-1) : undefined;
  }

  #applyRows(event: Rows): void {
    const removed = new Set(event.removed.map(keyText));
    const changed = new Map(event.changed.map((row) => [rowKey(row), row]));
    for (const key of removed) this.#gone.add(key);
    if (this.#reads > 0) {
      for (const key of removed) {
        this.#since.removed.add(key);
        this.#since.added.delete(key);
      }
      for (const [key, row] of changed) {
        this.#since.changed.set(key, row);
        this.#since.removed.delete(key);
      }
    }
    this.rows = this.#corrected(this.rows, changed, removed);
    this.#correctHeld(changed, removed);

    const shown = new Set(this.rows.map(rowKey));
    const entered = event.changed.filter((row) => !shown.has(rowKey(row)) && !this.#held.has(rowKey(row)));
    this.#add([...event.added, ...entered]);

    if (event.more > 0) {
      if (this.follows && !this.hasNewer) void this.#readNewest(FIRST_PAGE);
      else {
        this.freshIsPart = true;
        // With a filter nobody knows how many of them it lets through.
        if (this.scope.filter.terms.length === 0 && this.scope.subIds === undefined) this.#heldBeyond += event.more;
        this.#countFresh();
      }
    }
  }

  /**
   * Rows after changes. A row that left its list (done, snoozed, replaced by a newer version) goes; one that merely no
   * longer fits the filter (read, in a view of what is unread) stays until the view is opened anew, since what is being
   * read doesn't move.
   */
  #corrected(
    rows: readonly StoredMessage[],
    changed: ReadonlyMap<string, StoredMessage>,
    removed: ReadonlySet<string>,
  ): readonly StoredMessage[] {
    const current = replaceRows(rows, changed);
    return dropRows(current, (row) => {
      const key = rowKey(row);
      const leaves =
        removed.has(key) || (changed.has(key) && this.scope.list !== "starred" && !isInList(row, this.scope.list));
      if (leaves) this.#gone.add(key);
      return leaves;
    });
  }

  #belongs(): (row: StoredMessage) => boolean {
    return belongsTo(this.scope, Date.now());
  }

  #correctHeld(changed: ReadonlyMap<string, StoredMessage>, removed: ReadonlySet<string>): void {
    const belongs = this.#belongs();
    for (const key of removed) this.#held.delete(key);
    for (const [key, row] of changed) {
      if (!this.#held.has(key)) continue;
      if (belongs(row)) this.#held.set(key, row);
      else this.#held.delete(key);
    }
    this.#countFresh();
  }

  /** Rows that are new to this view: in at once where nothing is being read, else held back. */
  #add(rows: readonly StoredMessage[]): void {
    const mine = rows.filter(this.#belongs());
    if (mine.length === 0) return;
    const back = mine.filter((row) => this.#gone.delete(rowKey(row)));
    if (this.#reads > 0) {
      for (const row of mine) {
        this.#since.added.set(rowKey(row), row);
        this.#since.removed.delete(rowKey(row));
      }
    }
    if (this.follows && !this.hasNewer) {
      this.#insert(mine);
      return;
    }
    if (back.length > 0) this.#insert(back);
    for (const row of mine) if (!back.includes(row)) this.#held.set(rowKey(row), row);
    if (this.#held.size > MOST_HELD) {
      const newest = [...this.#held.values()].sort(compareRows).slice(0, MOST_HELD);
      this.#heldBeyond += this.#held.size - newest.length;
      this.#held = new Map(newest.map((row) => [rowKey(row), row]));
    }
    this.#countFresh();
  }

  /** Puts rows in their places, but for those that lie beyond the window: a later read brings them. */
  #insert(rows: readonly StoredMessage[]): void {
    const older = this.hasOlder ? this.#older : undefined;
    const newest = this.hasNewer ? this.rows[0] : undefined;
    const inside = rows.filter(
      (row) => (!older || compareRows(row, older) <= 0) && (!newest || compareRows(row, newest) >= 0),
    );
    if (inside.length === 0) return;
    this.rows = mergeRows(this.rows, inside);
    this.#trimOlder();
  }

  #trimOlder(): void {
    if (this.rows.length <= MOST_ROWS) return;
    this.rows = this.rows.slice(0, MOST_ROWS);
    this.#older = this.rows.at(-1);
    this.hasOlder = true;
  }

  #trimNewer(): void {
    if (this.rows.length <= MOST_ROWS) return;
    this.rows = this.rows.slice(-MOST_ROWS);
    this.hasNewer = true;
  }

  #countFresh(): void {
    this.fresh = this.#held.size + this.#heldBeyond;
  }

  #clearHeld(): void {
    this.#held.clear();
    this.#heldBeyond = 0;
    this.freshIsPart = false;
    this.#countFresh();
  }

  /** One read at a time, its failure told, what was announced meanwhile applied by `#page`. */
  async #during(what: "older" | "newer" | "newest", read: () => Promise<void>): Promise<void> {
    const turn = this.#turn;
    this.#busy = what;
    try {
      await read();
      if (turn === this.#turn) this.phase = "ready";
    } catch (error) {
      if (turn !== this.#turn) return;
      this.phase = "failed";
      this.failure = String(error);
    } finally {
      if (turn === this.#turn) {
        this.#busy = undefined;
        this.searchedTo = undefined;
      }
    }
  }

  /** One page, and what was announced since it was asked for; undefined when the window began anew meanwhile. */
  async #page(
    direction: "older" | "newer",
    from: Position | undefined,
    count: number,
  ): Promise<(Page & { meanwhile: StoredMessage[] }) | undefined> {
    const turn = this.#turn;
    this.#reads++;
    try {
      const page = await this.#reader.page({ ...this.scope, direction, count, ...(from && { from }) });
      if (turn !== this.#turn) return undefined;
      const { added, changed, removed } = this.#since;
      return { ...page, rows: [...this.#corrected(page.rows, changed, removed)], meanwhile: [...added.values()] };
    } finally {
      this.#reads--;
      if (this.#reads === 0) this.#since = nothingYet();
    }
  }

  async #readOlder(count: number): Promise<void> {
    for (let got = 0; got < count;) {
      const page = await this.#page("older", this.#older, count - got);
      if (!page) return;
      got += page.rows.length;
      this.#older = page.next;
      this.hasOlder = page.next !== undefined;
      this.rows = mergeRows(this.rows, page.rows);
      this.#trimNewer();
      if (!page.next) return;
      this.searchedTo = page.next.time;
    }
  }

  async #readNewer(): Promise<void> {
    let from: Position | undefined = this.rows[0];
    for (let got = 0; got < NEXT_PAGE;) {
      const page = await this.#page("newer", from, NEXT_PAGE - got);
      if (!page) return;
      got += page.rows.length;
      this.rows = mergeRows(this.rows, page.rows);
      this.#trimOlder();
      from = page.next;
      if (from) continue;
      this.hasNewer = false;
      return;
    }
  }

  /** Begins the window anew at the newest row. What is shown stays until the first rows came. */
  async #readNewest(count: number): Promise<void> {
    if (this.#busy === "newest") {
      this.#readAgain = true;
      return;
    }
    this.#turn++;
    do {
      this.#readAgain = false;
      await this.#during("newest", () => this.#beginAnew(count));
    } while (this.#readAgain);
  }

  async #beginAnew(count: number): Promise<void> {
    const first = await this.#page("older", undefined, count);
    if (!first) return;
    const also = [...this.#unstored.values(), ...this.#held.values(), ...first.meanwhile];
    this.#clearHeld();
    this.hasNewer = false;
    this.hasOlder = first.next !== undefined;
    this.#older = first.next;
    this.rows = first.rows;
    this.#insert(also);
    if (!first.next || first.rows.length >= count) return;
    this.searchedTo = first.next.time;
    await this.#readOlder(count - first.rows.length);
  }
}
