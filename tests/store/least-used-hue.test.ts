import fc from "fast-check";
import { expect, test } from "vitest";
import { TOPIC_HUES, topicHue } from "../../src/contract";
import { leastUsedHue } from "../../src/store/edit/edit-subscriptions";

test("a new topic gets the least used colour, and its name decides between equals", () => {
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
