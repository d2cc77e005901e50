import fc from "fast-check";
import { expect, test } from "vitest";
import { previewed } from "../../src/hub/commands/topic-commands";
import type { StorableEvent } from "../../src/protocol";

let number = 0;
const id = () => `id${String(++number).padStart(10, "0")}`;

function message(text: string, time: number, sequence?: string, topic = "a"): StorableEvent {
  return { id: id(), time, topic, event: "message", message: text, ...(sequence && { sequence_id: sequence }) };
}

function control(kind: "message_delete" | "message_clear", time: number, sequence: string, topic = "a"): StorableEvent {
  return { id: id(), time, topic, event: kind, sequence_id: sequence };
}

function shown(events: StorableEvent[], most = 100): string[] {
  return previewed(events, most).map((event) => event.message);
}

test("a preview shows cleared messages, but no deleted or superseded ones", () => {
  expect(
    shown([
      message("first", 1, "s"),
      message("kept", 1),
      message("gone", 1, "d"),
      message("second", 2, "s"),
      control("message_delete", 3, "d"),
      control("message_clear", 3, "s"),
    ]),
  ).toEqual(["kept", "second"]);
});

test("an update may be named after the message that it updates, and a sequence belongs to one topic", () => {
  const first = message("first", 1);
  expect(shown([first, message("second", 2, first.id), message("of b", 3, first.id, "b")])).toEqual(["second", "of b"]);
});

test("the server's order counts within one second, and the time otherwise", () => {
  expect(
    shown([
      message("old", 1, "s"),
      control("message_delete", 1, "s"),
      message("new", 1, "s"),
      message("newer", 1, "s"),
      message("over", 1, "t"),
      control("message_delete", 1, "t"),
      message("late", 3, "u"),
      message("early", 2, "u"),
    ]),
  ).toEqual(["newer", "late"]);
});

test("a preview shows at most one message of each sequence, and the newest if there are too many", () => {
  const event = fc.record({
    kind: fc.constantFrom("message", "message", "message_delete", "message_clear"),
    time: fc.integer({ min: 0, max: 5 }),
    sequence: fc.constantFrom("s", "t", "u", "v", "w"),
    topic: fc.constantFrom("a", "b"),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), fc.integer({ min: 1, max: 12 }), (drawn, most) => {
      // A server answers in order of time.
      const events = drawn
        .toSorted((a, b) => a.time - b.time)
        .map(({ kind, time, sequence, topic }) =>
          kind === "message"
            ? message("", time, sequence, topic)
            : control(kind as "message_delete", time, sequence, topic),
        );
      const seen = previewed(events, most);
      expect(seen.length).toBeLessThanOrEqual(most);
      const last = new Map<string, StorableEvent>();
      for (const each of events) {
        if (each.event !== "message_clear") last.set(`${each.topic} ${String(each.sequence_id)}`, each);
      }
      const standing = [...last.values()].filter((each) => each.event === "message").map((each) => each.time);
      expect(seen.map(({ time }) => time)).toEqual(
        standing.sort((a, b) => a - b).slice(-seen.length || standing.length),
      );
      for (const each of seen) expect(last.get(`${each.topic} ${String(each.sequence_id)}`)).toBe(each);
      expect(seen).toHaveLength(Math.min(most, standing.length));
    }),
  );
});
