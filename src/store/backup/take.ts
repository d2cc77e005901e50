// The second half of an import: staged parts are taken over one by one, each in a transaction with its journal entry;
// the last transaction makes all of it visible (decision 0034).
import { copyMarks, MAX_VIEWS, type Sounds, type StoredMessage, type TopicGroup } from "../../contract";
import { type Credentials, type ExtraHeaders, sequenceOf, type ServerAddress } from "../../protocol";
import { applySequences } from "../ingest/apply-sequences";
import type { Changes } from "../changes";
import { BY_HAND, transact, type Database, type Transaction } from "../database";
import { putAccount } from "../edit/edit-servers";
import { knownMessages, knownSequences } from "../ingest/known-messages";
import { MessageWriter, WRITER_STORES } from "../ingest/message-writer";
import { takeNumbers } from "../counters";
import { readSettings, readSubscriptions } from "../read/read-catalogue";
import type { ImportRecord, ServerRecord, StagedMessage, StagedPart, SubscriptionRecord } from "../schema";
import { noArrivals, sequenceText, type SequenceArrivals } from "../ingest/reduce-sequence";
import { splitTopic } from "./decode-setting";
import { ALIVE_MS, byTopic, changedSettings, keysIn, mayAdd, removeImport, topicsHere } from "./stage";

/** Credentials for topics of a server, or the extra headers of all its requests. */
export interface TopicCredentials {
  server: ServerAddress;
  topics: readonly string[];
  credentials?: Credentials;
  headers?: ExtraHeaders;
}

/**
 * Prepares to take over an import: missing servers and topics are added, hidden as if removed, and arrival numbers are
 * reserved. Resolves to the number of parts; undefined if the import was ended.
 */
export function startTaking(
  database: Database,
  importId: string,
  credentials: readonly TopicCredentials[],
  nowMs: number,
): Promise<{ parts: number } | undefined> {
  const names = [...WRITER_STORES, "imports", "servers", "accounts"] as const;
  return transact(database, names, BY_HAND, async (transaction) => {
    const imports = transaction.store("imports");
    const record = await imports.get(importId);
    if (record?.state !== "ready") return undefined;
    const [here, present, settings] = await Promise.all([
      topicsHere(transaction, record.topics),
      readSubscriptions(transaction),
      readSettings(transaction),
    ]);
    let order = Math.max(0, ...present.map((one) => one.order + 1));
    for (const [at, topic] of record.topics.entries()) {
      const known = here[at];
      if (known) {
        topic.subId = known.subId;
        continue;
      }
      if (!mayAdd(settings, topic.server)) continue;
      const server = await serverAt(transaction, record, topic.server, credentials);
      const ofTopic = credentials.find((one) => one.server === topic.server && one.topics.includes(topic.topic));
      const accountId = ofTopic?.credentials
        ? (await putAccount(transaction, server.serverId, { credentials: ofTopic.credentials })).accountId
        : await onlyAccount(transaction, server.serverId, topic.signIn);
      const subscription = newSubscription(await takeNumbers(transaction), server.serverId, accountId, topic, order++);
      transaction.store("subscriptions").put(subscription);
      topic.subId = subscription.subId;
      topic.isNew = true;
    }
    const writer = await MessageWriter.open(transaction, []);
    const arrivalsFrom = writer.setAsideArrivals(record.messages);
    await writer.finish();
    imports.put({ ...record, state: "taking", aliveUntilMs: nowMs + ALIVE_MS, arrivalsFrom });
    return { parts: record.parts };
  });
}

async function serverAt(
  transaction: Transaction<"servers" | "settings">,
  { servers }: ImportRecord,
  address: ServerAddress,
  credentials: readonly TopicCredentials[],
): Promise<ServerRecord> {
  const store = transaction.store("servers");
  const known = await store.index("address").get(address);
  if (known) return known;
  const line = servers.find((one) => one.address === address);
  const headers = credentials.find((one) => one.server === address && one.headers)?.headers;
  const server: ServerRecord = {
    serverId: await takeNumbers(transaction),
    address,
    ...(line?.name !== undefined && { name: line.name }),
    ...(line?.transport && { chosenTransport: line.transport }),
    ...(headers && { headers }),
  };
  store.put(server);
  return server;
}

