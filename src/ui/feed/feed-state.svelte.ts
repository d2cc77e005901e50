import type { Page, PageQuery, StoreError } from "../../client";
import {
  type HubEvent,
  isListedIn,
  keyText,
  type Position,
  type Result,
  rowKey,
  type StoredMessage,
} from "../../protocol";
import type { FeedQuery } from "../state/view";
import { belongsTo } from "./belongs";
import { Extent } from "./extent.svelte";
import { dropRows, mergeRows, newestFirst, orderOf, positionOf, replaceRows, type Order } from "./feed-window";
import type { FeedPlace, Goal, Landing } from "./scroll-anchor";

/** Rows of the first read: a tall screen, and a little more. In the midst of a feed so many each way. */
const FIRST_PAGE = 30;

/**
 * Rows of every further read: a few screens, so that scrolling meets no edge, and still one short read. A page grows to
 * the end of a second, by some hundreds in a burst: what is on the screen must stay among `MOST_ROWS` then.
 */
const NEXT_PAGE = 60;

/**
 * Rows in memory. Beyond it the far end is let go and read again when one comes back (docs/design.md §2, promise 3).
 */
const MOST_ROWS = 600;

/** New rows held back one by one; beyond it they are only counted, and read when asked for. */
const MOST_HELD = 200;

/** Reads a page of what is stored. */
export type ReadPage = (query: PageQuery) => Promise<Result<Page, StoreError>>;

type Rows = Extract<HubEvent, { kind: "rows" }>;
type Filled = Page & { meanwhile: StoredMessage[] };

/** What was announced while a read was under way, which may have begun before it. */
function nothingYet() {
  return {
    added: new Map<string, StoredMessage>(),
    changed: new Map<string, StoredMessage>(),
    removed: new Set<string>(),
  };
}

/**
 * The feed of one view: a bounded window of rows in the order of the list (newest first; what is scheduled, soonest
 * first). It reads on at both ends as asked, follows what the hub announces, and holds new rows back while something is
 * being read. "Above" and "below" are meant as on the screen.
 */
export class FeedState {
  readonly scope: FeedQuery;
  /** Replaced, never changed. */
  rows = $state.raw<readonly StoredMessage[]>([]);
  phase = $state<"reading" | "ready" | "failed">("reading");
  /** Rows are being read. */
  isReading = $state(false);
  /** More is stored than the window holds (or may be). */
  hasAbove = $state(false);
  hasBelow = $state(true);
  /** A search goes on: server time, seconds, to which it came. */
  searchedTo = $state<number>();
  /** New rows that are held back. */
  fresh = $state(0);
  /** More than `fresh` are held back: some were left out of the announcement. */
  freshIsPart = $state(false);
  /** What could not be read, in technical words. */
  failure = $state<string>();
  /** Where the list is to stand; each object is meant once. Absent = at its top. */
  landing = $state.raw<Landing>();
  /** Where in all there is the window stands. */
  readonly extent = new Extent(this);

  /** Resolves when the first read ended, well or not. */
  begun = Promise.resolve();

  /** Set by the list: it stands at its top, so that new rows may enter. */
  follows = true;

  readonly #read: ReadPage;
  #order: Order;
  #down: "older" | "newer";
  /** How far the reads came below; rows beyond it come with a later read. */
  #reached: Position | undefined;
  #held = new Map<string, StoredMessage>();
  #heldBeyond = 0;
  /** Rows that a full disk kept from being stored: no read brings them. */
  #unstored = new Map<string, StoredMessage>();
  #since = nothingYet();
  /** Rows that left the window: when one comes back, by undo, it does so at once. */
  #gone = new Set<string>();
  #reads = 0;
  /** Grows when the window begins anew, so that reads of the former one end. */
  #turn = 0;
  #busy: "above" | "below" | "top" | "place" | undefined;
  #topAgain = false;
  #isAway = false;
  #mustRead = false;
  /** Where the first read is to begin, until it came. */
  #start: FeedPlace | undefined;

