import { describe, expect, it } from "vitest";
import {
  isCached,
  isStorable,
  knownActions,
  messageText,
  priorityOf,
  sequenceOf,
  type MessageEvent,
} from "../../src/protocol";

const MESSAGE: MessageEvent = { id: "m1", time: 100, event: "message", topic: "a", message: "hi" };

describe("what follows from an event", () => {
  it("belongs to its own sequence unless it names another", () => {
    expect(sequenceOf(MESSAGE)).toBe("m1");
    expect(sequenceOf({ ...MESSAGE, sequence_id: "s" })).toBe("s");
    expect(sequenceOf({ ...MESSAGE, sequence_id: "" })).toBe("m1");
  });

  it("has priority 3 unless it says otherwise", () => {
    expect(priorityOf(MESSAGE)).toBe(3);
    expect(priorityOf({ priority: 5 })).toBe(5);
  });

  it("is kept by the server only if it expires after its time", () => {
    expect(isCached(MESSAGE)).toBe(false);
    expect(isCached({ ...MESSAGE, expires: 100 })).toBe(false);
    expect(isCached({ ...MESSAGE, expires: 101 })).toBe(true);
  });

  it("is stored unless it is a signal or a poll request", () => {
    expect(isStorable(MESSAGE)).toBe(true);
    expect(isStorable({ ...MESSAGE, event: "message_clear", sequence_id: "s" })).toBe(true);
    for (const event of ["open", "keepalive", "poll_request"] as const) {
      expect(isStorable({ id: "x", time: 1, topic: "a", event })).toBe(false);
    }
  });
});

describe("the text of a message", () => {
  it("is decoded from base64 if it is text", () => {
    expect(messageText(MESSAGE)).toEqual({ kind: "text", text: "hi" });
    expect(messageText({ ...MESSAGE, encoding: "base64", message: "cMOkc3M=" })).toEqual({
      kind: "text",
      text: "päss",
    });
  });

  it("is a number of bytes if they aren't text", () => {
    expect(messageText({ ...MESSAGE, encoding: "base64", message: "/wD+gA==" })).toEqual({
      kind: "bytes",
      sizeBytes: 4,
    });
  });

  it("is shown as it came if it can't be decoded", () => {
    const kept = { kind: "text", text: "not base64!" };
    expect(messageText({ ...MESSAGE, encoding: "base64", message: "not base64!" })).toEqual(kept);
    expect(messageText({ ...MESSAGE, encoding: "rot13", message: "not base64!" })).toEqual(kept);
  });
});

describe("the actions that can be shown", () => {
  it("are those of a known kind with all they need, in order", () => {
    const view = { id: "1", action: "view", label: "Open", url: "x" };
    const copy = { id: "2", action: "copy", label: "Copy", value: "x" };
    const actions = [
      view,
      { id: "3", action: "teleport", label: "Go", url: "x" },
      { id: "4", action: "http", label: "No address" },
      { action: "view", label: "No id", url: "x" },
      { id: "5", action: "toString", label: "x" },
      copy,
    ];
    expect(knownActions({ actions })).toEqual([view, copy]);
    expect(knownActions({})).toEqual([]);
  });

  it("names each action by its id, and drops one with the id of another", () => {
    const first = { id: "a", action: "http", label: "Light", url: "https://home.example/light" };
    const second = { id: "a", action: "http", label: "Door", url: "https://home.example/door" };
    expect(knownActions({ actions: [{ action: "odd" }, first, second] })).toEqual([first]);
  });
});
