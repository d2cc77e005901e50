import { describe, expect, it } from "vitest";
import { parseMessageFilter, passesFilter, type ProtocolEvent } from "../../src/protocol";

const base = { time: 1, event: "message", topic: "a" } as const;
const MESSAGES: ProtocolEvent[] = [
  { ...base, id: "m1", title: "Backup", message: "disk full", priority: 5, tags: ["backup", "disk"] },
  { ...base, id: "m2", title: "Backup", message: "backup done", priority: 2, tags: ["backup"] },
  { ...base, id: "m3", message: "door open", tags: ["door", "Disk"] },
  { ...base, id: "m4", message: "plain" },
  { ...base, id: "m5", message: "explicit three", priority: 3 },
];
const CHANGES: ProtocolEvent[] = [
  { ...base, id: "d", event: "message_delete", sequence_id: "m1" },
  { ...base, id: "c", event: "message_clear", sequence_id: "m1" },
];

type Input = Partial<Record<"id" | "message" | "title" | "priority" | "tags", string>>;

function passing(input: Input, events = MESSAGES): string[] {
  const filter = parseMessageFilter((name) => input[name]);
  if (!filter) throw new Error("bad priority");
  return events.filter((event) => passesFilter(filter, event)).map(({ id }) => id);
}

describe("filters of a subscription", () => {
  it.each<[Input, string[]]>([
    [{}, ["m1", "m2", "m3", "m4", "m5"]],
    [{ priority: "", tags: "", title: "", message: "", id: "" }, ["m1", "m2", "m3", "m4", "m5"]],
    [{ priority: "5" }, ["m1"]],
    [{ priority: "urgent" }, ["m1"]],
    [{ priority: "max,LOW" }, ["m1", "m2"]],
    [{ priority: "3" }, ["m3", "m4", "m5"]],
    [{ priority: "1, min" }, []],
    [{ priority: "5,," }, ["m1"]],
    [{ tags: "backup" }, ["m1", "m2"]],
    [{ tags: "backup,disk" }, ["m1"]],
    [{ tags: "backup,,disk," }, ["m1"]],
    [{ tags: "backup, disk" }, []],
    [{ tags: "nothing" }, []],
    [{ tags: "disk" }, ["m1", "m3"]],
    [{ tags: "DISK" }, ["m1", "m3"]],
    [{ title: "Backup" }, ["m1", "m2"]],
    [{ title: "BACKUP" }, ["m1", "m2"]],
    [{ title: "Back" }, []],
    [{ message: "Plain" }, ["m4"]],
    [{ message: "pla" }, []],
    [{ id: "M3" }, ["m3"]],
    [{ title: "Backup", priority: "2", tags: "backup" }, ["m2"]],
    [{ title: "Backup", priority: "5", tags: "door" }, []],
    [{ priority: "3", message: "plain" }, ["m4"]],
  ])("%j lets %j pass", (input, ids) => {
    expect(passing(input)).toEqual(ids);
  });

  it.each(["6", "0", "high,foo", "-1", "3.0"])("priority %j is refused", (priority) => {
    expect(parseMessageFilter((name) => (name === "priority" ? priority : undefined))).toBeUndefined();
  });

  it("never stop signals and poll requests", () => {
    const events = (["open", "keepalive", "poll_request"] as const).map((event) => ({ ...base, event, id: event }));
    const filter = { priority: "5", tags: "x", title: "x", message: "x", id: "x" };
    expect(passing(filter, events)).toEqual(["open", "keepalive", "poll_request"]);
  });

  it.each<[Input, string[]]>([
    [{ tags: "backup" }, []],
    [{ title: "Backup" }, []],
    [{ message: "disk full" }, []],
    [{ id: "d" }, ["d"]],
    [{ priority: "5" }, []],
    [{ priority: "3" }, ["d", "c"]],
  ])("%j treats deletes and clears like messages: %j pass", (input, ids) => {
    expect(passing(input, CHANGES)).toEqual(ids);
  });
});
