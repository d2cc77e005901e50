import { MAX_UNDO_MS, UNDO_OFFER_MS } from "../../contract";
import { appStrings } from "../strings";

/** How long a notice without an action stays, ms. */
const PLAIN_MS = 5_000;

/** A line that says what happened, with at most one action. */
export interface Notice {
  text: string;
  /** Offered as "Undo"; `undoLast` runs it too. */
  undo?: () => void;
  /** An action other than undo. */
  action?: { label: string; run: () => void };
}

/** The notices at the foot of the page and the stack of what can be undone. */
export class Notices {
  /** The newest notice; older ones have expired or been replaced. */
  current = $state.raw<Notice>();
  /** What can be undone, the newest last, with the text of its notice. */
  readonly #undos = new Map<() => void, string | undefined>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Replaces the previous notice, whose undo stays reachable by `undoLast`. */
  show(notice: Notice): void {
    this.current = notice;
    if (notice.undo) this.#push(notice.undo, notice.text);
    this.release();
  }

  /** Adds an undo without a notice, for a change the user can see. */
  keep(undo: () => void): void {
    this.#push(undo);
  }

  get canUndo(): boolean {
    return this.#undos.size > 0;
  }

  /** Undoes the newest change, if any, and says what it was unless the user can see it. */
  undoLast(): void {
    const last = [...this.#undos.keys()].at(-1);
    if (last) this.#undo(last);
  }

  #undo(undo: () => void): void {
    const text = this.#undos.get(undo);
    this.#undos.delete(undo);
    if (this.current?.undo === undo) this.dismiss();
    undo();
    if (text !== undefined) this.show({ text: appStrings.common.undone({ what: text }) });
  }

  /** Runs the action of the shown notice and dismisses it. */
  answer(): void {
    const shown = this.current;
    this.dismiss();
    if (shown?.undo) this.#undo(shown.undo);
    else shown?.action?.run();
  }

  dismiss(): void {
    clearTimeout(this.#timer);
    this.current = undefined;
  }

  /** Keeps the notice under pointer or focus. */
  hold(): void {
    clearTimeout(this.#timer);
  }

  release(): void {
    clearTimeout(this.#timer);
    const isAnswerable = this.current?.undo ?? this.current?.action;
    if (this.current) this.#timer = setTimeout(() => this.dismiss(), isAnswerable ? UNDO_OFFER_MS : PLAIN_MS);
  }

  #push(undo: () => void, text?: string): void {
    this.#undos.set(undo, text);
    setTimeout(() => {
      this.#undos.delete(undo);
      if (this.current?.undo === undo) this.dismiss();
    }, MAX_UNDO_MS);
  }
}
