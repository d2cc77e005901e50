import type { Failure } from "../protocol";
import { loadWhenNeeded } from "./load-when-needed";
import type { ServerContext } from "./server-context";

/** The connection, which continues without the refused topics. */
export interface RefusalsOwner {
  /** The search has ended. `isFound`: something was found and left out. */
  searchEnded(isFound: boolean, failure: Failure): void;
}

/** Leaves out what a server refuses, and tells the user of it (docs/protocol.md §19, trap 23). */
export class Refusals {
  readonly #here: ServerContext;
  readonly #signal: AbortSignal;
  readonly #owner: RefusalsOwner;
  /** Accounts for which the refused topic is being looked for. */
  readonly #looking = new Set<number>();
  /** What the user was last told about. */
  #noticed = "";

  /** @param signal ends the search */
  constructor(here: ServerContext, signal: AbortSignal, owner: RefusalsOwner) {
    this.#here = here;
    this.#signal = signal;
    this.#owner = owner;
  }

  /** Whether a refused topic is being looked for, of any account. */
  get isLooking(): boolean {
    return this.#looking.size > 0;
  }

  isLookingFor(accountId: number): boolean {
    return this.#looking.has(accountId);
  }

  /** Finds out what of an account is refused and marks it, so that everything else goes on. */
  async leaveOut(failure: Failure, accountId: number): Promise<void> {
    const { environment, requests, plan, hub } = this.#here;
    this.#looking.add(accountId);
    const before = plan.refusedTopics;
    const refusal = { failure, accountId, signal: this.#signal };
    // When the code can't be loaded, this is tried again after a wait, like any failure.
    const part = await loadWhenNeeded();
    const isFound = (await part?.markRefused(environment, requests, this.#here.plan, refusal)) ?? false;
    if (this.#signal.aborted) return;
    this.#looking.delete(accountId);
    if (part && isFound) {
      await hub.catalogueChanged();
      const { why, topics } = part.newlyRefused(this.#here.plan, before, refusal);
      this.notice(why, topics);
    }
    this.#owner.searchEnded(isFound, failure);
  }

  /** Lets everything back in that was left out, to be tried again. */
  async letBackIn(): Promise<void> {
    const { environment, plan, hub } = this.#here;
    // When the code can't be loaded, what was left out stays so until the next try.
    const part = await loadWhenNeeded();
    if (await part?.letBackIn(environment, plan)) await hub.catalogueChanged();
  }

  /** Tells the user of a stop: once until receiving works again, or until the stop is about something else. */
  notice(why: Failure, topics: string[]): void {
    const noticed = [why.kind, ...topics].join(" ");
    if (noticed === this.#noticed) return;
    this.#noticed = noticed;
    this.#here.hub.notice({ serverId: this.#here.serverId, why, topics });
  }

  /** Notes that everything is received again, so that the user is told of the next stop, even if it is the same. */
  receivedAll(): void {
    this.#noticed = "";
  }
}
