import fc from "fast-check";
import { expect, test } from "vitest";
import { TOPIC_HUES, topicHue } from "../../src/contract";

test("a topic has the same colour everywhere, one of the ten", () => {
  fc.assert(
    fc.property(fc.string(), (topic) => {
      const hue = topicHue(topic);
      expect(hue).toBe(topicHue(topic));
      expect(Number.isInteger(hue) && hue >= 0 && hue < TOPIC_HUES).toBe(true);
    }),
  );
});

test("names that differ in one character mostly get different colours", () => {
  const hues = new Set(Array.from({ length: 40 }, (_, index) => topicHue(`sensor-${String(index)}`)));
  expect(hues.size).toBe(TOPIC_HUES);
});

test("a colour chosen by hand wins, unless there is no such colour", () => {
  expect(topicHue("a", 7)).toBe(7);
  expect(topicHue("a", 99)).toBe(topicHue("a"));
  expect(topicHue("a", -1)).toBe(topicHue("a"));
});
