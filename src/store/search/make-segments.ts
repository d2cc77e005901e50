import { foldText, searchParts, type StoredMessage } from "../../contract";
import type { SegmentRecord, SegmentTextRecord } from "../schema";
import { signatureOf } from "./signature";
import { slotFacts } from "./slot-facts";

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
