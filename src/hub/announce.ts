import { newestFirst, type HubEvent, type StoredMessage } from "../contract";
import type { Changes } from "../store";
import type { Alerts } from "./alerts/alerts";

/** The hub, as the leader and its connections see it. */
export interface LeadingHub {
  /** Tells every tab. */
  announce(event: HubEvent): void;
  /** Shows claimed alerts and notices. */
  readonly alerts: Pick<Alerts, "claimed" | "tell">;
  /** Servers, accounts or subscriptions changed in the store: everyone reads them again, the connections included. */
  catalogueChanged(): Promise<void>;
}

/** An announcement carries at most a few screens, as every tab gets a copy; the rest is read when needed. */
export const MAX_ANNOUNCED_ROWS = 100;

/** Announces to every tab. */
export type Announce = (event: HubEvent) => void;

function newest(rows: StoredMessage[]): StoredMessage[] {
  if (rows.length <= MAX_ANNOUNCED_ROWS) return rows;
  return [...rows].sort(newestFirst).slice(0, MAX_ANNOUNCED_ROWS);
}

/** The announcement of a write; undefined when nothing changed. */
export function changesEvent(changes: Changes, added: StoredMessage[] = []): HubEvent | undefined {
  const { changed, removed, counts, total, lastArrival } = changes;
  if (added.length + changed.length + removed.length + counts.length === 0) return undefined;
  const shown = { added: newest(added), changed: newest(changed) };
  const more = added.length - shown.added.length + changed.length - shown.changed.length;
  return { kind: "rows", ...shown, removed, more, counts, total, lastArrival };
}

/** Announces a write, if anything changed. @param added the rows that it added */
export function announceChanges(hub: { announce: Announce }, changes: Changes, added?: StoredMessage[]): void {
  const event = changesEvent(changes, added);
  if (event) hub.announce(event);
}
