import fc from "fast-check";
import { expect, test } from "vitest";
import { leastUsedHue, TOPIC_HUES, topicHue } from "../../src/contract";

test("a topic has the same colour everywhere, one of the ten", () => {
  fc.assert(
    fc.property(fc.string(), (topic) => {
      const hue = topicHue(topic);
      expect(hue).toBe(topicHue(topic));
      expect(Number.isInteger(hue) && hue >= 0 && hue < TOPIC_HUES).toBe(true);
    }),
  );
});

test("names that differ in one sign get different colours, mostly", () => {
  const hues = new Set(Array.from({ length: 40 }, (_, index) => topicHue(`sensor-${String(index)}`)));
  expect(hues.size).toBe(TOPIC_HUES);
});

test("a colour chosen by hand wins, unless there is no such colour", () => {
  expect(topicHue("a", 7)).toBe(7);
  expect(topicHue("a", 99)).toBe(topicHue("a"));
  expect(topicHue("a", -1)).toBe(topicHue("a"));
});

test("a new topic gets the least used colour, that of its name if this is as rare", () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 40 }), (topics) => {
      const uses = Array.from({ length: TOPIC_HUES }, () => 0);
      for (const topic of topics) {
        const chosen = leastUsedHue(topic, uses);
        const hue = topicHue(topic, chosen);
        expect(uses[hue]).toBe(Math.min(...uses));
        expect(chosen === undefined).toBe(uses[topicHue(topic)] === Math.min(...uses));
        uses[hue] = (uses[hue] ?? 0) + 1;
      }
    }),
  );
});
