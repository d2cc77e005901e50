import type { HubEvent } from "../protocol";

type StorageEvent = Extract<HubEvent, { kind: "storage" }>;

/**
 * What is wrong with the storage, as the page hears it from two sides. What hubs say comes and goes; that the page's own
 * database ended lasts until it is loaded anew.
 */
export class StorageTrouble {
  readonly #announce: (event: StorageEvent) => void;
  #current: StorageEvent | undefined;
  #hasEnded = false;

  constructor(announce: (event: StorageEvent) => void) {
    this.#announce = announce;
  }

  /** The trouble that lasts, for one who asks later. */
  get current(): StorageEvent | undefined {
    return this.#current;
  }

  /** A hub says it. */
  told(event: StorageEvent): void {
    // A hub that writes again is no help to a page that can't read.
    if (this.#hasEnded && event.problem !== "newer-version") return;
    this.#current = event.problem === "none" ? undefined : event;
    this.#announce(event);
  }

  /** The page's own database can't be read any more, as it closed or a read of it failed; or a newer version took over. */
  ended(problem: "unreadable" | "newer-version", text?: string): void {
    this.#hasEnded = true;
    const before = this.#current?.problem;
    // One that made room for a newer version can't be read either: the better reason stays, and nothing is said twice.
    if (before === "newer-version" || before === problem) return;
    this.#current = { kind: "storage", problem, ...(text !== undefined && { text }) };
    this.#announce(this.#current);
  }
}
