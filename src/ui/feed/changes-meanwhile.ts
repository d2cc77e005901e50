import { rowKey, type StoredMessage } from "../../contract";

/** Collects the changes that are announced while pages are being read, as a page may not show them. */
export class ChangesMeanwhile {
  added = new Map<string, StoredMessage>();
  changed = new Map<string, StoredMessage>();
  removed = new Set<string>();
  /** How many pages are being read. */
  #reads = 0;

  get isReading(): boolean {
    return this.#reads > 0;
  }

  /** Call when a read begins. */
  begin(): void {
    this.#reads++;
  }

  /** Call when a read has ended. Once none is left, the changes are forgotten. */
  end(): void {
    this.#reads--;
    if (this.isReading) return;
    this.added = new Map();
    this.changed = new Map();
    this.removed = new Set();
  }

  /** Notes rows that are new. */
  add(rows: readonly StoredMessage[]): void {
    if (!this.isReading) return;
    for (const row of rows) {
      this.added.set(rowKey(row), row);
      this.removed.delete(rowKey(row));
    }
  }

  /** Notes rows that were changed, by key, and the keys of those that were removed. */
  change(changed: ReadonlyMap<string, StoredMessage>, removed: ReadonlySet<string>): void {
    if (!this.isReading) return;
    for (const key of removed) {
      this.removed.add(key);
      this.added.delete(key);
    }
    for (const [key, row] of changed) {
      this.changed.set(key, row);
      this.removed.delete(key);
    }
  }
}
