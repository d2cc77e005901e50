import type { Via } from "../../src/contract";
import type { MessageEvent, SequenceEvent, ServerAddress } from "../../src/protocol";
import {
  openStore,
  type Arrival,
  type GroupRecord,
  type IngestBatch,
  type OpenOptions,
  type Store,
} from "../../src/store";

/** An IndexedDB to test on. */
export type Engine = Required<Pick<OpenOptions, "indexedDB">>;

/** Server time of most tests, Unix seconds, and the same on the device's clock. */
export const NOW_S = 1_700_000_000;
export const NOW_MS = NOW_S * 1_000;
export const HOUR_S = 3_600;
export const DAY_S = 86_400;

const KEPT_S = 12 * HOUR_S;

export const ADDRESS = "https://ntfy.example.org" as ServerAddress;

/** A message as the server sends it, which the server keeps for twelve hours unless `fields` say otherwise. */
export function message(id: string, time = NOW_S, fields: Partial<MessageEvent> = {}): MessageEvent {
  return { id, time, expires: time + KEPT_S, event: "message", topic: "backups", message: `text of ${id}`, ...fields };
}

export function control(kind: "delete" | "clear", id: string, sequence: string, time = NOW_S): SequenceEvent {
  return { id, time, expires: time + KEPT_S, event: `message_${kind}`, topic: "backups", sequence_id: sequence };
}

export function arrivals(subId: number, events: Arrival["event"][], via: Via = "stream"): Arrival[] {
  return events.map((event) => ({ subId, event, via }));
}

export function batch(of: Arrival[], rest: Partial<IngestBatch> = {}): IngestBatch {
  return { arrivals: of, nowMs: NOW_MS, serverNowS: NOW_S, alerts: true, ...rest };
}

/** The value of a result that must not be an error. */
export function must<Value>(result: { ok: true; value: Value } | { ok: false; error: unknown }): Value {
  if (!result.ok) throw new Error(`unexpected failure: ${JSON.stringify(result.error)}`);
  return result.value;
}

/** Makes a store with one server and these topics. */
export async function storeWith(engine: Engine, topics = ["backups"]): Promise<{ store: Store; subIds: number[] }> {
  const store = must(await openStore(engine));
  const { serverId } = must(await store.addServer(ADDRESS));
  const added = must(await store.addSubscriptions({ serverId, accountId: 0, topics }));
  return { store, subIds: added.map(({ subId }) => subId) };
}

/** A group of devices to which a device of this id belongs. */
export function groupOf(deviceId: string, rest: Partial<GroupRecord> = {}): GroupRecord {
  const keys = { key: "key", privateKey: "private", publicKey: "public" };
  const shares: GroupRecord["shares"] = ["marks", "topics", "views", "settings"];
  return { deviceId, name: deviceId, address: ADDRESS, topic: "group", ...keys, shares, counter: 0, ...rest };
}

/** Ingests events of one subscription. */
export async function receive(
  store: Store,
  subId: number,
  events: Arrival["event"][],
  rest: Partial<IngestBatch> & { via?: Via } = {},
) {
  const { via, ...more } = rest;
  return must(await store.ingest(batch(arrivals(subId, events, via), more)));
}

/** Ids of the feed, newest first, however many pages it takes. */
export async function feedIds(
  store: Store,
  query: Partial<Parameters<Store["reader"]["page"]>[0]> = {},
): Promise<string[]> {
  const ids: string[] = [];
  const base = { list: "feed", direction: "older", count: 50, nowMs: NOW_MS, ...query } as const;
  for (let from = base.from; ;) {
    const page = await store.reader.page({ ...base, ...(from && { from }) });
    ids.push(...page.rows.map((row) => row.id));
    if (!page.next) return ids;
    from = page.next;
  }
}
