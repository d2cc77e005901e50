import type { Page } from "@playwright/test";
import { test } from "./fixtures";

/** A message that isn't on the screen after this time, ms, counts as never seen. */
const GIVE_UP_MS = 120_000;

/** The page's record of the messages that it showed. */
interface Seen {
  /** When each message came onto the screen, ms, by its number. */
  seen: Record<string, number>;
}

/** Figures of one kind of fault, ms. */
export interface Figures {
  count: number;
  median: number;
  p95: number;
  longest: number;
}

/** Measures how late messages come onto the screen of a page that nobody touches. */
export class Lateness {
  readonly #page: Page;
  #published = 0;
  /** The kind of fault (`row`) of each message, and the moment from which its lateness counts, ms, by its number. */
  readonly #expected = new Map<number, { row: string; fromMs: number; isBegun?: true }>();
  readonly #live = new Map<string, { yes: number; of: number }>();
  readonly #requests = new Map<string, { count: number; minutes: number }>();

  constructor(page: Page) {
    this.#page = page;
  }

  /** Starts to record the messages on the screen. Call it on the view that stays open. */
  async start(): Promise<void> {
    await this.#page.evaluate(() => {
      const seen: Record<string, number> = {};
      Object.assign(globalThis, { seen });
      // A test may set the page's clock.
      const now = Date.now.bind(Date);
      const look = (): void => {
        const text = document.querySelector("[role=feed]")?.textContent ?? "";
        for (const [, number = ""] of text.matchAll(/mark-(\d+)\./g)) seen[number] ??= now();
      };
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
  }

  /** Text of the next message; its lateness counts from now on, or from `begin`. */
  next(row: string): string {
    const number = ++this.#published;
    this.#expected.set(number, { row, fromMs: Date.now() });
    return `mark-${number}.`;
  }

  /** Counts the lateness of messages published so far from now on, as they could not arrive before. */
  begin(row: string): void {
    for (const one of this.#expected.values()) {
      if (one.row === row && !one.isBegun) Object.assign(one, { fromMs: Date.now(), isBegun: true });
    }
  }

  /** Records whether the server of a row has a stream at the moment. */
  noteLive(row: string, isLive: boolean): void {
    const { yes, of } = this.#live.get(row) ?? { yes: 0, of: 0 };
    this.#live.set(row, { yes: yes + (isLive ? 1 : 0), of: of + 1 });
  }

  /** Records the requests to a row's server in so many minutes, without health checks. */
  noteRequests(row: string, count: number, minutes: number): void {
    const before = this.#requests.get(row) ?? { count: 0, minutes: 0 };
    this.#requests.set(row, { count: before.count + count, minutes: before.minutes + minutes });
  }

  /** Waits until all published messages are on the screen, or until it gives up. */
  async settle(): Promise<void> {
    const untilMs = Date.now() + GIVE_UP_MS;
    while (Date.now() < untilMs) {
      const seen = await this.#seen();
      if ([...this.#expected.keys()].every((number) => seen[number] !== undefined)) return;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  /** Figures by row, written into the annotations of the test and onto the console. */
  async tell(): Promise<Record<string, Figures>> {
    const seen = await this.#seen();
    const late = new Map<string, number[]>();
    for (const [number, { row, fromMs }] of this.#expected) {
      late.set(row, [...(late.get(row) ?? []), (seen[number] ?? Infinity) - fromMs]);
    }
    const figures: Record<string, Figures> = {};
    for (const [row, all] of late) {
      const sorted = all.toSorted((a, b) => a - b);
      const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;
      const { count, median, p95, longest } = { count: all.length, median: at(0.5), p95: at(0.95), longest: at(1) };
      figures[row] = { count, median, p95, longest };
      const live = this.#live.get(row);
      const requests = this.#requests.get(row);
      const description = [
        `${count} messages: median ${inS(median)}, 95 % ${inS(p95)}, longest ${inS(longest)}`,
        ...(live ? [`live ${Math.round((100 * live.yes) / live.of)} %`] : []),
        ...(requests ? [`${(requests.count / requests.minutes).toFixed(1)} requests a minute`] : []),
      ].join("; ");
      test.info().annotations.push({ type: row, description });
      process.stdout.write(`    ${row}: ${description}\n`);
    }
    return figures;
  }

  async #seen(): Promise<Seen["seen"]> {
    return this.#page.evaluate(() => (globalThis as unknown as Seen).seen);
  }
}

function inS(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
