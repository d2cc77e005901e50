// An import, in one transaction (decision 0034).
import {
  type BackupCredentials,
  type BackupEntry,
  type BackupMessage,
  type BackupTopic,
  type Commands,
  marksOf,
  MAX_LETTERS_OF_VIEW,
  MAX_VIEWS,
  type Sounds,
  type StoredMessage,
  type TopicGroup,
  type Changes,
} from "../../contract";
import { sequenceOf, type ServerAddress } from "../../protocol";
import { applySequences } from "../ingest/apply-sequences";
import { transact, type Database, type Transaction, takeNumbers } from "../database";
import { putAccount } from "../edit/edit-servers";
import { groupedBy, knownMessages, knownSequences } from "../ingest/ingest";
import { MessageWriter, WRITER_STORES } from "../ingest/message-writer";
import { readSettings, readSubscriptions } from "../read/read-catalogue";
import type { ServerRecord } from "../schema";
import { arrivalsOf, type SequenceArrivals } from "../ingest/reduce-sequence";
import { NOTHING } from "../tally";
import { splitTopic } from "./decode-setting";
import {
  type BackupPart,
  type BackupTables,
  changedSettings,
  keysIn,
  mayAdd,
  messagesIn,
  type OpenBackup,
  topicsHere,
} from "./preview";

const STORES = [
  ...WRITER_STORES,
  ...(["servers", "accounts", "tombstones", "sequences", "gaps", "views"] as const),
] as const;

type TakeTransaction = Transaction<(typeof STORES)[number]>;

/** What the user chose to import besides what is added: settings, muting and retention of new topics, and sign-ins. */
type TakeChoice = Pick<Commands["takeBackup"]["input"], "settings" | "topicRules" | "credentials">;

/** A topic of a backup, with the subscription that it becomes or is; undefined = it may not be added here. */
type TakenTopic = BackupTopic & { subId: number | undefined; isNew: boolean };

/** A message of a backup with its arrival number here. */
type Arriving = BackupMessage & { arrival: number };

/**
 * Imports a backup, in one transaction, which leaves no trace if reading throws. Messages that are here, or were
 * deleted here, stay as they are.
 *
 * @param open begins to read the backup
 */
export function takeBackup(
  database: Database,
  open: () => OpenBackup,
  choice: TakeChoice,
  nowMs: number,
): Promise<Changes & { added: number }> {
  return transact(database, STORES, "by hand", async (transaction) => {
    const backup = open();
    const { tables } = backup;
    const reading = backup.parts();
    const next = () => meanwhile(transaction, reading.next());
    try {
      let part = await next();
      const topics = await takeTopics(transaction, tables, choice);
      const named = topics.flatMap(({ subId }) => (subId === undefined ? [] : { subId }));
      const writer = await MessageWriter.open(transaction, named);
      const rows = new RowsTaking(transaction, writer, topics, nowMs);
      let added = 0;
      for (; !part.done; part = await next()) added += await rows.take(part.value);
      added += await rows.takeSequences();
      const changes = await writer.finish();
      await takeViews(transaction, tables);
      await takeSettings(transaction, tables, topics, choice);
      return { ...changes, added };
    } finally {
      void reading.return();
    }
  });
}

/** Waits for something else. The transaction is kept busy, since the browser would end it at the first idle moment. */
async function meanwhile<Value>(transaction: TakeTransaction, work: Promise<Value>): Promise<Value> {
  let isOver = false;
  const over = () => (isOver = true);
  work.then(over, over);
  do await transaction.store("settings").getKey("theme");
  while (!isOver);
  return work;
}

/** Adds missing topics, with their servers. */
async function takeTopics(
  transaction: TakeTransaction,
  backup: BackupTables,
  { credentials, topicRules }: TakeChoice,
): Promise<TakenTopic[]> {
  const [here, present, settings] = await Promise.all([
    topicsHere(transaction, backup.topics),
    readSubscriptions(transaction),
    readSettings(transaction),
  ]);
  let order = Math.max(0, ...present.map((one) => one.order + 1));
  const taken: TakenTopic[] = [];
  for (const [at, topic] of backup.topics.entries()) {
    const known = here[at];
    if (known || !mayAdd(settings, topic.server)) {
      taken.push({ ...topic, subId: known?.subId, isNew: false });
      continue;
    }
    const server = await serverAt(transaction, backup, topic.server, credentials);
    const ofTopic = credentials.find((one) => one.server === topic.server && one.topics.includes(topic.topic));
    const accountId = ofTopic?.credentials
      ? (await putAccount(transaction, server.serverId, { ...ofTopic, credentials: ofTopic.credentials })).accountId
      : await onlyAccount(transaction, server.serverId, topic.signIn);
    const {
      kind: _,
      server: _server,
      signIn: _signIn,
      sound: _sound,
      ...own
    } = topicRules ? topic : splitTopic(topic).plain;
    const subId = await takeNumbers(transaction);
    transaction.store("subscriptions").put({
      ...own,
      ...{ subId, serverId: server.serverId, accountId, order: order++ },
      ...NOTHING,
    });
    taken.push({ ...topic, subId, isNew: true });
  }
  return taken;
}

