import { type HubEvent, isUnread, type StoredMessage } from "../../protocol";
import { alertStrings } from "../strings/alerts";
import { addToSummary, type Summary } from "./summary";

/** What comes within this time, ms, after the first of it is told as one. */
export const GATHER_MS = 1_500;
/** From one telling to the next at least, ms: whoever listens hears what he is doing in between. */
export const REST_MS = 15_000;
/** The words stand so long, ms: the same words after that are heard again, and nobody comes upon old ones. */
export const SAID_MS = 5_000;
/** More topics than these are counted. */
const MOST_NAMED = 3;

/**
 * What arrives, for those who listen to the page: in one line for all that came, now and then, never one for each message.
 * Which message it was is in the feed.
 */
export class Arrivals {
  /** What the live region holds. */
  said = $state("");
  readonly #topicOf: (row: StoredMessage) => string | undefined;
  #waiting: Summary = {};
  /** More came than the hub handed out. */
  #isPart = false;
  readonly #names = new Map<number, string>();
  /** It gathers, or rests. */
  #isWaiting = false;

  /** @param topicOf what the topic of a message is called; undefined where nothing is to be told of it */
  constructor(topicOf: (row: StoredMessage) => string | undefined) {
    this.#topicOf = topicOf;
  }

  /** Takes in an announcement of the hub. */
  heard(event: HubEvent): void {
    if (event.kind !== "rows" && event.kind !== "unstored") return;
    const rows = event.kind === "rows" ? event.added : event.rows;
    for (const row of rows) {
      const name = isUnread(row) ? this.#topicOf(row) : undefined;
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
    const strings = alertStrings.arrived(count, this.#isPart, names.length > MOST_NAMED ? names.length : names);
    this.said = urgent > 0 ? alertStrings.withUrgent(strings, urgent) : strings;
    this.#waiting = {};
    this.#names.clear();
    this.#isPart = false;
    setTimeout(() => (this.said = ""), SAID_MS);
    this.#tellAfter(REST_MS);
  }

  #tellAfter(ms: number): void {
    this.#isWaiting = true;
    setTimeout(() => this.#tell(), ms);
  }
}
