import { expect, test } from "vitest";
import { agree, pressAction, type HttpAction } from "../../src/ui/message/http-action.svelte";
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
const request = (part: Partial<HttpAction> = {}) => ({
  key: [1, 100, "m"] as [number, number, string],
  action: action(part),
});

test("a request that was agreed to is sent again unasked; one that says something else is asked about", async () => {
  stubPage("https://app.example/");
  const client = new FakeClient();
  client.answers.runAction = () => ({ ok: true, value: { status: 200 } });
  const app = new App(client, client.tables, ADDRESS);
  const sent = () => client.sent.filter(({ name }) => name === "runAction").length;

  pressAction(app, request());
  expect(app.dialog).toMatchObject({ kind: "run-action" });
  expect(sent()).toBe(0);
  app.dialog = undefined;
  agree(app, request());
  await Promise.resolve();
  pressAction(app, request({ id: "a2", label: "Again" }));
  expect([sent(), app.dialog]).toEqual([2, undefined]);

  for (const other of [
    { body: '{"do":"open"}' },
    { headers: { "X-Room": "vault" } },
    { method: "PUT" },
    { url: "https://home.example/window" },
  ]) {
    app.dialog = undefined;
    pressAction(app, request({ id: "a3", ...other }));
    expect(app.dialog).toMatchObject({ kind: "run-action" });
    expect(sent()).toBe(2);
  }
});