async function serverAt(
  transaction: Transaction<"servers" | "settings">,
  { servers }: BackupTables,
  address: ServerAddress,
  credentials: readonly BackupCredentials[],
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

/** Takes the lines that follow a backup's tables. */
class RowsTaking {
  /** What is added last: versions of sequences, and what is known about the sequences. */
  readonly #versions: Arriving[] = [];
  readonly #sequences: BackupEntry<"sequence">[] = [];

  constructor(
    private readonly transaction: TakeTransaction,
    private readonly writer: MessageWriter,
    private readonly topics: readonly TakenTopic[],
    private readonly nowMs: number,
  ) {}

  /** Imports some lines. Resolves to how many messages it added. */
  take(part: BackupPart): Promise<number> {
    for (const line of part) {
      if (line.kind === "message") continue;
      const { isNew, subId } = this.topics[line.topic] ?? {};
      // This device knows more about topics that were here before.
      if (!isNew || subId === undefined) continue;
      if (line.kind === "sequence") this.#sequences.push(line);
      else if (line.kind === "gap") {
        const { kind: _, topic: _topic, ...gap } = line;
        this.transaction.store("gaps").put({ ...gap, subId });
      } else if (line.until * 1_000 > this.nowMs) {
        const { kind: _, topic: _topic, ...trace } = line;
        this.transaction.store("tombstones").put({ ...trace, subId });
      }
    }
    return this.#takeMessages(messagesIn(part));
  }

  /** Adds messages that stand alone, and puts versions of sequences aside. Resolves to how many it added. */
  async #takeMessages(messages: readonly BackupMessage[]): Promise<number> {
    let added = 0;
    const arriving = messages.map((message): Arriving => ({ ...message, arrival: this.writer.takeArrival() }));
    this.#versions.push(...arriving.filter(isVersion));
    const alone = arriving.filter((message) => !isVersion(message));
    for (const [topic, group] of groupedBy(alone, ({ topic }) => topic)) {
      const subId = this.topics[topic]?.subId;
      if (subId === undefined) continue;
      const fresh = await this.#unknownAmong(subId, group);
      const ids = fresh.map(({ event }) => sequenceOf(event));
      const known = await knownSequences(this.transaction, subId, ids);
      for (const message of fresh) {
        if (known.has(sequenceOf(message.event)) && !message.scheduled) {
          this.#versions.push(message);
          continue;
        }
        this.writer.insert(this.#rowOf(subId, message));
        added++;
      }
    }
    return added;
  }

  /** The messages that are new here, each once. */
  async #unknownAmong(subId: number, messages: readonly Arriving[]): Promise<Arriving[]> {
    const { stored, buried } = await knownMessages(this.transaction, keysIn(subId, messages));
    const seen = new Set([...stored, ...buried]);
    return messages.filter(({ event: { id } }) => !seen.has(id) && seen.add(id));
  }

  /** A backup's message as a row, with the backup's marks; `via` and `noAlert` are set here. */
  #rowOf(subId: number, message: Arriving): StoredMessage {
    const { event, receivedAtMs, arrival } = message;
    const row: StoredMessage = {
      subId,
      time: event.time,
      id: event.id,
      event,
      via: "import",
      ...{ arrival, receivedAtMs, ...marksOf(message) },
    };
    if (row.scheduled && event.time * 1_000 <= this.nowMs) delete row.scheduled;
    delete row.alertedAtMs;
    if (row.scheduled) delete row.noAlert;
    else row.noAlert = "imported";
    return row;
  }

  /**
   * Imports what is known of sequences; of versions of one second, the one that the backup names is the newest. Then adds
   * the versions as if they arrived now, which gives the same result in any order. Resolves to how many.
   */
  async takeSequences(): Promise<number> {
    const arrival = this.writer.takeArrival();
    for (const { kind: _, topic, newest, ...marks } of this.#sequences) {
      const subId = this.topics[topic]?.subId;
      if (subId === undefined) continue;
      this.transaction.store("sequences").put({ ...marks, subId, ...(newest && { newest: { ...newest, arrival } }) });
    }
    const sequences = new Map<string, SequenceArrivals>();
    /** Rows of new topics have the backup's marks: a clear counts only once, and a star was already moved there. */
    const asBackedUp = new Map<StoredMessage, BackupMessage>();
    for (const [topic, group] of groupedBy(this.#versions, ({ topic }) => topic)) {
      const { subId, isNew } = this.topics[topic] ?? {};
      if (subId === undefined) continue;
      for (const message of await this.#unknownAmong(subId, group)) {
        const row = this.#rowOf(subId, message);
        arrivalsOf(sequences, subId, sequenceOf(message.event)).versions.push({ row });
        if (isNew) asBackedUp.set(row, message);
      }
    }
    const outcomes = await applySequences(this.transaction, this.writer, [...sequences.values()], {
      nowMs: this.nowMs,
    });
    const rows = outcomes.flatMap(({ stored }) => stored.map(({ row }) => row));
    for (const row of rows) {
      const { readAtMs, starred } = asBackedUp.get(row) ?? row;
      const { readAtMs: _, starred: _starred, ...rest } = row;
      this.writer.insert({ ...rest, ...(readAtMs !== undefined && { readAtMs }), ...(starred && { starred }) });
    }
    return rows.length;
  }
}