/** A topic that needs a sign-in gets the one its server has here, if there is exactly one. */
async function onlyAccount(
  transaction: Transaction<"accounts">,
  serverId: number,
  signIn: true | undefined,
): Promise<number> {
  if (!signIn) return 0;
  const [account, another] = await transaction.store("accounts").index("server").getAll(serverId);
  return account && !another ? account.accountId : 0;
}

function newSubscription(
  subId: number,
  serverId: number,
  accountId: number,
  topic: ImportRecord["topics"][number],
  order: number,
): SubscriptionRecord {
  const { server: _, signIn: _signIn, subId: _subId, isNew: _isNew, ...own } = splitTopic(topic).plain;
  return {
    ...own,
    ...{ subId, serverId, accountId, order },
    ...{ unread: 0, unreadUrgent: 0, unreadHigh: 0, starred: 0, scheduled: 0, snoozed: 0, inFeed: 0, total: 0 },
    // Hidden until everything is in place; never purged by age.
    removedAtMs: Infinity,
  };
}

const PART_STORES = [...WRITER_STORES, "imports", "staged", "tombstones", "sequences", "gaps"] as const;

/**
 * Takes over the next part. Resolves to the progress; undefined if the import has ended. Messages that are here, or
 * were deleted here, stay as they are.
 */
export function takePart(
  database: Database,
  importId: string,
  nowMs: number,
): Promise<{ done: number; of: number } | undefined> {
  return transact(database, PART_STORES, { mode: "readwrite" }, async (transaction) => {
    const imports = transaction.store("imports");
    const record = await imports.get(importId);
    if (record?.state !== "taking") return undefined;
    const part = await transaction.store("staged").get([importId, record.taken]);
    const next = { ...record, taken: record.taken + 1, aliveUntilMs: nowMs + ALIVE_MS };
    if (part) {
      takeTraces(transaction, record, part, nowMs);
      if (!record.lateParts.includes(part.part)) await takeMessages(transaction, next, part.messages, nowMs);
    }
    imports.put(next);
    return { done: next.taken, of: next.parts };
  });
}

/**
 * Takes over traces of messages that are gone, but only for topics the import adds: this device knows its own better.
 */
function takeTraces(
  transaction: Transaction<"tombstones" | "sequences" | "gaps">,
  record: ImportRecord,
  { traces, sequences, gaps }: StagedPart,
  nowMs: number,
): void {
  const added = (topic: number): number | undefined => {
    const { isNew, subId } = record.topics[topic] ?? {};
    return isNew && subId;
  };
  for (const { topic, time, id, until } of traces) {
    const subId = added(topic);
    if (subId !== undefined && until * 1_000 > nowMs) transaction.store("tombstones").put({ subId, time, id, until });
  }
  // Of versions of one second, the one that the backup names is the newest, whatever number the others get.
  const arrival = (record.arrivalsFrom ?? 0) + record.messages;
  for (const { kind: _, topic, newest, ...marks } of sequences) {
    const subId = added(topic);
    if (subId === undefined) continue;
    transaction.store("sequences").put({ ...marks, subId, ...(newest && { newest: { ...newest, arrival } }) });
  }
  for (const { topic, from, to, forgot, cut } of gaps) {
    const subId = added(topic);
    if (subId !== undefined)
      transaction.store("gaps").put({ subId, from, to, ...(forgot && { forgot }), ...(cut && { cut }) });
  }
}

async function takeMessages(
  transaction: Transaction<(typeof PART_STORES)[number]>,
  record: ImportRecord,
  messages: readonly StagedMessage[],
  nowMs: number,
): Promise<void> {
  const groups = [...byTopic(messages)].flatMap(([topic, group]) => {
    const { subId } = record.topics[topic] ?? {};
    return subId === undefined ? [] : [{ subId, group }];
  });
  const writer = await MessageWriter.open(
    transaction,
    groups.map(({ subId }) => subId),
  );
  for (const { subId, group } of groups) {
    const { fresh, versions } = await sortOut(transaction, writer, subId, group);
    record.late = [...record.late, ...versions];
    for (const message of fresh) writer.insert(rowOf(record, subId, message, nowMs));
    record.added += fresh.length;
  }
  await writer.finish();
}

