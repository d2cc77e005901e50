// The first half of an import: what is read is staged in the database, and nothing visible changes (decision 0034).
import { type BackupPreview, type BackupTopic, keyOf, type MessageKey } from "../../contract";
import type { ServerAddress } from "../../protocol";
import { compareText, knownMessages } from "../ingest/known-messages";
import { transact, type Database, type Transaction, startingWith } from "../database";
import { readSettings, readSubscriptions } from "../read/read-catalogue";
import type { ReadBackup, Settings, StagedMessage, StagedPart, SubscriptionRecord } from "../schema";
import { BROUGHT_BY, decodeSetting, splitTopic } from "./decode-setting";

/** How long, ms, a backup that was read waits for the user's decision. Another import may replace it at any time. */
const WAITS_MS = 3_600_000;

/** The tables of a backup, as far as they were read. */
export type ReadTables = Omit<ReadBackup, "parts" | "messages">;

/** What would become of a part's messages, as far as is known before they are taken over. */
export type StagedCounts = BackupPreview["messages"] & { outdated: BackupPreview["outdated"] };

/** Begins an import. It takes the place of any other that isn't taken over yet. */
export function beginImport(database: Database, importId: string, nowMs: number): Promise<null> {
  return transact(database, ["imports", "staged"], { mode: "readwrite" }, (transaction) => {
    transaction.store("imports").clear();
    transaction.store("staged").clear();
    transaction.store("imports").put({ importId, untilMs: nowMs + WAITS_MS });
    return null;
  });
}

/** Stages lines of a backup. Resolves to what is known of their messages; undefined if the import has ended. */
export function stagePart(
  database: Database,
  part: StagedPart,
  tables: ReadTables,
  nowMs: number,
): Promise<StagedCounts | undefined> {
  const names = ["imports", "staged", "messages", "tombstones", "subscriptions", "servers", "settings"] as const;
  return transact(database, names, { mode: "readwrite" }, async (transaction) => {
    if (!(await transaction.store("imports").getKey(part.importId))) return undefined;
    transaction.store("staged").put(part);
    return countMessages(transaction, tables, part.messages, nowMs);
  });
}

/** Ends the reading of a backup. Resolves to what it would change, apart from messages; undefined if it has ended. */
export function endReading(
  database: Database,
  importId: string,
  tables: ReadBackup,
  nowMs: number,
): Promise<Omit<BackupPreview, "messages" | "outdated" | "unreadable" | "refused"> | undefined> {
  const names = ["imports", "subscriptions", "servers", "views", "settings"] as const;
  return transact(database, names, { mode: "readwrite" }, async (transaction) => {
    const imports = transaction.store("imports");
    if (!(await imports.getKey(importId))) return undefined;
    imports.put({ importId, untilMs: nowMs + WAITS_MS, whole: tables });
    const [here, servers, views, settings] = await Promise.all([
      topicsHere(transaction, tables.topics),
      transaction.store("servers").getAll(),
      transaction.store("views").getAll(),
      readSettings(transaction),
    ]);
    const newTopics = tables.topics.filter(({ server }, at) => !here[at] && mayAdd(settings, server));
    const used = new Set(newTopics.map(({ server }) => server));
    for (const { address } of servers) used.delete(address);
    return {
      scope: tables.header.scope,
      madeAtMs: tables.header.madeAtMs,
      newServers: [...used],
      newTopics: newTopics.map((one) => ({
        ...{ server: one.server, topic: one.topic },
        ...(one.displayName !== undefined && { displayName: one.displayName }),
        ...(one.signIn && { signIn: one.signIn }),
        rules: Object.entries(splitTopic(one).rules).map(([name, to]: [string, unknown]) => ({ name, to })),
      })),
      knownTopics: here.filter((one) => one !== undefined).length,
      newViews: tables.views.filter(({ link }) => !views.some((view) => view.link === link)).map(({ name }) => name),
      settings: changedSettings(tables, settings).map((one) => ({
        ...one,
        ...(BROUGHT_BY.setting[one.name] === "by-hand" && { isByHand: true as const }),
      })),
      ...(tables.sealed && { sealed: tables.sealed }),
    };
  });
}

/** Ends an import, of which nothing stays. */
export function dropImport(database: Database, importId: string): Promise<null> {
  return transact(database, ["imports", "staged"], { mode: "readwrite" }, (transaction) => {
    removeImport(transaction, importId);
    return null;
  });
}

