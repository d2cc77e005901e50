// What a worker without a page asks servers for is bounded, whatever they answer.
import { expect, test } from "vitest";
import type { MessageEvent } from "../../src/protocol";
import { pollAnswer } from "./fake-server";
import { closed, type Pushed } from "./pushed";

const lineOf = (event: MessageEvent): string => `${JSON.stringify(event)}\n`;

/** Answers polls with a body; everything else is answered as before. Returns the polls. */
function answerPolls(pushed: Pushed, body: () => BodyInit) {
  const { server } = pushed.world;
  const before = server.intercept;
  server.intercept = (request) => (request.url.searchParams.has("poll") ? pollAnswer(body()) : before?.(request));
}

/** Messages of the topic that are not published, an hour before now and later. */
function* history({ world }: Pushed): Generator<MessageEvent> {
  const time = world.server.nowS - 3_000;
  for (let n = 0; ; n++) {
    yield {
      ...{ id: world.server.nextId(), event: "message", topic: "alerts", message: `past ${n}` },
      ...{ time: time + Math.floor(n / 100), expires: time + 43_200 },
    };
  }
}

async function stored({ world }: Pushed): Promise<number> {
  const counted = await world.store.subscriptions();
  if (!counted.ok) throw new Error(counted.error.text);
  return counted.value.reduce((sum, { total }) => sum + total, 0);
}

const sinceOf = ({ world }: Pushed) =>
  world.server
    .requestsTo("/alerts/json")
    .filter(({ url }) => url.searchParams.has("poll"))
    .at(-1)
    ?.url.searchParams.get("since");

test("a poll with 100,000 messages after a push ends early with what came so far, and the next one starts as it did", async () => {
  const { world, pushed, hub, serverId } = await closed();
  await pushed.message(world.server.publish("alerts", "known"));
  await world.time.advance(60_000);
  hub.stop();
  const cursor = await world.store.cursor([serverId, 0]);
  const messages = history(pushed);
  let taken = 0;
  answerPolls(
    pushed,
    () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          let text = "";
          for (let n = 0; n < 500; n++) text += lineOf(messages.next().value as MessageEvent);
          controller.enqueue(new TextEncoder().encode(text));
          taken += 500;
          if (taken >= 100_000) controller.close();
        },
      }),
  );
  await pushed.message(world.server.publish("alerts", "came"));
  expect(await stored(pushed)).toBeGreaterThan(1_000);
  expect(await stored(pushed)).toBeLessThan(5_000);
  expect(taken, "the rest is not even read").toBeLessThan(10_000);
  expect(await world.store.cursor([serverId, 0]), "the cursor stays").toEqual(cursor);
  const since = sinceOf(pushed);
  expect(since).toMatch(/^id\d+$/);
  await world.time.advance(31_000);
  await pushed.message(world.server.publish("alerts", "came too"));
  expect(sinceOf(pushed), "what was left out is not skipped").toBe(since);
});

test("a poll whose answer never ends is given up within half a minute, and what it brought is stored and shown", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  const messages = history(pushed);
  let isEnded = false;
  answerPolls(
    pushed,
    () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          const send = (): void => {
            if (isEnded) return;
            controller.enqueue(new TextEncoder().encode(lineOf(messages.next().value as MessageEvent)));
            world.time.setTimer(send, 1_000);
          };
          send();
        },
        cancel: () => void (isEnded = true),
      }),
  );
  const startMs = world.time.now();
  await pushed.message(world.server.publish("alerts", "came"));
  expect(world.time.now() - startMs).toBeLessThan(40_000);
  expect(isEnded, "the request is ended").toBe(true);
  expect(await stored(pushed)).toBeGreaterThan(10);
  expect(pushed.titles.length).toBeGreaterThan(1);
});

test("background sync stores what came of an answer that falls silent, within half a minute", async () => {
  const { world, pushed, hub } = await closed();
  hub.stop();
  const messages = history(pushed);
  answerPolls(
    pushed,
    () =>
      new ReadableStream<Uint8Array>({
        start: (controller) =>
          controller.enqueue(new TextEncoder().encode(lineOf(messages.next().value as MessageEvent))),
      }),
  );
  const startMs = world.time.now();
  await pushed.sync();
  expect(world.time.now() - startMs).toBeLessThan(40_000);
  expect(await stored(pushed)).toBe(1);
  expect(pushed.badge).toBe(1);
});