/** Finds the messages of a topic that are new here, and among them versions of known sequences. */
async function sortOut(
  transaction: Transaction<"messages" | "tombstones" | "sequences">,
  writer: MessageWriter,
  subId: number,
  messages: readonly StagedMessage[],
): Promise<{ fresh: StagedMessage[]; versions: StagedMessage[] }> {
  const subscription = writer.subscription(subId);
  // The user removed the topic meanwhile.
  const isGone = subscription?.removedAtMs !== undefined && subscription.removedAtMs !== Infinity;
  if (!subscription || isGone) return { fresh: [], versions: [] };
  const { stored, buried } = await knownMessages(transaction, keysIn(subId, messages));
  const seen = new Set([...stored, ...buried]);
  const fresh: StagedMessage[] = [];
  for (const message of messages) {
    if (seen.has(message.event.id)) continue;
    seen.add(message.event.id);
    fresh.push(message);
  }
  const known = await knownSequences(
    transaction,
    subId,
    fresh.map(({ event }) => sequenceOf(event)),
  );
  const isVersion = ({ event, scheduled }: StagedMessage): boolean => known.has(sequenceOf(event)) && !scheduled;
  return { fresh: fresh.filter((one) => !isVersion(one)), versions: fresh.filter(isVersion) };
}

/**
 * The row of a backup's message. Its marks are the backup's, but how it came and why it didn't alert is what happened
 * here.
 */
function rowOf(record: ImportRecord, subId: number, message: StagedMessage, nowMs: number): StoredMessage {
  const { event, receivedAtMs, at } = message;
  const row: StoredMessage = {
    subId,
    time: event.time,
    id: event.id,
    event,
    via: "import",
    arrival: (record.arrivalsFrom ?? 0) + at,
    receivedAtMs,
  };
  copyMarks(message, row);
  if (row.scheduled && event.time * 1_000 <= nowMs) delete row.scheduled;
  delete row.alertedAtMs;
  if (row.scheduled) delete row.noAlert;
  else row.noAlert = "imported";
  return row;
}

const LAST_STORES = [...PART_STORES, "servers", "views"] as const;

/** What a whole import changed. */
export interface ImportResult extends Changes {
  /** How many messages were added. */
  added: number;
}

/**
 * Finishes an import whose parts are all taken over: one transaction adds versions of sequences, shows new topics, sets
 * settings and views, and ends the journal. Undefined if the import was ended; `changed` if a topic it adds was added
 * meanwhile, so it must be undone.
 */
export function finishTaking(
  database: Database,
  importId: string,
  choice: { settings: readonly string[]; topicRules: boolean },
  nowMs: number,
): Promise<ImportResult | "changed" | undefined> {
  return transact(database, LAST_STORES, BY_HAND, async (transaction) => {
    const record = await transaction.store("imports").get(importId);
    if (record?.state !== "taking" || record.taken < record.parts) return undefined;
    const here = await topicsHere(transaction, record.topics);
    if (record.topics.some(({ isNew }, at) => isNew && here[at])) return "changed";
    const writer = await MessageWriter.open(
      transaction,
      record.topics.flatMap(({ subId }) => subId ?? []),
    );
    const added = record.added + (await takeVersions(transaction, writer, record, nowMs));
    for (const topic of record.topics) {
      const { subId, isNew } = topic;
      const subscription = isNew && subId !== undefined ? writer.subscription(subId) : undefined;
      if (!subscription) continue;
      delete subscription.removedAtMs;
      const { sound: _, ...rules } = splitTopic(topic).rules;
      writer.amend(choice.topicRules ? Object.assign(subscription, rules) : subscription);
    }
    const changes = await writer.finish();
    await takeViews(transaction, record);
    await takeSettings(transaction, record, choice);
    removeImport(transaction, importId);
    return { ...changes, added };
  });
}

