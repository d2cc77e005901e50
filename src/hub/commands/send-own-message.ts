import { keyOf, rowsEvent } from "../../contract";
import type { MessageEvent, Result, ServerAddress } from "../../protocol";
import type { CommandContext } from "./context";

/** How long arrivals wait for a send's answer, ms, since streams are faster. More would delay other messages. */
const HOLD_MS = 2_000;

/** Sends a message and stores it, as read unless it is scheduled, whichever of answer and stream is first. */
export async function sendOwnMessage<Failed>(
  context: CommandContext,
  address: ServerAddress,
  send: () => Promise<Result<{ message: MessageEvent }, Failed>>,
  isScheduled: boolean,
): Promise<Result<{ message: MessageEvent }, Failed>> {
  if (isScheduled) {
    const sent = await send();
    if (sent.ok) await storeOwn(context, address, sent.value.message, true);
    return sent;
  }
  const { environment } = context;
  const { setTimer, clearTimer } = environment;
  let end!: () => void;
  const answered = new Promise<void>((resolve) => void (end = resolve));
  const before = environment.storeAfter;
  environment.storeAfter = answered.then(() => before);
  const timer = setTimer(end, HOLD_MS);
  try {
    const sent = await send();
    if (sent.ok) await storeOwn(context, address, sent.value.message, false);
    return sent;
  } finally {
    clearTimer(timer);
    end();
  }
}

/** Stores an own message if its topic is subscribed to, as read unless it is scheduled; also where it is stored already. */
export async function storeOwn(
  context: CommandContext,
  address: ServerAddress,
  event: MessageEvent,
  isScheduled: boolean,
): Promise<void> {
  const { store, now, report } = context.environment;
  const [server, subscriptions] = await Promise.all([store.findServer(address), store.subscriptions()]);
  // If it can't be stored now, the stream still brings it, and its ingest reports the failure.
  if (!server.ok || !subscriptions.ok) return;
  const own = subscriptions.value.find(
    ({ serverId, topic }) => serverId === server.value?.serverId && topic === event.topic,
  );
  if (!own) return;
  const { subId } = own;
  const serverNowS = Math.floor(now() / 1_000) + (server.value?.clockAheadS ?? 0);
  const stored = await store.ingest({
    arrivals: [{ subId, event, via: isScheduled ? "poll" : "stream" }],
    nowMs: now(),
    serverNowS: isScheduled ? Math.min(serverNowS, event.time - 1) : event.time,
    alerts: false,
    ...(!isScheduled && { readBefore: Infinity }),
  });
  if (!stored.ok) return;
  context.announce(rowsEvent(stored.value));
  if (isScheduled || stored.value.duplicates === 0) return;
  const marked = await store.mark(
    [keyOf({ subId, time: event.time, id: event.id })],
    { kind: "read", on: true },
    now(),
  );
  if (marked.ok) context.announce(rowsEvent(marked.value));
  else report(marked.error);
}
