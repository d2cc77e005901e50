import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ServerAddress } from "../../src/protocol";
import { curlLine, shellLine } from "../../src/ui/state/shell-line";
import { ADDRESS } from "./fake-client";

/** The words that a real shell makes of each line. */
function wordsOf(lines: readonly string[]): string[][] {
  const script = lines.map((line) => `printf '%s\\0' ${line}; printf '\\1'`).join("\n");
  const output = execFileSync("sh", ["-c", script], { encoding: "utf8" });
  return output
    .split("\u0001")
    .slice(0, -1)
    .map((words) => words.split("\0").slice(0, -1));
}

/** Characters that a terminal would act on, or that it doesn't show. */
const UNSEEN =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]/gu;

test("a line can be pasted into a terminal, and reads like a typed one", () => {
  expect(curlLine(ADDRESS, "backups", "It works")).toBe('curl -d "It works" https://ntfy.example/backups');
});

test("nothing in the message or the address has a meaning to the shell", () => {
  const hostile = "https://ntfy.example/$(touch x)`id`;'\"!*" as ServerAddress;
  const line = curlLine(hostile, "a", "say '$HOME' `id` \\ !!");
  expect(wordsOf([line])).toEqual([["curl", "-d", "say '$HOME' `id` \\ !!", `${hostile}/a`]]);
});

test("every word leaves a shell as it entered it, except for invisible characters", () => {
  const word = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(..."'\"\\$`!&|;<>(){}[]*?~# \n\t-=%a\u202e") }),
  );
  const lines = fc.sample(fc.array(word, { minLength: 1, maxLength: 4 }), 400);
  const words = wordsOf(lines.map((line) => shellLine(...line)));
  expect(words).toEqual(lines.map((line) => line.map((one) => one.replace(UNSEEN, ""))));
});

test("a shell that escapes with a backslash between single quotes reads the same words", () => {
  // In fish a backslash between single quotes would escape the quote after it.
  expect(shellLine("\\'; id; '")).toBe(String.raw`''\\\''; id; '\'''`);
  expect(shellLine("{a\\n}", "b\\")).toBe(String.raw`'{a\n}' 'b'\\''`);
  expect(shellLine("a\\\\b")).toBe("'a'\\\\\\\\'b'");
  expect(wordsOf([shellLine("a\\\\b", "\\'; id; '")])).toEqual([["a\\\\b", "\\'; id; '"]]);
});

test("no shell takes a word that begins with an equals sign for a program's name", () => {
  expect(shellLine("=ls", "a=b")).toBe('"=ls" a=b');
});
