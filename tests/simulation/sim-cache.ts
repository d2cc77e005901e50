import { isMessageId, type StorableEvent } from "../../src/protocol";

/** One cached event. */
export interface Row {
  event: StorableEvent;
  /** Fixed when it was accepted, whatever its time. */
  row: number;
  delivered: boolean;
  /** True time, ms. */
  storedAtMs: number;
}

/** The cache of the reference server and what each `since` selects from it (docs/protocol.md §4). */
export class SimCache {
  rows: Row[] = [];
  #next = 1;

  /** Its row number. */
  add(event: StorableEvent, delivered: boolean, storedAtMs: number): number {
    this.rows.push({ event, row: this.#next++, delivered, storedAtMs });
    return this.#next - 1;
  }

  /** What one topic gives. Read topic by topic, at its own moment each. */
  select(topic: string, since: string, scheduled: boolean): StorableEvent[] {
    const chosen = this.rows.filter((row) => row.event.topic === topic && this.#isSelected(row, since, scheduled));
    const events = chosen.sort((a, b) => a.event.time - b.event.time || a.row - b.row).map((row) => row.event);
    return since === "latest" ? events.slice(-1) : events;
  }

  #isSelected({ event, row, delivered }: Row, since: string, scheduled: boolean): boolean {
    if (since === "none") return false;
    if (since === "latest") return delivered;
    if (since === "all") return delivered || scheduled;
    // Its form decides, before it is tried as a number.
    if (!isMessageId(since)) return event.time >= Number(since) && (delivered || scheduled);
    const marker = this.rows.find((one) => one.event.id === since);
    if (!marker) return delivered || scheduled;
    return delivered ? row > marker.row : scheduled;
  }
}
