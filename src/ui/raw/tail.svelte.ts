import type { Client } from "../../client";
import type { CommandError, Commands, TailLine, TailState } from "../../contract";

/** The most lines kept; older ones are dropped, as in a terminal. */
const MAX_LINES = 2_000;

/** An entry of the tail: a line as received, or a change of the connection. */
export type TailEntry = { atMs: number } & ({ kind: "text"; text: string } | { kind: "ended" | "again" });

/** One topic's raw stream, followed from `start` to `stop`. */
export class Tail {
  lines = $state.raw<readonly TailEntry[]>([]);
  /** Lines that came in all. */
  count = $state(0);
  /** Lines left out because this page was too slow or they were too long. */
  left = $state(0);
  /** Failed: the hub could not even try. */
  state = $state.raw<TailState | { kind: "failed"; error: CommandError }>({ kind: "connecting" });

  #tailId: string | undefined;
  #wasCut = false;

  constructor(
    private readonly client: Pick<Client, "send">,
    private readonly of: Omit<Commands["tail"]["input"], "tailId">,
  ) {}

  /** Starts, or restarts after a stop. */
  start(): void {
    this.stop();
    this.state = { kind: "connecting" };
    // Without a secure context there is no randomUUID; the id needn't be hard to guess.
    const tailId = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
    this.#tailId = tailId;
    void this.#follow(tailId);
  }

  stop(): void {
    if (this.#tailId !== undefined) void this.client.send("endTail", { tailId: this.#tailId });
    this.#tailId = undefined;
  }

  clear(): void {
    this.lines = [];
  }

  async #follow(tailId: string): Promise<void> {
    while (this.#tailId === tailId) {
      const told = await this.client.send("tail", { ...this.of, tailId });
      if (this.#tailId !== tailId) return;
      if (!told.ok) {
        this.state = { kind: "failed", error: told.error };
        return;
      }
      this.#take(told.value.lines, told.value.left);
      this.#become(told.value.state);
      if (told.value.state.kind === "stopped") return;
    }
  }

  #take(lines: readonly TailLine[], left: number): void {
    this.count += lines.length;
    this.left += left;
    if (this.#wasCut && lines.length > 0) this.#mend(lines[0]?.atMs ?? Date.now());
    this.#add(lines.map((line) => ({ kind: "text", ...line })));
  }

  #become(state: TailState): void {
    if (this.state.kind === "open" && state.kind === "waiting") {
      this.#wasCut = true;
      this.#add([{ kind: "ended", atMs: Date.now() }]);
    }
    if (state.kind === "open" && this.#wasCut) this.#mend(state.heardAtMs);
    this.state = state;
  }

  #mend(atMs: number): void {
    this.#wasCut = false;
    this.#add([{ kind: "again", atMs }]);
  }

  #add(lines: TailEntry[]): void {
    if (lines.length === 0) return;
    this.lines = [...this.lines, ...lines].slice(-MAX_LINES);
  }
}
