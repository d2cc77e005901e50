import { expect, test } from "vitest";
import { absenceTerms } from "../../src/ui/away/away";
import { resolveWhen, type StoredMessage } from "../../src/contract";

const at = (time: number) => ({ time }) as StoredMessage;
const absence = { fromMs: Date.UTC(2026, 10, 20, 8, 30, 12), toMs: Date.UTC(2026, 10, 20, 17, 5, 48) };

function spanOf(...rows: StoredMessage[]): (number | undefined)[] {
  const count = rows.length;
  const summary = { count, isPart: false, groups: [{ name: "others" as const, rows, count, topics: [] }] };
  return absenceTerms({ absence, summary }).map((term) =>
    "written" in term ? resolveWhen(term.written, { nowMs: absence.toMs }) : undefined,
  );
}

test("the conditions hold the absence, to the minute", () => {
  expect(spanOf()).toEqual([Date.UTC(2026, 10, 20, 8, 30) / 1_000, Date.UTC(2026, 10, 20, 17, 6) / 1_000]);
});

test("what came late, or from a server whose clock is ahead, is within them", () => {
  const early = absence.fromMs / 1_000 - 700;
  const late = Math.ceil(absence.toMs / 1_000) + 50;
  const [from = 0, to = 0] = spanOf(at(early), at(late));
  expect(from).toBeLessThanOrEqual(early);
  expect(to).toBeGreaterThan(late);
});
