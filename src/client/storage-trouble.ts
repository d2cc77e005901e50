import type { HubEvent } from "../contract";
import type { DatabaseEnd } from "../store";

type StorageEvent = Extract<HubEvent, { kind: "storage" }>;

/** They say more than that the database can't be read. */
const REASONS: ReadonlySet<StorageEvent["problem"]> = new Set(["newer-version", "deleted"]);

/** What is wrong with storage: trouble that hubs report passes, the end of the page's own database is final. */
export class StorageTrouble {
  #current: StorageEvent | undefined;
  #hasEnded = false;

  constructor(private readonly announce: (event: StorageEvent) => void) {}

  /** The current trouble, for listeners that come later. */
  get current(): StorageEvent | undefined {
    return this.#current;
  }

  /** Call with what a hub reports. */
  told(event: StorageEvent): void {
    // A hub that can write again doesn't help a page that can't read.
    if (this.#hasEnded && !REASONS.has(event.problem)) return;
    this.#current = event.problem === "none" ? undefined : event;
    this.announce(event);
  }

  /** Whether the page's own database has ended. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Call when the page's own database can no longer be read: it closed, or a read failed. */
  ended(problem: DatabaseEnd, text?: string): void {
    this.#hasEnded = true;
    const before = this.#current?.problem;
    // A database that closed for such a reason can't be read either: that is final, and nothing is announced twice.
    if ((before && REASONS.has(before)) || before === problem) return;
    this.#current = { kind: "storage", problem, ...(text !== undefined && { text }) };
    this.announce(this.#current);
  }
}
