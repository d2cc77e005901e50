import fc from "fast-check";
import { expect, test } from "vitest";
import { FILTER_FIELDS } from "../../src/contract";
import { nearestField } from "../../src/ui/feed/filter/suggest";

test.each([
  ["prio", "priority"],
  ["Priorität", "priority"],
  ["pirority", "priority"],
  ["tpoic", "topic"],
  ["topics", "topic"],
  ["grp", undefined],
  ["serve", "server"],
  ["tgas", "tags"],
  ["mssge", "message"],
  ["título", "title"],
  ["xs", undefined],
  ["error", undefined],
  ["constructor", undefined],
  ["__proto__", undefined],
])("%j was meant as %j", (written, field) => expect(nearestField(written)).toBe(field));

test("a field name without one letter leads to that field, and only fields are offered", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), (name) => {
      const field = nearestField(name);
      if (field !== undefined) expect(Object.keys(FILTER_FIELDS)).toContain(field);
    }),
  );
  for (const field of ["priority", "message", "server", "before"]) {
    for (let at = 0; at < field.length; at++)
      expect(nearestField(field.slice(0, at) + field.slice(at + 1))).toBe(field);
  }
});