export function removeImport(transaction: Transaction<"imports" | "staged">, importId: string): void {
  transaction.store("imports").delete(importId);
  transaction.store("staged").delete(startingWith(importId));
}

/** Whether the app's host lets topics be added on a server. */
export function mayAdd({ host }: Settings, server: ServerAddress): boolean {
  return host?.allowed?.includes(server) ?? true;
}

/** The settings of a backup that differ from those here and aren't locked by the app's host, decoded. */
export function changedSettings(
  { settings }: Pick<ReadTables, "settings">,
  here: Settings,
): { name: keyof Settings; from: unknown; to: unknown }[] {
  return settings.flatMap(({ name, value }) => {
    const setting = decodeSetting(name, value);
    const isLocked = (here.host?.config.locked as string[] | undefined)?.includes(name);
    if (!setting || isLocked) return [];
    const from = here[setting.name];
    return isAlike(from, setting.value) ? [] : [{ name: setting.name, from, to: setting.value }];
  });
}

/** Compares as JSON, ignoring the order of properties. */
function isAlike(a: unknown, b: unknown): boolean {
  return inOrder(a) === inOrder(b);
}

function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (part === Infinity) return "Infinity";
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([x], [y]) => compareText(x, y)));
  });
}

/** For each topic of a backup, the subscription that is here and not removed. */
export async function topicsHere(
  transaction: Transaction<"subscriptions" | "servers">,
  topics: readonly Pick<BackupTopic, "server" | "topic">[],
): Promise<(SubscriptionRecord | undefined)[]> {
  const [servers, subscriptions] = await Promise.all([
    transaction.store("servers").getAll(),
    readSubscriptions(transaction),
  ]);
  const addresses = new Map(servers.map(({ serverId, address }) => [serverId, address]));
  const named = new Map(subscriptions.map((one) => [`${addresses.get(one.serverId) ?? ""} ${one.topic}`, one]));
  return topics.map(({ server, topic }) => named.get(`${server} ${topic}`));
}

/** The keys that the messages of a backup have, or would have. */
export function keysIn(subId: number, messages: readonly Pick<StagedMessage, "event">[]): MessageKey[] {
  return messages.map(({ event: { time, id } }) => keyOf({ subId, time, id }));
}

/** Groups the messages of a part by topic. */
export function byTopic(messages: readonly StagedMessage[]): Map<number, StagedMessage[]> {
  const groups = new Map<number, StagedMessage[]>();
  for (const message of messages) {
    const group = groups.get(message.topic);
    if (group) group.push(message);
    else groups.set(message.topic, [message]);
  }
  return groups;
}

const MS_PER_DAY = 86_400_000;

async function countMessages(
  transaction: Transaction<"messages" | "tombstones" | "subscriptions" | "servers" | "settings">,
  tables: ReadTables,
  messages: readonly StagedMessage[],
  nowMs: number,
): Promise<StagedCounts> {
  const counts: StagedCounts = { added: 0, known: 0, deleted: 0, outdated: { here: 0, there: 0 } };
  const [here, settings] = await Promise.all([topicsHere(transaction, tables.topics), readSettings(transaction)]);
  const theirs = tables.settings.find(({ name }) => name === "keepDays");
  const keepDays = { here: settings.keepDays, there: settings.keepDays };
  const decoded = theirs && decodeSetting(theirs.name, theirs.value);
  if (typeof decoded?.value === "number") keepDays.there = decoded.value;
  for (const [topic, group] of byTopic(messages)) {
    const subscription = here[topic];
    const server = tables.topics[topic]?.server;
    if (!subscription && !(server !== undefined && mayAdd(settings, server))) continue;
    const known = subscription && (await knownMessages(transaction, keysIn(subscription.subId, group)));
    const own = { here: subscription?.keepDays, there: (subscription ?? tables.topics[topic])?.keepDays };
    for (const { event, starred } of group) {
      if (known?.stored.has(event.id)) counts.known++;
      else if (known?.buried.has(event.id)) counts.deleted++;
      else {
        counts.added++;
        const ageMs = nowMs - event.time * 1_000;
        const isOld = (days: number) => !starred && days > 0 && ageMs > days * MS_PER_DAY;
        if (isOld(own.here ?? keepDays.here)) counts.outdated.here++;
        if (isOld(own.there ?? keepDays.there)) counts.outdated.there++;
      }
    }
  }
  return counts;
}