/** Adds versions of sequences as if they arrived now, which gives the same result in any order. */
async function takeVersions(
  transaction: Transaction<(typeof LAST_STORES)[number]>,
  writer: MessageWriter,
  record: ImportRecord,
  nowMs: number,
): Promise<number> {
  const staged = await Promise.all(
    record.lateParts.map((part) => transaction.store("staged").get([record.importId, part])),
  );
  const sequences = new Map<string, SequenceArrivals>();
  /** Rows of new topics, whose marks are the backup's: a clear counts once, and a star was already moved there. */
  const asBackedUp = new Map<StoredMessage, StagedMessage>();
  let added = 0;
  for (const [topic, group] of byTopic([...staged.flatMap((part) => part?.messages ?? []), ...record.late])) {
    const { subId, isNew } = record.topics[topic] ?? {};
    if (subId === undefined) continue;
    const { fresh, versions } = await sortOut(transaction, writer, subId, group);
    for (const message of [...fresh, ...versions]) {
      const row = rowOf(record, subId, message, nowMs);
      if (row.scheduled) {
        writer.insert(row);
        added++;
        continue;
      }
      const name = sequenceOf(message.event);
      const text = sequenceText(subId, name);
      const open = sequences.get(text) ?? noArrivals(subId, name);
      sequences.set(text, open);
      open.versions.push({ row });
      if (isNew) asBackedUp.set(row, message);
    }
  }
  const outcomes = await applySequences(transaction, writer, [...sequences.values()], { nowMs });
  const rows = outcomes.flatMap(({ stored }) => stored.map(({ row }) => row));
  for (const row of rows) {
    const { readAtMs, starred } = asBackedUp.get(row) ?? row;
    const { readAtMs: _, starred: _starred, ...rest } = row;
    writer.insert({ ...rest, ...(readAtMs !== undefined && { readAtMs }), ...(starred && { starred }) });
  }
  return added + rows.length;
}

async function takeViews(transaction: Transaction<"views" | "settings">, { views }: ImportRecord): Promise<void> {
  const store = transaction.store("views");
  const present = await store.getAll();
  const names = new Set(present.map(({ name }) => name));
  const links = new Set(present.map(({ link }) => link));
  let order = Math.max(0, ...present.map((view) => view.order + 1));
  for (const { name, link } of views) {
    if (links.has(link) || names.size >= MAX_VIEWS) continue;
    let free = name;
    for (let number = 2; names.has(free); number++) free = `${name} ${number}`;
    names.add(free);
    links.add(link);
    store.put({ viewId: await takeNumbers(transaction), name: free, link, order: order++ });
  }
}

async function takeSettings(
  transaction: Transaction<"settings">,
  record: ImportRecord,
  { settings, topicRules }: { settings: readonly string[]; topicRules: boolean },
): Promise<void> {
  const store = transaction.store("settings");
  const here = await readSettings(transaction);
  const changed = changedSettings(record, here);
  // Groups belong to the topics: those here stay, and those of new topics are added.
  const theirs = changed.find(({ name }) => name === "groups")?.to as TopicGroup[] | undefined;
  const used = new Set(record.topics.flatMap(({ isNew, group }) => (isNew && group !== undefined ? [group] : [])));
  const names = new Set(here.groups.map(({ name }) => name));
  const listed = [...(theirs ?? []), ...[...used].map((name): TopicGroup => ({ name }))];
  const groups = [...here.groups];
  for (const group of listed) {
    if (names.has(group.name) || !(settings.includes("groups") || used.has(group.name))) continue;
    names.add(group.name);
    groups.push(group);
  }
  if (groups.length > here.groups.length) store.put(groups, "groups");
  const ofTopics = record.topics.flatMap(({ isNew, subId, sound }) =>
    topicRules && isNew && subId && sound ? [[subId, sound]] : [],
  );
  const sounds = { ...here.sounds, topics: { ...here.sounds.topics, ...Object.fromEntries(ofTopics) } };
  if (ofTopics.length > 0) store.put(sounds, "sounds");
  for (const { name, to } of changed.filter((one) => settings.includes(one.name)))
    if (name === "sounds") store.put({ ...(to as Partial<Sounds>), topics: sounds.topics }, name);
    else if (name !== "groups") store.put(to, name);
}
