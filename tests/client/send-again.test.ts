import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { noteUnanswered, sendAgain } from "../../src/client/hub-connection";
import { CONTRACT_VERSION } from "../../src/contract";

const KEY = "earshot-unanswered";
const MARK = { keys: [], mark: { kind: "read" as const, on: true } };

describe("commands given right before a reload", () => {
  const stored = new Map<string, string>();

  beforeEach(() => {
    stored.clear();
    vi.stubGlobal("sessionStorage", {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    });
  });
  afterEach(() => void vi.unstubAllGlobals());

  /** What a page sends that starts now. */
  function sentAgain(): unknown[] {
    const sent: unknown[] = [];
    sendAgain((...command) => {
      sent.push(command);
      return new Promise(() => undefined);
    });
    return sent;
  }

  test("are sent again by the next page, once", () => {
    noteUnanswered([{ name: "mark", input: MARK }]);
    expect(sentAgain()).toEqual([["mark", MARK]]);
    expect(sentAgain()).toEqual([]);
  });

  test("are not sent again by a page that comes back as it was", () => {
    noteUnanswered([{ name: "mark", input: MARK }]);
    noteUnanswered([]);
    expect(sentAgain()).toEqual([]);
  });

  test("leave no older note where there is no room for a new one", () => {
    noteUnanswered([{ name: "mark", input: MARK }]);
    const { sessionStorage } = globalThis;
    const full = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    vi.stubGlobal("sessionStorage", { ...sessionStorage, setItem: full });
    noteUnanswered([{ name: "setSetting", input: { key: "theme", value: "dark" } }]);
    expect(sentAgain()).toEqual([]);
  });

  test.each([
    ["no JSON", "{"],
    ["nothing", "null"],
    ["a note without commands", JSON.stringify({ version: CONTRACT_VERSION })],
    ["the note of another version", JSON.stringify({ version: CONTRACT_VERSION - 1, commands: [{ name: "mark" }] })],
    [
      "a note of things that are no such commands",
      JSON.stringify({
        version: CONTRACT_VERSION,
        commands: [
          ...[null, 5, [], { name: "mark" }, { name: "mark", input: "keys" }, { name: "mark", input: null }],
          ...[
            { name: "none", input: {} },
            { name: "tryNow", input: {} },
            { name: "constructor", input: {} },
          ],
        ],
      }),
    ],
  ])("are left out where %s is stored", (_, text) => {
    stored.set(KEY, text);
    expect(sentAgain()).toEqual([]);
  });
});
