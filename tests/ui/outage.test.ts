import { expect, test } from "vitest";
import type { ConnectionState } from "../../src/contract";
import type { Failure } from "../../src/protocol";
import { answeredWhy, outageOf, troubleOf } from "../../src/ui/state/topics/outage";

const live: ConnectionState = { kind: "live", sinceMs: 0, transport: "json" };
const waiting = (attempt: number, nextTryAtMs: number, why: Failure = { kind: "network" }): ConnectionState => ({
  kind: "waiting",
  attempt,
  nextTryAtMs,
  why,
});

test("one live server means no outage, even when the browser says there is no network", () => {
  expect(outageOf([waiting(5, 10), live], true)).toBeUndefined();
  expect(outageOf([live], false)).toBeUndefined();
});

test("without servers there is nothing to be cut off from", () => {
  expect(outageOf([], false)).toBeUndefined();
});

test("a first failure isn't an outage yet, a second is", () => {
  expect(outageOf([waiting(1, 10)], true)).toBeUndefined();
  expect(outageOf([waiting(2, 10)], true)).toEqual({ nextTryAtMs: 10 });
});

test("an outage names the earliest next try", () => {
  expect(outageOf([waiting(3, 30), waiting(4, 20)], true)).toEqual({ nextTryAtMs: 20 });
});

test("if the server or something in its place answers, the reason is given and nobody is offline", () => {
  const busy = waiting(3, 30, { kind: "busy", code: 42901 });
  const page: ConnectionState = {
    kind: "connecting",
    attempt: 2,
    sinceMs: 0,
    why: { kind: "malformed", text: "text/html" },
  };
  expect(outageOf([busy, waiting(2, 40)], true)).toEqual({ why: { kind: "busy", code: 42901 }, nextTryAtMs: 30 });
  expect(outageOf([page], true)).toEqual({ why: { kind: "malformed", text: "text/html" } });
});

test("an outage goes on during another try", () => {
  expect(outageOf([{ kind: "connecting", attempt: 2, sinceMs: 0 }], true)).toEqual({});
});

test("the very first connection attempt is no outage", () => {
  expect(outageOf([{ kind: "connecting", attempt: 0, sinceMs: 0 }], true)).toBeUndefined();
  expect(outageOf([undefined], true)).toBeUndefined();
});

test("a server that refuses was reached", () => {
  expect(
    outageOf([{ kind: "refused", why: { kind: "forbidden", code: 40301, topics: [] } }, waiting(9, 1)], true),
  ).toBeUndefined();
});

test("without a network every server that is not live is out", () => {
  expect(outageOf([undefined, waiting(1, 5)], false)).toEqual({ nextTryAtMs: 5 });
});

test("if something answers, the server's own reason is given: a rate limit at once, others from the second failure on", () => {
  const busy: Failure = { kind: "busy", code: 42901 };
  const page: Failure = { kind: "malformed", text: "text/html" };
  expect(answeredWhy(waiting(1, 10, busy))).toEqual(busy);
  expect(answeredWhy(waiting(2, 10, page))).toEqual(page);
  expect(answeredWhy({ kind: "connecting", attempt: 2, sinceMs: 0, why: page })).toEqual(page);
  expect(answeredWhy(waiting(1, 10, page))).toBeUndefined();
  expect(answeredWhy(waiting(2, 10))).toBeUndefined();
  expect(answeredWhy({ kind: "connecting", attempt: 2, sinceMs: 0 })).toBeUndefined();
  expect(answeredWhy(live)).toBeUndefined();
  expect(answeredWhy(undefined)).toBeUndefined();
});

test("one server's trouble is shown from its second failure on, also during another try", () => {
  expect(troubleOf(waiting(1, 10))).toBeUndefined();
  expect(troubleOf(waiting(2, 10))).toEqual({ why: { kind: "network" }, nextTryAtMs: 10 });
  expect(troubleOf({ kind: "connecting", attempt: 2, sinceMs: 0 })).toEqual({ why: { kind: "network" } });
  expect(troubleOf({ kind: "offline", sinceMs: 0 }), "that is the device's own trouble").toBeUndefined();
  expect(troubleOf(live)).toBeUndefined();
  expect(troubleOf(undefined)).toBeUndefined();
});
