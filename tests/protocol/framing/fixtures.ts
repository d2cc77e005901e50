import type { ProtocolEvent } from "../../../src/protocol";

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** One event of each kind, with text that is easily cut in the wrong place. */
export const EVENTS: ProtocolEvent[] = [
  { id: "Xf3kLq8ZpW2a", time: 1_760_000_000, event: "open", topic: "a,b" },
  {
    id: "q0Vd71mBzTcE",
    time: 1_760_000_004,
    expires: 1_760_043_204,
    event: "message",
    topic: "a",
    title: "Überlauf 💾",
    message: 'zwei\nZeilen\u2028 "und" <b>\\n</b> 👩‍👩‍👧 \ud83d\ude00',
    tags: ["größe", "e\u0301"],
  },
  { id: "k", time: 1_760_000_045, event: "keepalive", topic: "a,b" },
  { id: "p", time: 1_760_000_046, event: "poll_request", topic: "a", message: "New message", poll_id: "y" },
  { id: "d", time: 1_760_000_047, event: "message_delete", topic: "a", sequence_id: "s", expires: 1_760_043_247 },
];

/** Feeds the bytes in pieces that are cut at these positions. */
export function pushCut<Frame>(
  framing: { push(chunk: Uint8Array): Frame[] },
  bytes: Uint8Array,
  cuts: readonly number[],
): Frame[] {
  const ends = [...cuts, bytes.length];
  return ends.flatMap((end, index) => framing.push(bytes.slice(ends[index - 1] ?? 0, end)));
}
