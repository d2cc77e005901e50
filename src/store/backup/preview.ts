// What an import would change. Nothing here changes anything.
import {
  type BackupEntry,
  type BackupMessage,
  type BackupPreview,
  type BackupTopic,
  keyOf,
  type MessageKey,
} from "../../contract";
import { DAY_MS, type ServerAddress } from "../../protocol";
import { groupedBy, knownMessages } from "../ingest/ingest";
import { transact, type Database, type Transaction } from "../database";
import { readSettings, readSubscriptions } from "../read/read-catalogue";
import type { Settings, SubscriptionRecord } from "../schema";
import { BROUGHT_BY, decodeSetting, splitTopic } from "./decode-setting";

/** The tables of a backup, which come before everything else. */
export interface BackupTables {
  servers: BackupEntry<"server">[];
  topics: BackupTopic[];
  settings: BackupEntry<"setting">[];
  views: BackupEntry<"view">[];
}

/** Some of the lines that follow the tables. */
export type BackupPart = BackupEntry<"message" | "deleted" | "sequence" | "gap">[];

/** A backup as it is read: its tables are complete by the first part, or the end. */
export interface OpenBackup {
  readonly tables: BackupTables;
  /** Throws if the rest is unreadable, or the user cancelled the import. */
  parts(): AsyncGenerator<BackupPart, void>;
}

/** What would happen to a part's messages. */
export type MessageCounts = BackupPreview["messages"] & { outdated: BackupPreview["outdated"] };

/** What a backup would change, apart from its messages. */
export type TablesPreview = Pick<BackupPreview, "newServers" | "newTopics" | "knownTopics" | "newViews" | "settings">;

export function previewTables(database: Database, tables: BackupTables): Promise<TablesPreview> {
  const names = ["subscriptions", "servers", "views", "settings"] as const;
  return transact(database, names, "read", async (transaction) => {
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
      newServers: [...used],
      newTopics: newTopics.map((one) => ({
        ...{ server: one.server, topic: one.topic },
        ...(one.displayName !== undefined && { displayName: one.displayName }),
        rules: Object.entries(splitTopic(one).rules).map(([name, to]: [string, unknown]) => ({ name, to })),
      })),
      knownTopics: here.filter((one) => one !== undefined).length,
      newViews: tables.views.filter(({ link }) => !views.some((view) => view.link === link)).map(({ name }) => name),
      settings: changedSettings(tables, settings).map((one) => ({
        ...one,
        ...(BROUGHT_BY.setting[one.name] === "by-hand" && { isByHand: true as const }),
      })),
    };
  });
}

/** Whether the app's host lets topics of a server be added. */
export function mayAdd({ host }: Settings, server: ServerAddress): boolean {
  return host?.allowed?.includes(server) ?? true;
}

/** The settings of a backup that differ from those here and aren't locked by the app's host, decoded. */
export function changedSettings(
  { settings }: Pick<BackupTables, "settings">,
  here: Settings,
): { name: keyof Settings; from: unknown; to: unknown }[] {
  return settings.flatMap(({ name, value }) => {
    const setting = decodeSetting(name, value);
    const isLocked = (here.host?.config.locked as string[] | undefined)?.includes(name);
    if (!setting || isLocked) return [];
    const from = here[setting.name];
    // Both are decoded, so their properties are in the same order.
    const isAlike = JSON.stringify(decodeSetting(name, from)?.value) === JSON.stringify(setting.value);
    return isAlike ? [] : [{ name: setting.name, from, to: setting.value }];
  });
}

/** For each topic of a backup, the subscription to it here, if it isn't removed. */
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
export function keysIn(subId: number, messages: readonly BackupMessage[]): MessageKey[] {
  return messages.map(({ event: { time, id } }) => keyOf({ subId, time, id }));
}

export function messagesIn(part: BackupPart): BackupMessage[] {
  return part.filter((line) => line.kind === "message");
}

/** Counts what would happen to a part's messages. */
export function countMessages(
  database: Database,
  tables: BackupTables,
  part: BackupPart,
  nowMs: number,
): Promise<MessageCounts> {
  const names = ["messages", "tombstones", "subscriptions", "servers", "settings"] as const;
  return transact(database, names, "read", async (transaction) => {
    const counts: MessageCounts = { added: 0, known: 0, deleted: 0, outdated: { here: 0, there: 0 } };
    const [here, settings] = await Promise.all([topicsHere(transaction, tables.topics), readSettings(transaction)]);
    const theirs = tables.settings.find(({ name }) => name === "keepDays");
    const keepDays = { here: settings.keepDays, there: settings.keepDays };
    const decoded = theirs && decodeSetting(theirs.name, theirs.value);
    if (typeof decoded?.value === "number") keepDays.there = decoded.value;
    for (const [topic, group] of groupedBy(messagesIn(part), ({ topic }) => topic)) {
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
          const isOld = (days: number) => !starred && days > 0 && ageMs > days * DAY_MS;
          if (isOld(own.here ?? keepDays.here)) counts.outdated.here++;
          if (isOld(own.there ?? keepDays.there)) counts.outdated.there++;
        }
      }
    }
    return counts;
  });
}
