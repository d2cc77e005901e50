import type { Client, Page, PageQuery, StoreError } from "../../client";
import {
  belongsTo,
  compareAge,
  type HubEvent,
  isCurrent,
  isListedIn,
  keyText,
  newestFirst,
  placeIn,
  type Position,
  rowKey,
  type StoredMessage,
} from "../../contract";
import type { Result } from "../../protocol";
import type { FeedQuery } from "../state/navigation/view";
import {
  ChangesMeanwhile,
  dropRows,
  FeedReads,
  forgetOldest,
  HeldRows,
  keyed,
  mergeRows,
  readFailureText,
  replaceRows,
  type RowOrder,
} from "./feed-window.svelte";
import { Extent } from "./list/extent.svelte";
import { findFolds, hiddenBy, rowsWithin, type Folds, type ShownFold } from "../message/folds";
import type { Pane } from "../state/navigation/pane.svelte";
import { historyStep, placeAtStep, type FeedPlace, type Goal, type Landing } from "../state/navigation/scroll-anchor";

/** Rows of the first read: enough for a tall screen. In the middle of a feed, this many each way. */
const FIRST_PAGE = 30;

/**
 * Rows of every further read: a few screens, so that scrolling doesn't reach an end, but still a quick read. A page is
 * extended to the end of a second, by some hundreds in a burst; even then the rows on screen must fit within
 * `MAX_IN_MEMORY`.
 */
const NEXT_PAGE = 60;

/** Rows of a read when most earlier rows are hidden behind their newest repeat. */
const LARGEST_PAGE = 120;

/** After this many rows the list is drawn, and asks for more if needed. */
const MAX_AT_ONCE = 1_000;

/**
 * The most rows in memory, and how many more may be hidden behind a newest repeat. Beyond that the far end is dropped,
 * and read again on return (docs/design.md §2, promise 3).
 */
const MAX_IN_MEMORY = { shown: 600, behind: 20_000 };

/** How many rows that couldn't be stored are kept in memory. */
const MAX_UNSTORED = 200;

type Rows = Extract<HubEvent, { kind: "rows" }>;
type Filled = Page & { meanwhile: StoredMessage[] };

/**
 * The feed of one view: a bounded window of rows in the order of the list (newest first; scheduled ones soonest first).
 * It reads more at either end on request, follows the hub's announcements, and holds new rows back while the user is
 * reading further down. "Above" and "below" are as on screen.
 */
export class FeedState {
  folds = $state.raw<Folds>(new Map());
  /** Keys of the rows in folds that the user opened. */
  opened = $state.raw<ReadonlySet<string>>(new Set());
  /** More is, or may be, stored than the window holds. */
  hasAbove = $state(false);
  hasBelow = $state(true);
  /** Where the list should go; each object applies once. Absent = at its top. */
  landing = $state.raw<Landing>();
  /** Where the window is in the whole feed. */
  readonly extent = new Extent(this);

  /** Resolves when the first read has ended, whether or not it succeeded. */
  begun = Promise.resolve();

  /** Set by the list: whether it is at its top, so that new rows may enter. */
  follows = true;

  /** Where the list was when the feed left the screen; undefined = at its top. */
  place: FeedPlace | undefined;
  /** How many items its list draws with the first frame (`VirtualList`); absent = the list's own default. */
  initialItemCount: number | undefined;

  readonly #folds: (subId: number) => boolean;
  #hidden: ReadonlySet<StoredMessage> = new Set();
  #rows = $state.raw<readonly StoredMessage[]>([]);
  #order: RowOrder;
  #down: "older" | "newer";
  /** How far down reads have come; rows beyond it come with a later read. */
  #reached: Position | undefined;
  readonly reads = new FeedReads();
  readonly #meanwhile = new ChangesMeanwhile();
  /** New rows that arrived while the user reads further down. */
  readonly held: HeldRows;
  /** Rows that couldn't be stored because the disk was full, so no read returns them. */
  #unstored = new Map<string, StoredMessage>();
  /** Rows that left the window; one that comes back by undo enters at once. */
  #gone = new Set<string>();
  #topAgain = false;
  #isAway = false;
  #mustRead = false;
  /** The newest arrival number that was read at the top or announced since; infinite = the top wasn't read. */
  #newest = Infinity;
  /** Where the first read starts; undefined once it has ended. */
  #start: FeedPlace | undefined;

