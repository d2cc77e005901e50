import { beforeEach, describe, expect, test, vi } from "vitest";
import { loadsOf } from "../../src/ui/message/attachment/loads.svelte";
import type { Origin } from "../../src/ui/message/origin";
import { App } from "../../src/ui/state/app.svelte";
import { ADDRESS, catalogue, FakeClient, server } from "./fake-client";
import { stubPage } from "./stub-page";

// The page remembers presses and failures, so every test has its own topics and its own server.
let number = 0;
let app: App;
let origin: Origin;

beforeEach(() => {
  stubPage("https://app.example/");
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn() }));
  const client = new FakeClient(catalogue({ servers: [server()] }));
  app = new App(client, client.tables, ADDRESS);
  number++;
  origin = { address: `${ADDRESS}/${String(number)}` as typeof ADDRESS, topic: "a", unasked: "files" };
});

const file = (name: string) => `${origin.address}/file/${name}.png`;
const PICTURE = "https://elsewhere.example/a.png";

describe("a press", () => {
  test("is for one address in one message", () => {
    const loads = loadsOf(app, origin, "m1");
    expect(loads.judge(PICTURE).kind).toBe("ask");
    loads.press(PICTURE);
    expect(loads.judge(PICTURE)).toMatchObject({ kind: "load", why: "pressed" });
    expect(loadsOf(app, origin, "m1").judge("https://ELSEWHERE.example/a.png").kind, "the same address").toBe("load");
    expect(loadsOf(app, origin, "m2").judge(PICTURE).kind, "another message").toBe("ask");
    expect(loadsOf(app, { ...origin, topic: "b" }, "m1").judge(PICTURE).kind, "another topic").toBe("ask");
    expect(loads.judge(`${PICTURE}?more`).kind, "another address").toBe("ask");
  });

  test("ends when its load fails", () => {
    const loads = loadsOf(app, origin, "m1");
    loads.press(PICTURE);
    loads.fail(PICTURE);
    expect(loads.judge(PICTURE)).toMatchObject({ kind: "ask", failed: true });
    loads.press(PICTURE);
    expect(loads.judge(PICTURE).kind).toBe("load");
  });
});

describe("a file that failed", () => {
  test("is not requested again without a press, unlike others", () => {
    const loads = loadsOf(app, origin, "m1");
    expect(loads.judge(file("x")).kind).toBe("load");
    loads.fail(file("x"));
    expect(loads.judge(file("x"))).toMatchObject({ kind: "ask", failed: true });
    expect(loads.judge(file("y")).kind).toBe("load");
  });

  test("makes others of its server wait for a press after several failures", () => {
    for (let at = 0; at < 10; at++) {
      const loads = loadsOf(app, origin, `m${String(at)}`);
      expect(loads.judge(file("lost")).kind).toBe("load");
      loads.fail(file("lost"));
    }
    const loads = loadsOf(app, origin, "m99");
    expect(loads.judge(file("x"))).toMatchObject({ kind: "ask", failed: false });
    loads.press(file("x"));
    expect(loads.judge(file("x")).kind).toBe("load");
    const other = { ...origin, address: `${origin.address}x` as typeof ADDRESS };
    expect(loadsOf(app, other, "m99").judge(`${other.address}/file/x.png`).kind).toBe("load");
  });

  test("does not count if it was pressed or is on another host", () => {
    const loads = loadsOf(app, { ...origin, unasked: "all" }, "m1");
    for (let at = 0; at < 20; at++) {
      loads.fail(`${PICTURE}?${String(at)}`);
      loads.press(file(String(at)));
      loads.fail(file(String(at)));
    }
    expect(loads.judge(file("x")).kind).toBe("load");
  });
});

test("a file is asked for with the headers that its server has now", () => {
  const at = (headers: Record<string, string>) =>
    catalogue({ servers: [server({ address: origin.address, headers })] });
  const judge = (headers: Record<string, string>) => {
    const client = new FakeClient(at(headers));
    return loadsOf(new App(client, client.tables, ADDRESS), origin, "m1").judge(file("x"));
  };
  expect(judge({ "X-Key": "old" })).toMatchObject({ source: { headers: { "X-Key": "old" } } });
  expect(judge({ "X-Key": "new" })).toMatchObject({ source: { headers: { "X-Key": "new" } } });
});
