import { addToSummary, type AlertCounts, type HubEvent, isUnread, type StoredMessage } from "../../contract";
import { alertStrings, appStrings, list } from "../strings";

/** Messages that come within this time after the first, ms, are announced together. */
export const GATHER_MS = 1_500;
/** Least time between two announcements, ms, so that screen reader users can hear what they are doing. */
export const REST_MS = 15_000;
/** How long the text stays, ms. It is cleared so that the same text can be read out again and nothing stale remains. */
export const SAID_MS = 5_000;
/** Topics beyond this number are counted rather than named. */
const MAX_NAMED = 3;

/** Announces arrivals to screen readers: now and then one line for all that came, never one per message. */
export class Arrivals {
  /** Text of the live region. */
  text = $state("");
  #waiting: AlertCounts = {};
  /** The hub announced only some of the rows that came. */
  #isPart = false;
  readonly #names = new Map<number, string>();
  /** Whether it is gathering messages, or pausing between announcements. */
  #isWaiting = false;

  /** @param topicOf name of a message's topic; undefined if the message isn't to be announced */
  constructor(private readonly topicOf: (row: StoredMessage) => string | undefined) {}

  heard(event: HubEvent): void {
    if (event.kind !== "rows" && event.kind !== "unstored") return;
    // A scheduled message that has just fallen due is known since it was scheduled, and alerts now.
    const isDue = ({ alertedAtMs = 0, receivedAtMs }: StoredMessage) =>
      alertedAtMs > Math.max(receivedAtMs, Date.now() - GATHER_MS);
    const rows = event.kind === "rows" ? [...event.added, ...event.changed.filter(isDue)] : event.rows;
    for (const row of rows) {
      const name = isUnread(row) ? this.topicOf(row) : undefined;
      if (name === undefined) continue;
      this.#names.set(row.subId, name);
      this.#waiting = addToSummary(this.#waiting, [row]);
    }
    if (this.#names.size === 0) return;
    this.#isPart ||= event.kind === "rows" && event.more > 0;
    if (!this.#isWaiting) this.#tellAfter(GATHER_MS);
  }

  #tell(): void {
    this.#isWaiting = false;
    if (this.#names.size === 0) return;
    const sums = Object.values(this.#waiting);
    const count = sums.reduce((all, sum) => all + sum.count, 0);
    const urgent = sums.reduce((all, sum) => all + sum.urgent, 0);
    const names = [...this.#names.values()];
    const where = names.length > MAX_NAMED ? appStrings.common.topics({ count: names.length }) : list(names);
    const strings = (this.#isPart ? alertStrings.arrivedOrMore : alertStrings.arrived)({ count, where });
    this.text = urgent > 0 ? alertStrings.withUrgent({ text: strings, count: urgent }) : strings;
    this.#waiting = {};
    this.#names.clear();
    this.#isPart = false;
    setTimeout(() => (this.text = ""), SAID_MS);
    this.#tellAfter(REST_MS);
  }

  #tellAfter(ms: number): void {
    this.#isWaiting = true;
    setTimeout(() => this.#tell(), ms);
  }
}