  /** @param start where to begin; absent = at the top */
  constructor(read: ReadPage, scope: FeedQuery, start?: FeedPlace) {
    this.#read = read;
    this.scope = scope;
    this.#start = start;
    const { order, isAhead } = orderOf(scope.list);
    this.#order = order;
    this.#down = isAhead ? "newer" : "older";
    this.#begin();
  }

  #begin(): void {
    this.begun = this.#start ? this.goTo(this.#start) : this.#readTop(FIRST_PAGE);
  }

  /** The view was left: all reading ends, so that no search goes on behind the next one. Changes are still taken in. */
  leave(): void {
    this.#turn++;
    this.#busy = undefined;
    this.isReading = false;
    this.#topAgain = false;
    this.#isAway = true;
  }

  /** The view is shown again: what was not read to the end, or was left out of an announcement meanwhile, is read. */
  comeBack(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    if (this.phase === "reading") this.#begin();
    else if (this.#mustRead) void this.#readTop(FIRST_PAGE);
    this.#mustRead = false;
  }

  /** Reads more at the lower end, if there is more. */
  readBelow(): void {
    if (this.#busy || !this.hasBelow || this.phase === "failed") return;
    void this.#during("below", () => this.#readBelow(NEXT_PAGE));
  }

  /** Reads more at the upper end, where rows were let go. */
  readAbove(): void {
    if (this.#busy || !this.hasAbove || this.phase === "failed") return;
    void this.#during("above", () => this.#readAbove());
  }

  /**
   * Lets in what was held back; resolves when the first row of all is in the window.
   * @param how "leave": the list leaves what it shows for its top
   */
  async release(how?: "leave"): Promise<void> {
    if (this.hasAbove || this.#heldBeyond > 0 || this.freshIsPart) {
      await this.#readTop(NEXT_PAGE, how);
      return;
    }
    const held = [...this.#held.values()];
    this.#clearHeld();
    this.#insert(held);
  }

  /** Tries again after a failure. */
  retry(): void {
    this.phase = "reading";
    this.#begin();
  }

  /** Begins the window anew around a place, wherever that is in the list. What is shown stays until its rows came. */
  async goTo(place: Goal): Promise<void> {
    this.#turn++;
    this.#topAgain = false;
    this.follows = false;
    await this.#during("place", () => this.#beginAt(place));
  }

  /** Lets the list stand at a place of the window; where that message is gone, at the one below it. */
  land(place: Goal | undefined): void {
    const row =
      place &&
      (this.rows.find((one) => rowKey(one) === place.key) ??
        this.rows.find((one) => this.#order(one, place) >= 0) ??
        this.rows.at(-1));
    this.landing = row && { key: rowKey(row), offset: place.offset ?? 0, stays: place.stays };
  }

  /** The list was scrolled to where nothing is in memory, so far into what is above or below the window: 0 to 1. */
  reach(where: "above" | "below", part: number): void {
    if (this.#busy === "place" || this.phase === "failed") return;
    const goal = this.extent.goalAt(where, part);
    if (goal) void this.goTo(goal);
    else this.readAbove();
  }

  /** Takes in an announcement of the hub. */
  apply(event: HubEvent): void {
    if (event.kind === "rows") this.#applyRows(event);
    if (event.kind === "missed") this.#readMissed();
    if (event.kind === "unstored") {
      for (const row of event.rows.filter(this.#belongs())) this.#unstored.set(rowKey(row), row);
      forgetOldest(this.#unstored, MOST_HELD);
      this.#add(event.rows);
    }
  }

  #applyRows(event: Rows): void {
    const removed = new Set(event.removed.map(keyText));
    const changed = new Map(event.changed.map((row) => [rowKey(row), row]));
    this.#noteChanges(changed, removed);
    this.rows = this.#corrected(this.rows, changed, removed);
    this.#correctHeld(changed, removed);

    const shown = new Set(this.rows.map(rowKey));
    for (const row of event.added) this.#unstored.delete(rowKey(row));
    const entered = event.changed.filter((row) => !shown.has(rowKey(row)) && !this.#held.has(rowKey(row)));
    this.#add([...event.added, ...entered]);
    if (event.more > 0) this.#readLeftOut(event);
  }

  /** Something may have been stored without a word. What is new further up shows with the next look there. */
  #readMissed(): void {
    if (this.#start && !this.#isAway) this.#begin();
    else if (!this.follows || this.hasAbove) void this.#readAgain();
    else if (this.#isAway) this.#mustRead = true;
    else void this.#readTop(FIRST_PAGE);
  }

  /** Some rows were left out of an announcement: what is on the screen is read again, what is new is counted. */
  #readLeftOut({ added, changed, more }: Rows): void {
    if (changed.length === 0 && this.#endAt(added)) return;
    if (this.follows && !this.hasAbove) {
      if (this.#isAway) this.#mustRead = true;
      else void this.#readTop(FIRST_PAGE);
      return;
    }
    if (changed.length > 0) void this.#readAgain();
    if (added.length === 0) return;
    // How many of them a filter or a choice of topics lets through, nobody knows before they are read.
    const isExact = changed.length === 0 && this.scope.filter.terms.length === 0 && this.scope.subIds === undefined;
    if (isExact) this.#heldBeyond += more;
    else this.freshIsPart = true;
    this.#countFresh();
  }

  /**
   * Where rows were added alone, all that was left out is older than what was announced: the window ends there, unless
   * too little would be left of it, and nothing need be read before one scrolls down. Whether it could.
   */
  #endAt(added: readonly StoredMessage[]): boolean {
    const { list } = this.scope;
    const isQuiet = this.#reads === 0 && this.#unstored.size === 0;
    if (list !== "feed" || !this.follows || this.hasAbove || !isQuiet) return false;
    const oldest = added.reduce<StoredMessage | undefined>(
      (last, row) => (last && newestFirst(last, row) > 0 ? last : row),
      undefined,
    );
    if (!oldest) return false;
    const kept = this.rows.filter((row) => newestFirst(row, oldest) <= 0);
    if (kept.length < FIRST_PAGE) return false;
    if (kept.length < this.rows.length || !this.hasBelow) {
      this.rows = kept;
      this.#reached = this.#position(oldest);
      this.hasBelow = true;
    }
    this.extent.countBelow();
    return true;
  }

  /**
   * Rows after changes. One that left its list (done, deleted, replaced by a newer version) goes; one that merely no
   * longer passes the filter, or lost its star, stays until the view is opened anew, since what is being read doesn't
   * move.
   */
  #corrected(
    rows: readonly StoredMessage[],
    changed: ReadonlyMap<string, StoredMessage>,
    removed: ReadonlySet<string>,
  ): readonly StoredMessage[] {
    const { list } = this.scope;
    const stands = isListedIn(list === "starred" ? "feed" : list, this.scope.filter);
    return dropRows(replaceRows(rows, changed), (row) => {
      const key = rowKey(row);
      const leaves = removed.has(key) || (changed.has(key) && !stands(row));
      if (leaves) this.#gone.add(key);
      forgetOldest(this.#gone, MOST_ROWS);
      return leaves;
    });
  }

  #noteChanges(changed: ReadonlyMap<string, StoredMessage>, removed: ReadonlySet<string>): void {
    if (this.#reads === 0) return;
    for (const key of removed) {
      this.#since.removed.add(key);
      this.#since.added.delete(key);
    }
    for (const [key, row] of changed) {
      this.#since.changed.set(key, row);
      this.#since.removed.delete(key);
    }
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

  #belongs(): (row: StoredMessage) => boolean {
    return belongsTo(this.scope, Date.now());
  }

  /** Rows that are new to this view: in at once where nothing is being read, else held back. */
  #add(rows: readonly StoredMessage[]): void {
    const mine = rows.filter(this.#belongs());
    if (mine.length === 0) return;
    if (this.#reads > 0) {
      for (const row of mine) {
        this.#since.added.set(rowKey(row), row);
        this.#since.removed.delete(rowKey(row));
      }
    }
    const back = mine.filter((row) => this.#gone.delete(rowKey(row)));
    if (this.follows && !this.hasAbove) this.#insert(mine);
    else {
      this.#insert(back);
      this.#hold(mine.filter((row) => !back.includes(row)));
    }
  }

  #hold(rows: readonly StoredMessage[]): void {
    for (const row of rows) this.#held.set(rowKey(row), row);
    if (this.#held.size > MOST_HELD) {
      const kept = [...this.#held.values()].sort(this.#order).slice(0, MOST_HELD);
      this.#heldBeyond += this.#held.size - kept.length;
      this.#held = new Map(kept.map((row) => [rowKey(row), row]));
    }
    this.#countFresh();
  }

  /** Puts rows in their places, but for those beyond the window: a later read brings them. */
  #insert(rows: readonly StoredMessage[]): void {
    const last = this.hasBelow ? this.#reached : undefined;
    const first = this.hasAbove ? this.rows[0] : undefined;
    const inside = rows.filter(
      (row) => (!last || this.#order(row, last) <= 0) && (!first || this.#order(row, first) >= 0),
    );
    this.rows = mergeRows(this.rows, inside, this.#order);
    this.#letGoBelow();
  }

  #position(row: StoredMessage | undefined): Position | undefined {
    return row && positionOf(this.scope.list, row);
  }

  /** Keeps the window bounded at its lower end; whether anything had to go. */
  #letGoBelow(): boolean {
    const most = this.rows.length - MOST_ROWS;
    if (most <= 0) return false;
    this.rows = this.rows.slice(0, MOST_ROWS);
    this.#reached = this.#position(this.rows.at(-1));
    this.hasBelow = true;
    this.extent.countBelow();
    return true;
  }

  #letGoAbove(): void {
    const most = this.rows.length - MOST_ROWS;
    if (most <= 0) return;
    const at = this.#position(this.rows[0]);
    if (at) this.extent.mark(at);
    this.rows = this.rows.slice(most);
    this.hasAbove = true;
    this.extent.movedDown(most);
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

  /** One read at an end at a time, and its failure told. */
  async #during(what: "above" | "below" | "top" | "place", read: () => Promise<void>): Promise<void> {
    const turn = this.#turn;
    this.#busy = what;
    this.isReading = true;
    try {
      await read();
      if (turn === this.#turn) this.phase = "ready";
    } catch (error) {
      if (turn !== this.#turn) return;
      this.phase = "failed";
      this.failure = failureWords(error);
    } finally {
      if (turn === this.#turn) {
        this.#busy = undefined;
        this.isReading = false;
        this.searchedTo = undefined;
      }
    }
  }

  /**
   * One page, corrected by what was announced since it was asked for; undefined when the window began anew meanwhile.
   */
  async #page(way: "down" | "up", from: Position | undefined, count: number): Promise<Filled | undefined> {
    const turn = this.#turn;
    const direction = (way === "down") === (this.#down === "older") ? "older" : "newer";
    this.#reads++;
    try {
      const query = { ...this.scope, direction, count, nowMs: Date.now(), ...(from && { from }) } as const;
      const read = await this.#read(query);
      if (turn !== this.#turn) return undefined;
      // Whoever began the read tells it, as it does a bug.
      if (!read.ok) throw new Error(`${read.error.kind}: ${read.error.text}`);
      const page = read.value;
      // One that has found room meanwhile stands where the store says.
      for (const row of page.rows) this.#unstored.delete(rowKey(row));
      const { added, changed, removed } = this.#since;
      return { ...page, rows: [...this.#corrected(page.rows, changed, removed)], meanwhile: [...added.values()] };
    } finally {
      this.#reads--;
      if (this.#reads === 0) this.#since = nothingYet();
    }
  }

  /** Reads until so many rows have come or nothing is left: a filter can make pages short, even empty. */
  async #readBelow(count: number): Promise<void> {
    for (let got = 0; got < count;) {
      const page = await this.#page("down", this.#reached, count - got);
      if (!page) return;
      got += page.rows.length;
      this.#reached = page.next;
      this.hasBelow = page.next !== undefined;
      this.rows = mergeRows(this.rows, page.rows, this.#order);
      this.extent.countBelow();
      // Who stands at the top keeps what came in there meanwhile; who scrolls down keeps what was read.
      if (this.follows && !this.hasAbove) {
        if (this.#letGoBelow()) return;
      } else this.#letGoAbove();
      if (!page.next) return;
      this.searchedTo = page.next.time;
    }
  }

  async #readAbove(): Promise<void> {
    let from = this.#position(this.rows[0]);
    for (let got = 0; got < NEXT_PAGE;) {
      const page = await this.#page("up", from, NEXT_PAGE - got);
      if (!page) return;
      got += page.rows.length;
      this.rows = mergeRows(this.rows, page.rows, this.#order);
      this.hasAbove = page.next !== undefined;
      this.extent.movedDown(-page.rows.length);
      this.#letGoBelow();
      from = page.next;
      if (!from) return;
    }
  }

  /** Begins the window anew at the first row. What is shown stays until the first page came. */
  async #readTop(count: number, how?: "leave"): Promise<void> {
    if (this.#busy === "top") {
      this.#topAgain = true;
      return;
    }
    this.#turn++;
    do {
      this.#topAgain = false;
      await this.#during("top", () => this.#beginAnew(count, how));
    } while (this.#topAgain);
  }

  async #beginAt(place: Goal): Promise<void> {
    const { time, arrival } = place;
    const [below, above] = await Promise.all([
      this.#page("down", this.#justAbove({ time, arrival }), FIRST_PAGE),
      this.#page("up", { time, arrival }, FIRST_PAGE),
    ]);
    if (!below || !above) return;
    let [found, next] = [below.rows, below.next];
    // A filter can leave nothing of a page.
    while (found.length === 0 && next) {
      this.searchedTo = next.time;
      const page = await this.#page("down", next, FIRST_PAGE);
      if (!page) return;
      [found, next] = [page.rows, page.next];
    }
    this.hasAbove = above.next !== undefined;
    this.hasBelow = next !== undefined;
    this.#reached = next;
    this.rows = mergeRows(found, above.rows, this.#order);
    this.#start = undefined;
    this.#insert([...this.#unstored.values()]);
    // With nothing to stand at there is nothing that could be moved by what enters.
    if (this.rows.length === 0) this.follows = true;
    this.land(place);
    const at = this.rows.findIndex((row) => rowKey(row) === this.landing?.key);
    this.extent.placeAt(place.index === undefined ? undefined : place.index - at);
    if (next && found.length < FIRST_PAGE) await this.#readBelow(FIRST_PAGE - found.length);
  }

  /** The position before which a page down begins with what stands at this one. */
  #justAbove({ time, arrival }: Position): Position {
    return { time, arrival: arrival + (this.#down === "older" ? 1 : -1) };
  }

  async #beginAnew(count: number, how?: "leave"): Promise<void> {
    const page = await this.#page("down", undefined, count);
    if (!page) return;
    const read = new Set(page.rows.map(rowKey));
    const others = [...this.#unstored.values(), ...this.#held.values(), ...page.meanwhile];
    this.#clearHeld();
    this.hasAbove = false;
    this.hasBelow = page.next !== undefined;
    this.#reached = page.next;
    this.rows = page.rows;
    this.#start = undefined;
    this.extent.beginAnew();
    // With the rows: a list that stood further down would ask for what was there.
    if (how) this.landing = { key: "", offset: 0 };
    this.#insert(others.filter((row) => !read.has(rowKey(row))));
    if (!page.next || page.rows.length >= count) return;
    this.searchedTo = page.next.time;
    await this.#readBelow(count - page.rows.length);
  }

  /** Reads the rows of the window once more, as changes to them were left out of an announcement. */
  async #readAgain(): Promise<void> {
    const first = this.#position(this.rows[0]);
    if (!first) return;
    try {
      const page = await this.#page("down", this.#justAbove(first), this.rows.length);
      if (!page) return;
      this.rows = replaceRows(this.rows, new Map(page.rows.map((row) => [rowKey(row), row])));
    } catch (error) {
      this.failure = failureWords(error);
    }
  }
}

/** Holds a map or set to a size; the entries that came first go first. */
function forgetOldest(entries: Map<string, unknown> | Set<string>, most: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(key);
  }
}

/** The technical line of a failed read. */
function failureWords(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
