/** How long what was removed can be brought back, ms: long enough to read the line and reach the button. */
export const UNDO_OFFER_MS = 10_000;

/**
 * How long it can be brought back by a key, and is offered at most, however long the line is held, ms: the store keeps what
 * was removed for a minute.
 */
export const MAX_NOTICE_HOLD_MS = 45_000;

/** How long a line that needs no answer stays, ms. */
const PLAIN_MS = 5_000;

/** The same while a pointer or the focus is on it: a pointer may just rest there, and the line lies over the feed. */
const PLAIN_HELD_MS = 15_000;

/** A line that says what happened, at most with one thing to do about it. */
export interface Notice {
  text: string;
  /** Shown as "Undo", and done by `undoLast` too. */
  undo?: () => void;
  /** Another thing to do than undo. */
  action?: { label: string; run: () => void };
}

interface Shown extends Notice {
  id: number;
}

/** The lines at the foot of the page and the stack of what can be undone. */
export class Notices {
  /** The newest one; older ones have been read or replaced. */
  current = $state.raw<Shown>();
  #undos: { id: number; undo: () => void }[] = [];
  #nextId = 1;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Shows a line in place of the one before, whose undo stays reachable by `undoLast`. */
  say(notice: Notice): void {
    const shown = { ...notice, id: this.#nextId++ };
    this.current = shown;
    if (shown.undo) this.#push(shown.id, shown.undo);
    this.release();
  }

  /** Keeps a way back without a word: what was done is plain to see. */
  keep(undo: () => void): void {
    this.#push(this.#nextId++, undo);
  }

  /** Whether there is something that `undoLast` would undo. */
  get canUndo(): boolean {
    return this.#undos.length > 0;
  }

  /** Undoes the newest thing that can be undone, if there is one. */
  undoLast(): void {
    const last = this.#undos.pop();
    if (!last) return;
    if (this.current?.id === last.id) this.dismiss();
    last.undo();
  }

  /** Carries out what the shown line offers, and takes it away. */
  answer(): void {
    const shown = this.current;
    this.dismiss();
    if (!shown) return;
    this.#forget(shown.id);
    if (shown.undo) shown.undo();
    else shown.action?.run();
  }

  dismiss(): void {
    clearTimeout(this.#timer);
    this.current = undefined;
  }

  /** Keeps the line while the pointer or the focus is on it; one that needs no answer for a while only. */
  hold(): void {
    this.#stay(Infinity, PLAIN_HELD_MS);
  }

  release(): void {
    this.#stay(UNDO_OFFER_MS, PLAIN_MS);
  }

  #stay(answerableMs: number, plainMs: number): void {
    clearTimeout(this.#timer);
    const shown = this.current;
    if (!shown) return;
    const ms = shown.undo || shown.action ? answerableMs : plainMs;
    if (ms < Infinity) this.#timer = setTimeout(() => this.dismiss(), ms);
  }

  #push(id: number, undo: () => void): void {
    this.#undos.push({ id, undo });
    setTimeout(() => {
      this.#forget(id);
      if (this.current?.id === id) this.dismiss();
    }, MAX_NOTICE_HOLD_MS);
  }

  #forget(id: number): void {
    this.#undos = this.#undos.filter((undo) => undo.id !== id);
  }
}
