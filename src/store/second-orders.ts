import { sequenceOf } from "../protocol";
import type { Arrival } from "./changes";
import type { SequenceInput } from "./reduce-sequence";

/** Several events of one sequence in one second, in the server's order. */
export interface SecondOrder {
  subId: number;
  sequence: string;
  time: number;
  events: Pick<SequenceInput, "kind" | "id">[];
}

const KINDS = { message: "message", message_delete: "delete", message_clear: "clear" } as const;

/** Works out, from arrivals in the server's order, the order of seconds in which a sequence has several events. */
export function secondOrders(arrivals: readonly Arrival[]): SecondOrder[] {
  // Most topics have no sequences: each message stands alone.
  if (arrivals.every(({ event }) => sequenceOf(event) === event.id)) return [];
  const seconds = new Map<string, SecondOrder>();
  for (const { subId, event } of arrivals) {
    const { time, id } = event;
    const sequence = sequenceOf(event);
    const key = `${subId}/${time}/${sequence}`;
    const second = seconds.get(key) ?? { subId, sequence, time, events: [] };
    seconds.set(key, second);
    if (!second.events.some((other) => other.id === id)) second.events.push({ kind: KINDS[event.event], id });
  }
  return [...seconds.values()].filter(({ events }) => events.length > 1);
}
