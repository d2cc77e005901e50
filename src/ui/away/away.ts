import type { FilterTerm, Position, StoredMessage } from "../../contract";
import { type Priority, toMs, priorityOf } from "../../protocol";
import { findFolds, hiddenBy } from "../message/folds";
import type { Absence, AbsenceSummary, SummaryGroup, AbsenceShown } from "../state/absence-shown";
import type { App } from "../state/app.svelte";
import { keep, kept } from "../state/device-storage";
import { isoTime } from "../strings";

const MINUTE_MS = 60_000;

/** Writes a moment as filters have it: in UTC, to the minute. */
function written(ms: number): string {
  return `${isoTime(ms).slice(0, 16)}Z`;
}

/** Filter terms for what came during an absence, from the summary's earliest message on, which may be older. */
export function absenceTerms({ absence, summary }: Pick<AbsenceShown, "absence" | "summary">): FilterTerm[] {
  const rows = summary.groups.flatMap((group) => group.rows);
  const fromMs = rows.reduce((least, { time }) => Math.min(least, toMs(time)), absence.fromMs);
  const untilMs = rows.reduce((most, { time }) => Math.max(most, toMs(time)), absence.toMs);
  return [
    { kind: "after", written: written(fromMs), not: false },
    // The next whole minute, because a filter's moments have no seconds.
    { kind: "before", written: written(untilMs + MINUTE_MS), not: false },
  ];
}

export const GROUPS: Readonly<Record<SummaryGroup["name"], Priority[]>> = { urgent: [5], high: [4], others: [1, 2, 3] };

/** Sums up messages, newest first, by urgency and topic. @param folds whether a topic's repeats count as one */
export function sumUp(
  rows: readonly StoredMessage[],
  isPart: boolean,
  folds: (subId: number) => boolean,
): AbsenceSummary {
  const hidden = hiddenBy(findFolds(rows, folds));
  const groups = (["urgent", "high", "others"] as const).map((name): SummaryGroup => {
    const own = rows.filter(({ event }) => GROUPS[name].includes(priorityOf(event)));
    const counts = new Map<number, number>();
    for (const row of own) if (!hidden.has(row)) counts.set(row.subId, (counts.get(row.subId) ?? 0) + 1);
    const topics = [...counts].map(([subId, count]) => ({ subId, count })).sort((a, b) => b.count - a.count);
    return { name, rows: own, count: topics.reduce((sum, { count }) => sum + count, 0), topics };
  });
  return { count: rows.length, isPart, groups: groups.filter((group) => group.rows.length > 0) };
}

/** After an absence this long, ms, users are shown what came. */
const AWAY_MS = 30 * 60_000;

/** The absence that ends now, if it was long enough to count. `seenAtMs`: when someone last looked, in any tab. */
export function absenceSince(seenAtMs: number, nowMs: number): Absence | undefined {
  // If the clock was set back, the difference means nothing.
  return seenAtMs > 0 && nowMs - seenAtMs >= AWAY_MS ? { fromMs: seenAtMs, toMs: nowMs } : undefined;
}

/** An absence as text, to keep it over a reload. */
export function absenceText({ fromMs, toMs }: Absence): string {
  return `${String(fromMs)}-${String(toMs)}`;
}

/** Reads what `absenceText` wrote; undefined for other text, or if the clock was set back since. */
export function readAbsence(text: string | undefined, nowMs: number): Absence | undefined {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(text ?? "") ?? [];
  const absence = { fromMs: Number(from), toMs: Number(to) };
  return absence.fromMs < absence.toMs && absence.toMs <= nowMs ? absence : undefined;
}

/** Fewer messages than this need no summary: the user sees them at a glance. */
const LEAST = 5;

/** How many messages are read for the summary, at most. */
const MOST = 1_000;
const PAGE = 250;

/** How often the time is stored while the page is visible, ms: a crash or sleep leaves no last chance to do so. */
const NOTE_EVERY_MS = 60_000;

/** Messages come in bursts: they are summed up this long after the first of a burst, ms. */
const SUM_AFTER_MS = 250;

