import { describe, expect, test } from "vitest";
import { readActionRequest, type MessageKey } from "../../src/contract";
import { allow, disallow, isAllowed } from "../../src/ui/message/actions/allowed-requests";
import { pressAction, run } from "../../src/ui/message/actions/http-action.svelte";
import type { HttpAction } from "../../src/protocol";
import { App } from "../../src/ui/state/app.svelte";
import { ADDRESS, FakeClient } from "./fake-client";
import { stubPage } from "./stub-page";

const action = (part: Partial<HttpAction> = {}): HttpAction => ({
  id: "a1",
  action: "http",
  label: "Door",
  clear: false,
  url: "https://home.example/door",
  body: '{"do":"lock"}',
  headers: { "X-Room": "hall" },
  ...part,
});
const KEY: MessageKey = [1, 100, "m"];
const request = (part: Partial<HttpAction> = {}) => {
  const sendable = readActionRequest(action(part));
  if (!sendable.ok) throw new Error(sendable.error.kind);
  return { key: KEY, action: action(part), sendable: sendable.value };
};

function open(): { app: App; sent: () => number; client: FakeClient } {
  stubPage("https://app.example/");
  const client = new FakeClient();
  client.answers.runAction = () => ({ ok: true, value: { status: 200 } });
  client.answers.setSetting = () => ({ ok: true, value: null });
  const app = new App(client, client.tables, ADDRESS);
  return { app, client, sent: () => client.sent.filter(({ name }) => name === "runAction").length };
}

describe("a request that a message asks for", () => {
  test("marks its message read once it has succeeded, where its button asks for it", async () => {
    const marks = async (part: Partial<HttpAction>, outcome: "done" | "failed") => {
      const { app, client } = open();
      client.answers.mark = () => ({ ok: true, value: { count: 1, undo: 1 } as never });
      if (outcome === "failed")
        client.answers.runAction = () => ({ ok: false, error: { kind: "failed", why: { kind: "http", status: 500 } } });
      await run(app, request(part));
      return client.sent.flatMap(({ name, input }) => (name === "mark" ? [input] : []));
    };
    const read = { keys: [[1, 100, "m"]], mark: { kind: "read", on: true } };
    expect(await marks({ clear: true }, "done")).toEqual([read]);
    expect(await marks({ clear: true }, "failed")).toEqual([]);
    expect(await marks({ clear: false }, "done")).toEqual([]);
  });

  test("is sent after a question, and without one once it was allowed", async () => {
    const { app, client, sent } = open();
    pressAction(app, KEY, action());
    expect(app.dialogs.current).toMatchObject({ kind: "run-action" });
    expect(sent()).toBe(0);
    app.dialogs.close();
    allow(app, request());
    await Promise.resolve();
    expect(client.sent.at(-1)).toMatchObject({
      name: "setSetting",
      input: {
        key: "allowedRequests",
        value: [{ subId: 1, method: "POST", address: "https://home.example/door" }],
      },
    });
    pressAction(app, KEY, action({ id: "a2", label: "Again", body: "other", url: "https://home.example/door?x=1#y" }));
    await Promise.resolve();
    expect([sent(), app.dialogs.current]).toEqual([1, undefined]);
  });

  test("that no browser sends is neither asked about nor sent, also from a notification, and the reason is shown", () => {
    const { app, sent } = open();
    pressAction(app, KEY, action({ method: "TRACE" }));
    expect([sent(), app.dialogs.current]).toEqual([0, undefined]);
    expect(app.notices.current?.text).toBe("Browsers don't send TRACE requests");
  });

  test("needs a new question for another address, method or topic", () => {
    const { app, sent } = open();
    allow(app, request());
    for (const other of [
      request({ method: "DELETE" }),
      request({ url: "https://home.example/window" }),
      request({ url: "https://home.example.evil/door" }),
      request({ url: "http://home.example/door" }),
      request({ url: "https://home.example:444/door" }),
      { ...request(), key: [2, 100, "m"] as [number, number, string] },
    ]) {
      app.dialogs.close();
      pressAction(app, other.key, other.action);
      expect(app.dialogs.current).toMatchObject({ kind: "run-action" });
    }
    expect(sent()).toBe(0);
  });

  test("needs a question again once the permission was taken back", () => {
    const { app } = open();
    allow(app, request());
    allow(app, request());
    const [place] = app.catalogue.settings.allowedRequests;
    expect(app.catalogue.settings.allowedRequests).toHaveLength(1);
    if (place) disallow(app, place);
    expect(isAllowed(app, request())).toBe(false);
  });
});
