// Which test files may share a process. A process for each file costs a quarter of a second, more than most files take.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./source-hash.mjs";

/** Found in files that replace modules or parts of the platform, which nothing takes back (tests/each-file.ts). */
const REPLACES = /\bvi\.mock\(|\bglobalThis\.\w+ = /;

/** Tests with a real server and in real time may leave connections behind. */
const REAL = /\/(?:real|restarted)-server\.test\.ts$/;

/**
 * All files of unit tests, as paths in the repository.
 * @returns {{ together: string[], apart: string[] }} those that may share a process, and those that each need their own
 */
export function unitFiles() {
  const files = readdirSync(join(ROOT, "tests"), { recursive: true, encoding: "utf8" })
    .map((name) => `tests/${name.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".test.ts") && !path.startsWith("tests/e2e/"));
  const together = files.filter((path) => !REAL.test(path) && !REPLACES.test(readFileSync(join(ROOT, path), "utf8")));
  const shared = new Set(together);
  return { together, apart: files.filter((path) => !shared.has(path)) };
}
