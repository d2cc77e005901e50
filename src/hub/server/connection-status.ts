import type { ConnectionState, ServerStatus } from "../../contract";
import type { ServerContext } from "./server-context";

/** The connection that the status describes. */
export interface StatusOwner {
  readonly state: ConnectionState;
  /** A catch-up is under way. */
  readonly isChecking: boolean;
}

/** What is told of a connection: its state, and what was counted and heard. */
export class ConnectionStatus {
  #kind: ConnectionState["kind"] = "idle";
  #sinceMs: number;
  #heardAtMs: number | undefined;
  #malformed = 0;
  #isTelling = false;
  #isOver = false;

  constructor(
    private readonly here: ServerContext,
    private readonly owner: StatusOwner,
  ) {
    this.#sinceMs = here.environment.now();
  }

  /** When the kind of the state last changed, device clock, ms. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  get current(): ServerStatus {
    const { serverId, facts, count, plan } = this.here;
    const { lastCompleteAtMs, clockAheadS, retentionS } = facts;
    return {
      serverId,
      state: this.owner.state,
      checking: this.owner.isChecking,
      ...(lastCompleteAtMs !== undefined && { lastCompleteAtMs }),
      ...(this.#heardAtMs !== undefined && { lastContactAtMs: this.#heardAtMs }),
      ...(clockAheadS !== undefined && { clockAheadS }),
      malformed: this.#malformed,
      recentRequests: count.recent,
      cacheless: retentionS === 0,
      refusedTopics: plan.refusedTopics,
      waitingTopics: plan.waitingTopics,
    };
  }

  /** Notes a sign of life, which is announced with the next change. */
  heard(): void {
    this.#heardAtMs = this.here.environment.now();
  }

  countMalformed(count: number): void {
    this.#malformed += count;
    this.changed();
  }

  /** Announces the status, once for all changes made in the same turn of the event loop. */
  changed(): void {
    const { kind } = this.owner.state;
    if (kind !== this.#kind) {
      this.#kind = kind;
      this.#sinceMs = this.here.environment.now();
    }
    if (this.#isTelling) return;
    this.#isTelling = true;
    void Promise.resolve().then(() => {
      this.#isTelling = false;
      if (!this.#isOver) this.here.hub.announce({ kind: "status", status: this.current });
    });
  }

  stop(): void {
    this.#isOver = true;
  }
}
