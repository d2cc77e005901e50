import { appStrings } from "../strings";

/** How long a notice with an undo stays, ms: enough to read it and reach the button. */
export const UNDO_OFFER_MS = 10_000;

/**
 * How long the key for undo works, and the longest a notice can be held, ms. Less than the minute for which the store
 * keeps what was removed.
 */
export const MAX_NOTICE_HOLD_MS = 45_000;

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

interface Shown extends Notice {
  id: number;
}

/** The notices at the foot of the page and the stack of what can be undone. */
export class Notices {
  /** The newest notice; older ones have expired or been replaced. */
  current = $state.raw<Shown>();
  #undos: { id: number; undo: () => void; text?: string }[] = [];
  #nextId = 1;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Replaces the previous notice, whose undo stays reachable by `undoLast`. */
  show(notice: Notice): void {
    const shown = { ...notice, id: this.#nextId++ };
    this.current = shown;
    if (shown.undo) this.#push({ ...shown, undo: shown.undo });
    this.release();
  }

  /** Adds an undo without a notice, for a change the user can see. */
  keep(undo: () => void): void {
    this.#push({ id: this.#nextId++, undo });
  }

  /** Whether there is something that `undoLast` would undo. */
  get canUndo(): boolean {
    return this.#undos.length > 0;
  }

  /** Undoes the newest change, if any, and says what it was unless the user can see it. */
  undoLast(): void {
    const last = this.#undos.pop();
    if (!last) return;
    if (this.current?.id === last.id) this.dismiss();
    last.undo();
    if (last.text !== undefined) this.show({ text: appStrings.common.undone({ what: last.text }) });
  }

  /** Runs the action of the shown notice and dismisses it. */
  answer(): void {
    const shown = this.current;
    this.dismiss();
    if (!shown?.undo) return shown?.action?.run();
    this.#undos = [...this.#undos.filter(({ id }) => id !== shown.id), { ...shown, undo: shown.undo }];
    this.undoLast();
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

  #push(undoable: { id: number; undo: () => void; text?: string }): void {
    const { id } = undoable;
    this.#undos.push(undoable);
    setTimeout(() => {
      this.#undos = this.#undos.filter((undo) => undo.id !== id);
      if (this.current?.id === id) this.dismiss();
    }, MAX_NOTICE_HOLD_MS);
  }
}
