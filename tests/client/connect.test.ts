import "fake-indexeddb/auto";
import { afterEach, expect, test, vi } from "vitest";
import { connect } from "../../src/client";
import type { ServerAddress } from "../../src/protocol";
import { VisiblePage } from "./visible-page";

afterEach(() => vi.unstubAllGlobals());

test("an address that is probed gets the headers that its proxy asks for", async () => {
  vi.stubGlobal("document", new VisiblePage());
  vi.stubGlobal("window", new EventTarget());
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("sessionStorage", { getItem: () => null });
  const asked = vi.fn(() => Promise.resolve(new Response('{"healthy":true}')));
  vi.stubGlobal("fetch", asked);
  const client = await connect(new Promise(() => undefined));
  expect(await client.inspect("http://proxied.example" as ServerAddress, { "X-Key": "secret" })).toMatchObject({
    answer: "topic-server",
  });
  expect(asked).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ headers: { "X-Key": "secret" } }));
  client.close();
});