/** Whether a message is a version of a sequence, by what its line says. */
function isVersion({ version, updated, event, scheduled }: BackupMessage): boolean {
  return !scheduled && (version !== undefined || updated !== undefined || sequenceOf(event) !== event.id);
}

async function takeViews(transaction: Transaction<"views" | "settings">, { views }: BackupTables): Promise<void> {
  const store = transaction.store("views");
  const present = await store.getAll();
  const names = new Set(present.map(({ name }) => name));
  const links = new Set(present.map(({ link }) => link));
  let order = Math.max(0, ...present.map((view) => view.order + 1));
  for (const { name, link } of views) {
    if (links.has(link) || names.size >= MAX_VIEWS) continue;
    let free = name;
    for (let number = 2; names.has(free); number++) {
      const suffix = ` ${number}`;
      free = name.slice(0, MAX_LETTERS_OF_VIEW - suffix.length).replace(/\p{Surrogate}$/u, "") + suffix;
    }
    names.add(free);
    links.add(link);
    store.put({ viewId: await takeNumbers(transaction), name: free, link, order: order++ });
  }
}

async function takeSettings(
  transaction: Transaction<"settings">,
  backup: BackupTables,
  topics: readonly TakenTopic[],
  { settings, topicRules }: TakeChoice,
): Promise<void> {
  const store = transaction.store("settings");
  const here = await readSettings(transaction);
  const changed = changedSettings(backup, here);
  // Groups belong to the topics: those here stay, and those of new topics are added.
  const theirs = changed.find(({ name }) => name === "groups")?.to as TopicGroup[] | undefined;
  const used = new Set(topics.flatMap(({ isNew, group }) => (isNew && group !== undefined ? [group] : [])));
  const names = new Set(here.groups.map(({ name }) => name));
  const listed = [...(theirs ?? []), ...[...used].map((name): TopicGroup => ({ name }))];
  const groups = [...here.groups];
  for (const group of listed) {
    if (names.has(group.name) || !(settings.includes("groups") || used.has(group.name))) continue;
    names.add(group.name);
    groups.push(group);
  }
  if (groups.length > here.groups.length) store.put(groups, "groups");
  const ofTopics = topics.flatMap(({ isNew, subId, sound }) =>
    topicRules && isNew && subId && sound ? [[subId, sound]] : [],
  );
  const sounds = { ...here.sounds, topics: { ...here.sounds.topics, ...Object.fromEntries(ofTopics) } };
  if (ofTopics.length > 0) store.put(sounds, "sounds");
  for (const { name, to } of changed.filter((one) => settings.includes(one.name)))
    if (name === "sounds") store.put({ ...(to as Partial<Sounds>), topics: sounds.topics }, name);
    else if (name !== "groups") store.put(to, name);
}
