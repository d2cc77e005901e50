import { expect, test } from "vitest";
import type { StoredMessage } from "../../src/contract";
import type { Priority } from "../../src/protocol";
import { runKeyFor } from "../../src/ui/message/repeat-runs";
import { wallLines, wallRows } from "../../src/ui/wall/wall-rows";

function row(id: string, time: number, priority: Priority, isRead = false): StoredMessage {
  return {
    subId: 1,
    time,
    id,
    event: { event: "message", id, time, topic: "a", message: id, priority },
    via: "stream",
    arrival: time,
    receivedAtMs: 0,
    ...(isRead && { readAtMs: 1 }),
  };
}

test("unread urgent messages come first, the most urgent on top, until they are read", () => {
  const rows = [row("new", 9, 3), row("high", 8, 4), row("read", 7, 5, true), row("urgent", 2, 5), row("older", 1, 5)];
  expect(wallRows(rows).map(({ id }) => id)).toEqual(["urgent", "older", "high", "new", "read"]);
});

test("of three or more repeats in a row a wall shows the newest, how many there are and since when", () => {
  const said = (id: string, time: number, message: string) => {
    const plain = row(id, time, 3);
    return { ...plain, event: { ...plain.event, message } };
  };
  const rows = [
    said("e", 9, "Disk at 93 %"),
    said("d", 8, "Disk at 92 %"),
    said("c", 7, "Disk at 91 %"),
    said("b", 6, "HTTP 500"),
    said("a", 5, "HTTP 200"),
  ];
  const lines = (folds: boolean) => wallLines(rows, runKeyFor({ terms: [] }), () => folds);
  expect(lines(true).map(({ row: { id }, repeats }) => [id, repeats])).toEqual([
    ["e", { count: 3, since: 7 }],
    ["b", undefined],
    ["a", undefined],
  ]);
  expect(lines(false)).toHaveLength(5);
});
