import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { HubConnection, sendAgain } from "../../src/client/hub-connection";
import type { WorkerPort } from "../../src/client/open-worker";
import { CONTRACT_VERSION, type PageMessage } from "../../src/contract";

const KEY = "earshot-unanswered";
const MARK = { keys: [], mark: { kind: "read" as const, on: true } };
const DARK = { key: "theme", value: "dark" };

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

  /** A page's connection to a hub, of which nothing is told when it crashes. */
  async function connection() {
    const posted: PageMessage[] = [];
    const port: WorkerPort = {
      postMessage: (message) => posted.push(message as PageMessage),
      onmessage: null,
      close: () => undefined,
    };
    const hub = new HubConnection(
      {
        hasSharedWorkers: true,
        mayStart: Promise.resolve(),
        build: "7",
        setTimer: () => undefined,
        clearTimer: () => undefined,
        openWorker: () => port,
      },
      { event: () => undefined, pong: () => undefined },
    );
    await Promise.resolve();
    const answer = (name: string): void => {
      const id = posted.find((message) => message.name === name)?.id;
      port.onmessage?.({ data: { version: CONTRACT_VERSION, kind: "answer", id, output: null } } as MessageEvent);
    };
    return { hub, answer };
  }

  test("are sent again by the next page, once, however this one ended", async () => {
    const { hub } = await connection();
    void hub.send("mark", MARK);
    void hub.send("tryNow", { serverId: 1 });
    expect(sentAgain()).toEqual([["mark", MARK]]);
    expect(sentAgain()).toEqual([]);
  });

  test("are not sent again if they delete, as the next page offers no Undo", async () => {
    const { hub } = await connection();
    void hub.send("mark", { keys: [], mark: { kind: "deleted", on: true } });
    expect(sentAgain()).toEqual([]);
  });

  test("are not sent again once they are answered", async () => {
    const { hub, answer } = await connection();
    void hub.send("mark", MARK);
    void hub.send("setSetting", DARK);
    answer("mark");
    expect(sentAgain()).toEqual([["setSetting", DARK]]);
  });

  test("keep a mute that has no end", async () => {
    const { hub } = await connection();
    const muted = { key: "alertRules", value: { mutedUntilMs: Infinity } };
    void hub.send("setSetting", muted);
    expect(sentAgain()).toEqual([["setSetting", muted]]);
  });

  test("leave no older note where there is no room for a new one", async () => {
    const { hub } = await connection();
    void hub.send("mark", MARK);
    const { sessionStorage } = globalThis;
    const full = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
    vi.stubGlobal("sessionStorage", { ...sessionStorage, setItem: full });
    void hub.send("setSetting", DARK);
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
