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

  /**
   * What one topic gives. Read topic by topic, at its own moment each.
   * @param replica of a cluster: has what was stored until then, true time, ms, and replays from a message's time
   */
  select(topic: string, since: string, scheduled: boolean, replica?: { untilMs: number }): StorableEvent[] {
    const { untilMs = Infinity } = replica ?? {};
    const known = this.rows.filter(({ storedAtMs }) => storedAtMs <= untilMs);
    const marker = replica && known.find(({ event }) => event.id === since);
    const chosen = known.filter((row) => {
      if (row.event.topic !== topic) return false;
      if (marker) return row.delivered ? row.event.time >= marker.event.time : scheduled;
      return this.#isSelected(row, since, scheduled, known);
    });
    const events = chosen.sort((a, b) => a.event.time - b.event.time || a.row - b.row).map((row) => row.event);
    return since === "latest" ? events.slice(-1) : events;
  }

  #isSelected({ event, row, delivered }: Row, since: string, scheduled: boolean, known: readonly Row[]): boolean {
    if (since === "none") return false;
    if (since === "latest") return delivered;
    if (since === "all") return delivered || scheduled;
    // Its form decides, before it is tried as a number.
    if (!isMessageId(since)) return event.time >= Number(since) && (delivered || scheduled);
    const marker = known.find((one) => one.event.id === since);
    if (!marker) return delivered || scheduled;
    return delivered ? row > marker.row : scheduled;
  }
}
