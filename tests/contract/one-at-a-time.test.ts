import { expect, test } from "vitest";
import { oneAtATime } from "../../src/contract";

test("calls during a run have the work done once more, after it", async () => {
  const ends: (() => void)[] = [];
  const run = oneAtATime(
    () => new Promise((resolve) => void ends.push(resolve)),
    () => undefined,
  );
  const first = run();
  await Promise.resolve();
  const again = [run(), run()];
  expect(ends).toHaveLength(1);

  ends[0]?.();
  await first;
  await Promise.resolve();
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await Promise.all(again);
  expect(ends).toHaveLength(2);
});

test("an exception in a run is reported, and the next run goes ahead", async () => {
  const problems: unknown[] = [];
  let runs = 0;
  const run = oneAtATime(
    () => (++runs === 1 ? Promise.reject(new Error("first")) : Promise.resolve()),
    (problem) => void problems.push(problem),
  );
  await run();
  await run();
  expect(runs).toBe(2);
  expect(problems).toEqual([new Error("first")]);
});
