import type { StoredMessage } from "../../contract";
import { toMs } from "../../protocol";
import type { App } from "../state/app.svelte";
import { keep, kept } from "../state/device-storage";
import type { Absence, AbsenceSummary } from "../state/absence-shown.svelte";
import { absenceSince, absenceText, readAbsence } from "./absence";
import { sumUp } from "./summary";

/** Fewer messages than this need no summary: the user sees them at a glance. */
const LEAST = 5;

/** The most messages that are read for the summary. */
const MOST = 1_000;
const PAGE = 250;

/**
 * How often the time is noted while the page is visible, ms, as neither a crash nor sleep gives a last chance to do so.
 */
const NOTE_EVERY_MS = 60_000;

/** Messages come in bursts: they are summed up this long after the first of a burst, ms. */
const SUM_AFTER_MS = 250;

/** A message can arrive after its own time, for instance because of a slow upload: look this much further back, ms. */
const LATE_MS = 15 * 60_000;

/** The server's clock may be ahead of the device's, ms. */
const AHEAD_MS = 60_000;

const SEEN = "earshot-seen";
const AWAY = "earshot-away";

/** Notices when the user comes back after an absence, and sums up for the page what came in between. */
export class Away {
  readonly #app: App;
  #absence: Absence | undefined;
  /** The summary has been shown; it then stays until nothing in it is unread. */
  #isTold = false;
  #isSummingSoon = false;

  constructor(app: App) {
    this.#app = app;
  }

  start(): void {
    this.#absence = readAbsence(kept(AWAY));
    this.#isTold = this.#absence !== undefined;
    this.#look();
    setInterval(() => this.#look(), NOTE_EVERY_MS);
    document.addEventListener("visibilitychange", () => this.#look(true));
    addEventListener("pageshow", () => this.#look());
    // The card was dismissed in another tab.
    addEventListener("storage", ({ key, newValue }) => {
      if (key === AWAY && !newValue) this.#forget();
    });
    this.#app.client.listen((event) => {
      if (event.kind === "rows" && this.#absence) this.#sumSoon();
    });
    if (this.#absence) this.#sumSoon();
  }

  /** The user dismissed the summary. */
  putAway(): void {
    keep(AWAY, "");
    this.#forget();
  }

  /** Notes that somebody is looking at the page, or has just stopped. */
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
    this.#app.away.hide();
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
    if (this.#isTold) this.#app.away.show({ absence, summary, putAway: () => this.putAway() });
    else this.#app.away.hide();
  }

  async #read({ fromMs, toMs: untilMs }: Absence): Promise<AbsenceSummary | undefined> {
    const came = ({ receivedAtMs, time }: StoredMessage) => receivedAtMs >= fromMs && toMs(time) <= untilMs + AHEAD_MS;
    const read = await this.#app.read(async (reader) => {
      const rows: StoredMessage[] = [];
      let from: { time: number; arrival: number } | undefined;
      for (;;) {
        const page = await reader.page({
          list: "feed",
          filter: { terms: [{ kind: "is", what: "unread", not: false }] },
          direction: "older",
          count: PAGE,
          nowMs: Date.now(),
          ...(from && { from }),
        });
        rows.push(...page.rows.filter((row) => came(row) && this.#app.catalogue.subscription(row.subId)));
        from = page.next;
        if (!from || toMs(from.time) < fromMs - LATE_MS) return { rows, isPart: false };
        if (rows.length >= MOST) return { rows: rows.slice(0, MOST), isPart: true };
      }
    });
    return read && sumUp(read.value.rows, read.value.isPart, (subId) => this.#app.pane.folds(subId));
  }
}
