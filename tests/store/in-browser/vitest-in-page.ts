// The parts of vitest that the store's tests use, for a page, so that they can run there on a real IndexedDB.
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";
import * as chai from "chai";

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

export const expect = chai.expect;

type Body = () => unknown;

interface Collected {
  name: string;
  before: Body[];
  body: Body;
}

/** The result of one test. */
export interface TestResult {
  name: string;
  ms: number;
  error?: string;
}

const tests: Collected[] = [];
let names: string[] = [];
let before: Body[] = [];

export function describe(name: string, body: () => void): void {
  const outer = { names, before };
  names = [...names, name];
  before = [...before];
  body();
  ({ names, before } = outer);
}

export function beforeEach(body: Body): void {
  before.push(body);
}

/** Time limits in `rest` are ignored, as the page sets its own. */
export function test(name: string, ...rest: [Body] | [options: object, Body]): void {
  const body = rest.at(-1) as Body;
  // Refers to the group's list of hooks, which may still grow after this test.
  tests.push({ name: [...names, name].join(" > "), before, body });
}

/** Takes rows of arguments, the first of which is part of the name. */
test.each =
  (rows: readonly unknown[]) =>
  (name: string, body: (...row: never[]) => unknown): void => {
    for (const row of rows) {
      const values: unknown[] = Array.isArray(row) ? row : [row];
      test(name.replace(/%[si]/, String(values[0])), () => body(...(values as never[])));
    }
  };

/** Runs the collected tests one after the other, as the tests of a group share their variables. */
export async function runTests(): Promise<TestResult[]> {
  const results: TestResult[] = [];
  for (const { name, before: hooks, body } of tests) {
    const startedAtMs = performance.now();
    const result: TestResult = { name, ms: 0 };
    try {
      for (const hook of hooks) await hook();
      await body();
    } catch (thrown) {
      result.error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    }
    result.ms = Math.round(performance.now() - startedAtMs);
    results.push(result);
  }
  return results;
}