  /** @param start absent = at the top @param folds whether a topic's messages are folded; absent = none are */
  constructor(
    private readonly read: (query: PageQuery) => Promise<Result<Page, StoreError>>,
    readonly scope: FeedQuery,
    start?: FeedPlace,
    folds: (subId: number) => boolean = () => false,
  ) {
    this.#start = start;
    // In other lists, each message was put there on purpose.
    const mayFold = scope.list === "feed" || scope.list === "done";
    this.#folds = (subId) => mayFold && folds(subId);
    // What returns or is due soonest comes first.
    const isAhead = scope.list === "snoozed" || scope.list === "scheduled";
    this.#order = isAhead ? (a, b) => compareAge(placeIn(scope.list, a), placeIn(scope.list, b)) : newestFirst;
    this.#down = isAhead ? "newer" : "older";
    this.held = new HeldRows(this.#order);
    this.#begin();
  }

  /** Replaced, never changed. */
  get rows(): readonly StoredMessage[] {
    return this.#rows;
  }

  set rows(rows: readonly StoredMessage[]) {
    if (rows === this.#rows) return;
    this.#rows = rows;
    this.foldAgain();
  }

  toggleFold({ run, isOpen }: ShownFold): void {
    const opened = new Set(this.opened);
    for (const key of run.map(rowKey)) {
      if (isOpen) opened.delete(key);
      else opened.add(key);
    }
    this.opened = opened;
  }

  /** Finds the folds again, because rows or a topic's setting changed. */
  foldAgain(): void {
    this.folds = findFolds(this.rows, this.#folds);
    this.#hidden = hiddenBy(this.folds);
  }

  /** How many rows are shown if no fold is open. */
  get #shown(): number {
    return this.rows.length - this.#hidden.size;
  }

  #begin(): void {
    this.begun = this.#start ? this.goTo(this.#start) : this.#readTop(FIRST_PAGE);
  }

  /** The user left the view: all reading ends, so that no search continues in the background. Changes still apply. */
  leave(): void {
    this.reads.endAll();
    this.#topAgain = false;
    this.#isAway = true;
  }

  /** The view is shown again: finishes interrupted reads, and reads what announcements have left out meanwhile. */
  comeBack(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    if (this.reads.phase === "reading") this.#begin();
    else if (this.#mustRead) void this.#readTop(FIRST_PAGE);
    this.#mustRead = false;
  }

  /** Reads more at the lower end, if there is more. */
  readBelow(): void {
    if (this.reads.current || !this.hasBelow || this.reads.phase === "failed") return;
    // At the top, more would be dropped at once.
    if (this.follows && !this.hasAbove && this.#isFull()) return;
    void this.reads.run("below", () => this.#readBelow(NEXT_PAGE));
  }

  /** Reads more at the upper end, if rows were dropped there. */
  readAbove(): void {
    if (this.reads.current || !this.hasAbove || this.reads.phase === "failed") return;
    void this.reads.run("above", () => this.#readAbove());
  }

  /**
   * Lets held-back rows in; resolves when the first row of the feed is in the window.
   * @param how "leave": the list leaves its current place and goes to its top
   */
  async release(how?: "leave"): Promise<void> {
    if (this.hasAbove || !this.held.isComplete) {
      await this.#readTop(NEXT_PAGE, how);
      return;
    }
    this.#insert(this.held.release());
  }

  retry(): void {
    this.reads.phase = "reading";
    this.#begin();
  }

  /** Restarts the window around any place of the list. The rows shown stay until the new ones are read. */
  async goTo(place: Goal): Promise<void> {
    this.reads.beginTurn();
    this.#topAgain = false;
    this.follows = false;
    await this.reads.run("place", () => this.#beginAt(place));
  }

  /** Makes the list go to a place in the window; if that message is gone, to the next one below. */
  land(place: Goal | undefined): void {
    const row =
      place &&
      (this.rows.find((one) => rowKey(one) === place.key) ??
        this.rows.find((one) => this.#order(one, place) >= 0) ??
        this.rows.at(-1));
    this.landing = row && { key: rowKey(row), offset: place.offset ?? 0, stays: place.stays };
  }

  /** The list was scrolled beyond the rows in memory, this far (0 to 1) into what lies above or below them. */
  reach(where: "above" | "below", part: number): void {
    if (this.reads.current === "place" || this.reads.phase === "failed") return;
    const goal = this.extent.goalAt(where, part);
    if (goal) void this.goTo(goal);
    else this.readAbove();
  }

  apply(event: HubEvent): void {
    if (event.kind === "rows") this.#applyRows(event);
    if (event.kind === "missed") this.#readMissed();
    if (event.kind === "unstored") {
      for (const row of event.rows.filter(this.#belongs())) this.#unstored.set(rowKey(row), row);
      forgetOldest(this.#unstored, MAX_UNSTORED);
      this.#add(event.rows);
    }
  }

  #applyRows(event: Rows): void {
    const removed = new Set(event.removed.map(keyText));
    const changed = keyed(event.changed);
    this.#meanwhile.change(keyed([...event.added, ...event.changed]), removed);
    this.rows = this.#corrected(this.rows, changed, removed);
    this.held.change(changed, removed, this.#belongs());

    for (const row of event.added) this.#unstored.delete(rowKey(row));
    this.#add([...event.added, ...this.#entered(event.changed)]);
    if (event.more > 0) this.#readLeftOut(event);
  }

  /** Changed rows that are new to the view. What lies beyond the window was most likely there before. */
  #entered(changed: readonly StoredMessage[]): StoredMessage[] {
    if (changed.length === 0) return [];
    const shown = new Set(this.rows.map(rowKey));
    const isNew = (row: StoredMessage) => this.#gone.has(rowKey(row)) || !this.held.mayHold(row);
    return changed.filter(this.#isInside()).filter((row) => !shown.has(rowKey(row)) && isNew(row));
  }

  /** Rows may have been stored without an announcement. */
  #readMissed(): void {
    if (this.#start && !this.#isAway) this.#begin();
    else if (!this.follows || this.hasAbove) void this.#readAgain();
    else this.#readTopOnceShown();
  }

  #readTopOnceShown(): void {
    if (this.#isAway) this.#mustRead = true;
    else void this.#readTop(FIRST_PAGE);
  }

  /** An announcement left some rows out: reads the rows shown again, and counts the new ones. */
  #readLeftOut({ added, changed, more }: Rows): void {
    if (changed.length === 0 && this.#endAt(added)) return;
    if (this.follows && !this.hasAbove) return this.#readTopOnceShown();
    if (changed.length > 0) void this.#readAgain();
    if (added.length === 0) return;
    // The missing ones can be older than the last row, such as the older part of a backlog.
    if (!this.hasBelow) {
      this.#reached = this.#position(this.rows.at(-1));
      this.hasBelow = this.#reached !== undefined;
    }
    // How many of them pass a filter or a choice of topics isn't known until they are read.
    const isExact = changed.length === 0 && this.scope.filter.terms.length === 0 && this.scope.subIds === undefined;
    this.held.countUnread(isExact ? more : undefined);
  }

  /**
   * If rows were only added, those left out are older than those announced. Then the window can end there, unless too
   * little of it would remain, and nothing need be read before the user scrolls down. Returns whether it could.
   */
  #endAt(added: readonly StoredMessage[]): boolean {
    const { list } = this.scope;
    const isQuiet = !this.#meanwhile.isReading && this.#unstored.size === 0;
    if (list !== "feed" || !this.follows || this.hasAbove || !isQuiet) return false;
    const oldest = added.toSorted(newestFirst).at(-1);
    if (!oldest) return false;
    const kept = this.rows.filter((row) => newestFirst(row, oldest) <= 0);
    if (kept.length < FIRST_PAGE) return false;
    if (kept.length < this.rows.length || !this.hasBelow) {
      this.rows = kept;
      this.#reached = this.#position(oldest);
      this.hasBelow = true;
    }
    return true;
  }

  /**
   * Applies changes to rows. A row that left its list (done, deleted, replaced) is dropped. One that merely no longer
   * passes the filter, or lost its star, stays until the view is opened again, so that what the user reads doesn't
   * move.
   */
  #corrected(
    rows: readonly StoredMessage[],
    changed: ReadonlyMap<string, StoredMessage>,
    removed: ReadonlySet<string>,
  ): readonly StoredMessage[] {
    if (changed.size + removed.size === 0) return rows;
    const { list } = this.scope;
    const isListed = list === "starred" ? isCurrent : isListedIn(list, this.scope.filter);
    return dropRows(replaceRows(rows, changed), (row) => {
      const key = rowKey(row);
      const leaves = removed.has(key) || (changed.has(key) && !isListed(row));
      if (leaves) this.#gone.add(key);
      forgetOldest(this.#gone, MAX_IN_MEMORY.shown);
      return leaves;
    });
  }

  #belongs(): (row: StoredMessage) => boolean {
    return belongsTo(this.scope, Date.now());
  }

  /** Adds rows new to this view: at once if the list is at its top; otherwise they are held back. */
  #add(rows: readonly StoredMessage[]): void {
    const mine = rows.filter(this.#belongs());
    if (mine.length === 0) return;
    this.#newest = Math.max(this.#newest, this.#lastOf(mine));
    const back = mine.filter((row) => this.#gone.delete(rowKey(row)));
    if (this.follows && !this.hasAbove) this.#insert(mine);
    else {
      this.#insert(back);
      this.held.hold(mine.filter((row) => !back.includes(row)));
    }
  }

  /** The newest arrival number of stored rows: those of a full disk have none yet. */
  #lastOf(rows: readonly StoredMessage[]): number {
    const stored = rows.filter((row) => !this.#unstored.has(rowKey(row)));
    return Math.max(0, ...stored.map(({ arrival }) => arrival));
  }

  #seeTop(): void {
    if (!this.hasAbove) this.#newest = this.#lastOf([...this.rows, ...this.held.rows]);
  }

  /** Inserts rows in order, except those beyond the window, which come with a later read. */
  #insert(rows: readonly StoredMessage[]): void {
    this.rows = mergeRows(this.rows, rows.filter(this.#isInside()), this.#order);
    this.#letGoBelow();
  }

  /** Makes a test for whether a row's place is in the window. */
  #isInside(): (row: StoredMessage) => boolean {
    const last = this.hasBelow ? this.#reached : undefined;
    const first = this.hasAbove ? this.rows[0] : undefined;
    return (row) => (!last || this.#order(row, last) <= 0) && (!first || this.#order(row, first) >= 0);
  }

  #position(row: StoredMessage | undefined): Position | undefined {
    return row && placeIn(this.scope.list, row);
  }

  /** What is read further down would be dropped at once. */
  #isFull(): boolean {
    return this.#shown >= MAX_IN_MEMORY.shown || this.#hidden.size + LARGEST_PAGE > MAX_IN_MEMORY.behind;
  }

  /** Keeps the window bounded by dropping rows at its lower end. Returns whether any were dropped. */
  #letGoBelow(): boolean {
    const kept = rowsWithin(this.rows, this.#hidden, MAX_IN_MEMORY);
    if (kept >= this.rows.length) return false;
    this.rows = this.rows.slice(0, kept);
    this.#reached = this.#position(this.rows.at(-1));
    this.hasBelow = true;
    return true;
  }

  #letGoAbove(): void {
    const most = this.rows.length - rowsWithin(this.rows.toReversed(), this.#hidden, MAX_IN_MEMORY);
    if (most <= 0) return;
    this.rows = this.rows.slice(most);
    this.extent.movedDown(most);
    this.hasAbove = true;
  }

  /** Reads a page and applies changes announced during the read. Undefined if the window was restarted meanwhile. */
  async #page(way: "down" | "up", from: Position | undefined, count: number): Promise<Filled | undefined> {
    const isCurrent = this.reads.watchTurn();
    const direction = (way === "down") === (this.#down === "older") ? "older" : "newer";
    this.#meanwhile.begin();
    try {
      const query = { ...this.scope, direction, count, nowMs: Date.now(), from } as const;
      const read = await this.read(query);
      if (!isCurrent()) return undefined;
      // `FeedReads` reports it, like a bug.
      if (!read.ok) throw new Error(`${read.error.kind}: ${read.error.text}`);
      const page = read.value;
      // A row that was stored after all now has its place in the store.
      for (const row of page.rows) this.#unstored.delete(rowKey(row));
      return this.#now(page);
    } finally {
      this.#meanwhile.end();
    }
  }

  /** A page as of now: with what was announced since its read began. */
  #now(page: Page): Filled {
    const { changed, removed } = this.#meanwhile;
    const meanwhile = [...changed.values()].filter(this.#belongs());
    return { ...page, rows: [...this.#corrected(page.rows, changed, removed)], meanwhile };
  }

  /** Reads until there are `count` visible rows, or none are left: filters shorten pages, and repeats are hidden. */
  async #readBelow(count: number): Promise<void> {
    let size = count;
    for (let [got, read] = [0, 0]; got < count && read < MAX_AT_ONCE;) {
      const before = this.#shown;
      const page = await this.#page("down", this.#reached, size);
      if (!page) return;
      this.#reached = page.next;
      this.hasBelow = page.next !== undefined;
      this.rows = mergeRows(this.rows, page.rows, this.#order);
      const shown = this.#shown - before;
      got += shown;
      read += page.rows.length;
      size = shown < page.rows.length / 2 ? LARGEST_PAGE : Math.max(1, count - got);
      // At the top, keep the rows that entered meanwhile; further down, keep the rows just read.
      if (this.follows && !this.hasAbove) {
        if (this.#letGoBelow()) return;
      } else this.#letGoAbove();
      if (!page.next) return;
      this.reads.searchedTo = page.next.time;
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
      this.#seeTop();
      from = page.next;
      if (!from) return;
    }
  }

  /** Restarts the window at the first row. The rows shown stay until the first page is read. */
  async #readTop(count: number, how?: "leave"): Promise<void> {
    if (this.reads.current === "top") {
      this.#topAgain = true;
      return;
    }
    this.reads.beginTurn();
    do {
      this.#topAgain = false;
      await this.reads.run("top", () => this.#beginAnew(count, how));
    } while (this.#topAgain);
  }

  /** Reads so many rows from a place on, and so many above it. Undefined if the window was restarted meanwhile. */
  async #around({ time, arrival }: Position, down: number, up: number) {
    // What is announced before both have come applies to both.
    this.#meanwhile.begin();
    try {
      const [below, above] = await Promise.all([
        this.#page("down", this.#justAbove({ time, arrival }), down),
        this.#page("up", { time, arrival }, up),
      ]);
      return below && above && { below: this.#now(below), above: this.#now(above) };
    } finally {
      this.#meanwhile.end();
    }
  }

  async #beginAt(place: Goal): Promise<void> {
    const around = await this.#around(place, FIRST_PAGE, FIRST_PAGE);
    if (!around) return;
    const { below, above } = around;
    let [found, next] = [below.rows, below.next];
    // A filter can leave a page empty.
    while (found.length === 0 && next) {
      this.reads.searchedTo = next.time;
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
    this.#seeTop();
    // With no rows, nothing on screen could be moved by new ones.
    if (this.rows.length === 0) this.follows = true;
    this.land(place);
    const at = this.rows.findIndex((row) => rowKey(row) === this.landing?.key);
    this.extent.placeAt(place.index === undefined ? undefined : place.index - at);
    if (next && found.length < FIRST_PAGE) await this.#readBelow(FIRST_PAGE - found.length);
  }

  /** The position just above this one, so that a page down from there begins with the row at this one. */
  #justAbove({ time, arrival }: Position): Position {
    return { time, arrival: arrival + (this.#down === "older" ? 1 : -1) };
  }

  async #beginAnew(count: number, how?: "leave"): Promise<void> {
    const page = await this.#page("down", undefined, count);
    if (!page) return;
    const read = new Set(page.rows.map(rowKey));
    const others = [...this.#unstored.values(), ...this.held.release(), ...page.meanwhile];
    this.hasAbove = false;
    this.hasBelow = page.next !== undefined;
    this.#reached = page.next;
    this.rows = page.rows;
    this.#start = undefined;
    this.extent.placeAt(0);
    // Set this along with the rows, or a list further down would ask for what used to be there.
    if (how) this.landing = { key: "", offset: 0 };
    this.#insert(others.filter((row) => !read.has(rowKey(row))));
    this.#seeTop();
    if (!page.next || page.rows.length >= count) return;
    this.reads.searchedTo = page.next.time;
    await this.#readBelow(count - page.rows.length);
  }

  /** Reads the window's rows again, which may have changed or left, and holds back what is new among or above them. */
  async #readAgain(): Promise<void> {
    const first = this.#position(this.rows[0]);
    if (!first) return;
    try {
      const around = await this.#around(first, this.rows.length, NEXT_PAGE);
      if (!around) return;
      const { below, above } = around;
      this.rows = this.#corrected(this.rows, keyed(below.rows), this.#leftOut(first, below));
      // The user scrolled up meanwhile.
      if (this.follows && !this.hasAbove) return this.#readTopOnceShown();
      const shown = new Set(this.rows.map(rowKey));
      const read = [...below.rows, ...above.rows].filter(this.#isInside());
      this.#add(read.filter((row) => !shown.has(rowKey(row))));
      const top = this.hasAbove && (await this.#page("down", undefined, 1));
      // The window was restarted meanwhile.
      if (top === undefined) return;
      const isNewAbove = top ? top.rows.some(({ arrival }) => arrival > this.#newest) : above.next;
      if (isNewAbove || !this.held.isComplete) this.held.countUnread(undefined);
    } catch (error) {
      this.reads.failure = readFailureText(error);
    }
  }

  /** Keys of the window's rows that a page read again lacks, unless they may stay all the same (see `#corrected`). */
  #leftOut(first: Position, { rows, meanwhile, next }: Filled): ReadonlySet<string> {
    const { list, filter } = this.scope;
    if (list === "starred" || filter.terms.length > 0) return new Set();
    const known = new Set([...[...rows, ...meanwhile].map(rowKey), ...this.#unstored.keys()]);
    // What is above the first came in while it was read.
    const isCovered = (row: StoredMessage) => this.#order(row, first) >= 0 && (!next || this.#order(row, next) <= 0);
    const covered = this.rows.filter(isCovered);
    return new Set(covered.map(rowKey).filter((key) => !known.has(key)));
  }
}

/** How many feeds are kept, at most, so that Back restores them. Each holds a bounded window. */
const MAX_KEPT = 5;

/** Names a feed in the state of a history step. Hiding messages changes the feed, but not its place. */
export function placeNameOf({ hidden: _, ...scope }: FeedQuery): string {
  return JSON.stringify(scope);
}

/** Caches a pane's feeds: the one shown, and those kept for Back. All of them follow the hub's announcements. */
class FeedCache {
  /** The feed on screen. */
  current = $state.raw<FeedState>();
  /** The feed last asked for; it becomes `current` once it has something to show. */
  asked = $state.raw<FeedState>();
  /** The cached feeds in order of use, the most recent last. */
  #kept = new Map<string, FeedState>();
  readonly #stopListening: () => void;

  constructor(
    private readonly client: Client,
    private readonly pane: Pane,
  ) {
    this.#stopListening = client.listen((event) => {
      for (const feed of this.#kept.values()) feed.apply(event);
    });
  }

  /**
   * Returns the feed that this history step showed for a scope, or a new one that starts at the step's place. A step
   * reached by a link starts at the newest message; Back and a reload return to what the user was reading.
   */
  open(scope: FeedQuery): FeedState {
    const key = `${historyStep()} ${JSON.stringify(scope)}`;
    const place = placeAtStep(this.pane.name, placeNameOf(scope));
    const read = (query: PageQuery) => this.client.read((reader) => reader.page(query));
    const kept = this.#kept.get(key) ?? new FeedState(read, scope, place, (subId) => this.pane.folds(subId));
    this.asked = kept;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const [other, feed] of this.#kept) {
      if (other === key) feed.comeBack();
      else feed.leave();
      if (this.#kept.size > MAX_KEPT && other !== key) this.#kept.delete(other);
    }
    return kept;
  }

  /** Call this when the pane no longer shows a feed, so that its feed stops reading. */
  close(): void {
    this.current?.leave();
    this.current = undefined;
    this.asked = undefined;
  }

  /** Call this when the pane is gone. */
  end(): void {
    this.close();
    this.#stopListening();
    caches.delete(this.pane);
  }
}

const caches = new WeakMap<Pane, FeedCache>();

/**
 * Returns a pane's feed cache. Call it during a component's setup: the first call creates state, and `$derived` doesn't
 * track state created inside it.
 */
export function feedCacheOf(pane: Pane, client: Client): FeedCache {
  let cache = caches.get(pane);
  if (!cache) caches.set(pane, (cache = new FeedCache(client, pane)));
  return cache;
}
