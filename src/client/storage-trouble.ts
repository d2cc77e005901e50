import type { HubEvent } from "../contract";

type StorageEvent = Extract<HubEvent, { kind: "storage" }>;

/**
 * What is wrong with the storage, as the page learns it from two sides. Trouble that hubs report comes and goes; once
 * the page's own database has ended, that lasts until the page is reloaded.
 */
export class StorageTrouble {
  readonly #announce: (event: StorageEvent) => void;
  #current: StorageEvent | undefined;
  #hasEnded = false;

  constructor(announce: (event: StorageEvent) => void) {
    this.#announce = announce;
  }

  /** The current trouble, for those who ask later. */
  get current(): StorageEvent | undefined {
    return this.#current;
  }

  /** Call with what a hub reports. */
  told(event: StorageEvent): void {
    // A hub that can write again doesn't help a page that can't read.
    if (this.#hasEnded && event.problem !== "newer-version") return;
    this.#current = event.problem === "none" ? undefined : event;
    this.#announce(event);
  }

  /**
   * Call when the page's own database can't be read any more: it closed, a read failed, or a newer version took over.
   */
  ended(problem: "unreadable" | "newer-version", text?: string): void {
    this.#hasEnded = true;
    const before = this.#current?.problem;
    // A database that closed for a newer version can't be read either: the more helpful reason stays, and nothing is
    // announced twice.
    if (before === "newer-version" || before === problem) return;
    this.#current = { kind: "storage", problem, ...(text !== undefined && { text }) };
    this.#announce(this.#current);
  }
}
