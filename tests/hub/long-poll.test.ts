import { pollAnswer } from "./fake-server";
import { expect, test } from "vitest";
import { CatchUp } from "../../src/hub/sync/catch-up";
import type { Incoming, IngestQueue } from "../../src/hub/server/ingest-queue";
import { Requests } from "../../src/hub/requests/requests";
import type { ServerContext } from "../../src/hub/server/server-context";
import { ok } from "../../src/protocol";
import type { SubscriptionRecord } from "../../src/store";
import { World } from "./world";

const COUNT = 45_000;

test("the end of a very long poll waits for at most one older piece, and moves the cursors", async () => {
  const world = await World.make();
  const lines = Array.from({ length: COUNT }, (_, at) => {
    const id = String(at).padStart(12, "0");
    return JSON.stringify({ id, time: 1_000 + at, expires: 1e10, event: "message", topic: "a", message: `m${at}` });
  });
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = lines.splice(0, 1_000);
      if (part.length === 0) controller.close();
      else controller.enqueue(new TextEncoder().encode(`${part.join("\n")}\n`));
    },
  });
  const topic = { subId: 7, serverId: 1, accountId: 0, topic: "a" } as SubscriptionRecord;
  const own = world.environment();
  const environment = {
    ...own,
    fetch: () => Promise.resolve(pollAnswer(body)),
    store: { ...own.store, subscriptions: () => Promise.resolve(ok([topic])) },
  };
  const stored: Incoming[] = [];
  let haveStored = (): void => undefined;
  // The disk is slow: it has not written the first piece when the poll ends.
  const pollEnded = new Promise<void>((resolve) => (haveStored = resolve));
  const ingest = {
    async addPolled(incoming: Incoming) {
      stored.push(incoming);
      if (stored.length === 1) await pollEnded;
      return ok({ added: [] });
    },
  } as unknown as IngestQueue;
  const nothing = (): void => undefined;
  let seen = 0;
  const here = {
    environment,
    ingest,
    serverId: 1,
    requests: new Requests(environment, world.server.address),
    serverClock: { known: 5e9, nowS: 5e9, setOnAtMs: undefined, estimate: () => 5e9 },
    plan: { credentials: () => undefined, isReadable: () => true },
    isPolled: () => false,
    facts: {
      noPollsForMs: 0,
      replayBytes: 10_000_000,
      retentionOf: () => undefined,
      learnRetention(events: unknown[]) {
        seen += events.length;
        if (seen === COUNT) setImmediate(haveStored);
      },
    },
    hub: { catalogueChanged: () => Promise.resolve(), written: nothing },
    status: { changed: nothing, countMalformed: nothing },
  } as unknown as ServerContext;
  const catchUp = new CatchUp(here, 0, { absences: () => [], completed: nothing });

  expect(await catchUp.request("all")).toMatchObject({ ok: true });
  expect(stored.map(({ arrivals }) => arrivals.length)).toEqual([10_000, COUNT - 10_000]);
  expect(stored.flatMap(({ arrivals }) => arrivals.map(({ event }) => event.time))).toEqual(
    Array.from({ length: COUNT }, (_, at) => 1_000 + at),
  );
  expect(stored[0]?.cursors).toEqual({});
  expect(stored[1]?.cursors).toMatchObject({ group: { time: 1_000 + COUNT - 1 }, joined: [7] });
});
