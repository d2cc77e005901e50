import { expect, test } from "vitest";
import { curlLine } from "../../src/ui/state/curl-line";
import { ADDRESS } from "./fake-client";

test("can be pasted into a terminal", () => {
  expect(curlLine(ADDRESS, "backups")).toBe('curl -d "It works" https://ntfy.example/backups');
});

test("nothing in the message means anything to the shell", () => {
  expect(curlLine(ADDRESS, "a", 'say "$HOME" `id` \\')).toBe(
    'curl -d "say \\"\\$HOME\\" \\`id\\` \\\\" https://ntfy.example/a',
  );
});