/** A message can arrive after its own time, as after a slow upload, so look this much further back, ms. */
const LATE_MS = 15 * 60_000;

/** The server's clock may be ahead of the device's, ms. */
const AHEAD_MS = 60_000;

const SEEN = "earshot-seen";
const AWAY = "earshot-away";

/** Notices when the user comes back after an absence, and sums up for the page what came in between. */
export class Away {
  #absence: Absence | undefined;
  /** Whether the summary has been shown; it then stays until nothing in it is unread. */
  #isTold = false;
  #isSummingSoon = false;

  constructor(private readonly app: App) {}

  start(): void {
    this.#absence = readAbsence(kept(AWAY), Date.now());
    this.#isTold = this.#absence !== undefined;
    this.#look();
    setInterval(() => this.#look(), NOTE_EVERY_MS);
    document.addEventListener("visibilitychange", () => this.#look(true));
    addEventListener("pageshow", () => this.#look());
    // The card was dismissed in another tab.
    addEventListener("storage", ({ key, newValue }) => {
      if (key === AWAY && !newValue) this.#forget();
    });
    this.app.client.listen((event) => {
      // A topic's messages go with it.
      if (["rows", "missed", "catalogue"].includes(event.kind) && this.#absence) this.#sumSoon();
    });
    if (this.#absence) this.#sumSoon();
  }

  putAway(): void {
    keep(AWAY, "");
    this.#forget();
  }

  /** Records that someone is looking at the page, or has just stopped. */
  #look(isTurn = false): void {
    const isVisible = document.visibilityState === "visible";
    const nowMs = Date.now();
    const absence = isVisible ? absenceSince(Number(kept(SEEN) ?? 0), nowMs) : undefined;
    if (isVisible || isTurn) keep(SEEN, String(nowMs));
    if (!absence) return;
    this.#absence = absence;
    this.#isTold = false;
    this.#sumSoon();
  }

  #forget(): void {
    this.#absence = undefined;
    this.#isTold = false;
    this.app.absence = undefined;
  }

  #sumSoon(): void {
    if (this.#isSummingSoon) return;
    this.#isSummingSoon = true;
    setTimeout(() => {
      this.#isSummingSoon = false;
      void this.#sum();
    }, SUM_AFTER_MS);
  }

  async #sum(): Promise<void> {
    const absence = this.#absence;
    if (!absence) return;
    const summary = await this.#read(absence);
    if (!summary || absence !== this.#absence) return;
    const isWorth = summary.count >= LEAST;
    if (isWorth && !this.#isTold) keep(AWAY, absenceText(absence));
    this.#isTold ||= isWorth;
    if (this.#isTold && summary.count === 0) return this.putAway();
    this.app.absence = this.#isTold ? { absence, summary, putAway: () => this.putAway() } : undefined;
  }

  async #read({ fromMs, toMs: untilMs }: Absence): Promise<AbsenceSummary | undefined> {
    const came = ({ receivedAtMs }: StoredMessage) => receivedAtMs >= fromMs;
    const read = await this.app.read(async (reader) => {
      const rows: StoredMessage[] = [];
      // Whatever came since is later.
      let from: Position | undefined = { time: Math.floor((untilMs + AHEAD_MS) / 1_000) + 1, arrival: 0 };
      for (;;) {
        const page = await reader.page({
          list: "feed",
          filter: { terms: [{ kind: "is", what: "unread", not: false }] },
          hidden: this.app.catalogue.hidden,
          direction: "older",
          count: PAGE,
          nowMs: Date.now(),
          from,
        });
        rows.push(...page.rows.filter((row) => came(row) && this.app.catalogue.subscription(row.subId)));
        from = page.next;
        if (!from || toMs(from.time) < fromMs - LATE_MS) return { rows, isPart: false };
        if (rows.length >= MOST) return { rows: rows.slice(0, MOST), isPart: true };
      }
    });
    return read && sumUp(read.value.rows, read.value.isPart, (subId) => this.app.pane.folds(subId));
  }
}
