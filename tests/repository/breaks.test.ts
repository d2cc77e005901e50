import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/source-hash.mjs";
import { BREAKS } from "../simulation/breaks.mjs";

test("each break of the simulation finds the code that it breaks, once", () => {
  const lost = BREAKS.filter(({ file, find }) => readFileSync(join(ROOT, file), "utf8").split(find).length !== 2);
  expect(lost.map(({ why }) => why)).toEqual([]);
});
