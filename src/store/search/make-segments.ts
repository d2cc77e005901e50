import { foldText, HAS_VALUES, hasPart, searchParts, type StoredMessage } from "../../contract";
import type { SegmentRecord, SegmentTextRecord } from "../schema";
import { signatureOf } from "./signature";
import { type Priority, priorityOf } from "../../protocol";

/** Messages in a segment: larger ones read slower, smaller ones more often. It ends with a whole second. */
export const SEGMENT_SIZE = 100;

/** A segment ends after this many characters, so that one with long messages is quick to read. */
const MAX_TEXT = 60_000;

/** A segment, in the parts that are stored. */
export interface Segment {
  record: SegmentRecord;
  text: SegmentTextRecord;
  signature: Uint8Array<ArrayBuffer>;
}

/** Divides rows into segments. @param rows oldest first, by (time, arrival), in whole seconds */
export function makeSegments(rows: readonly StoredMessage[]): Segment[] {
  const segments: Segment[] = [];
  let held: StoredMessage[] = [];
  let length = 0;
  for (const row of rows) {
    const isFull = held.length >= SEGMENT_SIZE || length >= MAX_TEXT;
    if (isFull && held.at(-1)?.time !== row.time) {
      segments.push(makeSegment(held));
      held = [];
      length = 0;
    }
    held.push(row);
    length += row.event.message.length + (row.event.title?.length ?? 0);
  }
  if (held.length > 0) segments.push(makeSegment(held));
  return segments;
}

function makeSegment(rows: readonly StoredMessage[]): Segment {
  const from = rows[0]?.time ?? 0;
  const ends = new Uint32Array(rows.length * 3);
  let text = "";
  const slotsByTag = new Map<string, number[]>();
  for (const [slot, { event }] of rows.entries()) {
    const { title, body, rest } = searchParts(event);
    text += foldText(title);
    ends[slot * 3] = text.length;
    text += `\n${foldText(body)}`;
    ends[slot * 3 + 1] = text.length;
    text += `\n${foldText(rest)}`;
    ends[slot * 3 + 2] = text.length;
    for (const tag of new Set(event.tags?.map((each) => each.toLowerCase()))) {
      const slots = slotsByTag.get(tag);
      if (slots) slots.push(slot);
      else slotsByTag.set(tag, [slot]);
    }
  }
  const idEnds = new Uint32Array(rows.length);
  let ids = "";
  for (const [slot, { id }] of rows.entries()) {
    ids += id;
    idEnds[slot] = ids.length;
  }
  const record: SegmentRecord = {
    from,
    to: rows.at(-1)?.time ?? from,
    times: Float64Array.from(rows, (row) => row.time),
    arrivals: Float64Array.from(rows, (row) => row.arrival),
    subIds: Uint32Array.from(rows, (row) => row.subId),
    facts: Uint16Array.from(rows, slotFacts),
    ...{ ids, idEnds },
    tags: [...slotsByTag.keys()],
    tagSlots: Uint16Array.from([...slotsByTag.values()].flatMap((slots) => [slots.length, ...slots])),
  };
  return { record, text: { from, text, ends }, signature: signatureOf(text) };
}

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
  for (const what of HAS_VALUES) if (hasPart(event, what)) facts |= FACT[what];
  if (row.readAtMs !== undefined) facts |= FACT.read;
  if (row.doneAtMs !== undefined) facts |= FACT.done;
  if (row.starred) facts |= FACT.starred;
  if (row.snoozedUntilMs !== undefined) facts |= FACT.snoozed;
  return facts;
}

export function priorityIn(facts: number): Priority {
  return (facts & PRIORITY_BITS) as Priority;
}
