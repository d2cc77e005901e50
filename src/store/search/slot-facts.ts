import type { HAS_VALUES, StoredMessage } from "../../contract";
import { knownActions, type Priority, priorityOf } from "../../protocol";

// The lowest three bits hold the priority; each of the others answers a yes-or-no question.
const PRIORITY_BITS = 0b111;

export const FACT = {
  attachment: 1 << 3,
  actions: 1 << 4,
  click: 1 << 5,
  title: 1 << 6,
  icon: 1 << 7,
  read: 1 << 8,
  done: 1 << 9,
  starred: 1 << 10,
  snoozed: 1 << 11,
} as const satisfies Record<(typeof HAS_VALUES)[number], number> & Record<string, number>;

/** All yes-or-no facts about a current message that filters ask for, and its priority. */
export function slotFacts(row: StoredMessage): number {
  const { event } = row;
  let facts: number = priorityOf(event);
  if (event.attachment) facts |= FACT.attachment;
  if (knownActions(event).length > 0) facts |= FACT.actions;
  if (event.click) facts |= FACT.click;
  if (event.title) facts |= FACT.title;
  if (event.icon) facts |= FACT.icon;
  if (row.readAtMs !== undefined) facts |= FACT.read;
  if (row.doneAtMs !== undefined) facts |= FACT.done;
  if (row.starred) facts |= FACT.starred;
  if (row.snoozedUntilMs !== undefined) facts |= FACT.snoozed;
  return facts;
}

export function priorityIn(facts: number): Priority {
  return (facts & PRIORITY_BITS) as Priority;
}
