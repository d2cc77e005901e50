import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sendAgain } from "../../src/client/hub-connection";
import { CONTRACT_VERSION } from "../../src/contract";

const KEY = "earshot-unanswered";
const MARK = { keys: [], mark: { kind: "read" as const, on: true } };

/** A hub that answers when it is told to. */
function hub() {
  const sent: unknown[] = [];
  const answers: (() => void)[] = [];
  const send = ((name: string, input: unknown) => {
    sent.push([name, input]);
    return new Promise<void>((resolve) => answers.push(resolve));
  }) as unknown as Parameters<typeof sendAgain>[0];
  return { sent, answers, send };
}

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

  test("are sent again by the next page if they were not answered, and not if they were", async () => {
    const first = hub();
    const send = sendAgain(first.send);
    const answered = send("mark", MARK);
    first.answers[0]?.();
    await answered;
    expect(stored.size).toBe(0);
    void send("mark", MARK);
    const second = hub();
    sendAgain(second.send);
    expect(second.sent).toEqual([["mark", MARK]]);
  });

  test("are not noted where sending twice has an effect of its own", () => {
    const send = sendAgain(hub().send);
    void send("tryNow", { serverId: 1 });
    expect(stored.size).toBe(0);
  });

  test("leave no older note where there is no room for a new one: what was answered meanwhile is not sent again", async () => {
    const first = hub();
    const send = sendAgain(first.send);
    const answered = send("mark", MARK);
    const { sessionStorage } = globalThis;
    const full = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    vi.stubGlobal("sessionStorage", { ...sessionStorage, setItem: full });
    void send("setSetting", { key: "theme", value: "dark" } as never);
    first.answers[0]?.();
    await answered;
    const second = hub();
    sendAgain(second.send);
    expect(second.sent).toEqual([]);
  });

  test("are not noted with more than 1,000 messages, as a press would wait for the note", () => {
    const keys = Array.from({ length: 1_001 }, () => "1 1 a") as never[];
    const send = sendAgain(hub().send);
    void send("mark", { ...MARK, keys });
    expect(stored.size).toBe(0);
    void send("mark", { ...MARK, keys: keys.slice(1) });
    expect(stored.size).toBe(1);
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
    const { sent, send } = hub();
    sendAgain(send);
    expect(sent).toEqual([]);
  });
});
