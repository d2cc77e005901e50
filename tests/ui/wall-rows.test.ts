import { expect, test } from "vitest";
import type { StoredMessage } from "../../src/contract";
import type { Priority } from "../../src/protocol";
import { wallRows } from "../../src/ui/wall/wall-rows";

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
