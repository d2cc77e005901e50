// Writes a backup (docs/backup-format.md) as a stream: a page of messages is read, written and forgotten.
import { BACKED_UP_SETTINGS, type Catalogue, type Reader, type SequenceRecord, type StoreError } from "../../client";
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  backupMessage,
  type BackupLine,
  type BackupScope,
  type BackupTopic,
  type SealedCredentials,
  type StoredMessage,
  writeBackupLine,
} from "../../contract";
import { fail, ok, type Result } from "../../protocol";

/** How many messages are read, and written, at a time. */
const PAGE = 500;

/** Where a backup is read from. */
export interface BackupSource {
  tables: Catalogue;
  read<Value>(work: (reader: Reader) => Promise<Value>): Promise<Result<Value, StoreError>>;
}

/** Where text goes to. */
export interface TextSink {
  write(text: string): Promise<void>;
}

/** What a backup is to hold, and who follows it. */
export interface BackupOrder {
  scope: BackupScope;
  /** Device clock, ms. */
  nowMs: number;
  sealed?: SealedCredentials | undefined;
  /** Only the messages of a view, read a page at a time from the oldest on. */
  view?: { next(): Promise<Result<StoredMessage[], StoreError>> };
  signal?: AbortSignal | undefined;
  onMessages?: (count: number) => void;
}

/** Why a backup isn't whole. */
export type BackupStop = { kind: "stopped" } | { kind: "unreadable"; error: StoreError };

/** Writes the lines of a backup to a sink. Resolves to how many messages it has. */
export async function writeBackup(
  source: BackupSource,
  sink: TextSink,
  order: BackupOrder,
): Promise<Result<{ messages: number }, BackupStop>> {
  const { tables } = source;
  const { scope, nowMs, sealed, view, signal } = order;
  const topicAt = new Map(tables.subscriptions.map(({ subId }, at) => [subId, at]));
  let lines = 0;
  let messages = 0;
  const write = async (more: BackupLine[]): Promise<void> => {
    lines += more.length;
    if (more.length > 0) await sink.write(more.map(writeBackupLine).join(""));
  };

  await write([
    { kind: "header", format: BACKUP_FORMAT, version: BACKUP_VERSION, scope, madeAtMs: nowMs },
    ...tableLines(tables, scope),
    ...(sealed ? [sealed] : []),
  ]);
  const writeRows = async (rows: readonly StoredMessage[]): Promise<void> => {
    const known = rows.flatMap((row) => {
      const topic = topicAt.get(row.subId);
      return topic === undefined ? [] : [backupMessage(row, topic)];
    });
    messages += known.length;
    await write(known);
    order.onMessages?.(messages);
  };
  const isStopped = () => signal?.aborted === true;

  if (view) {
    for (;;) {
      if (isStopped()) return fail({ kind: "stopped" });
      const page = await view.next();
      if (!page.ok) return fail({ kind: "unreadable", error: page.error });
      if (page.value.length === 0) break;
      await writeRows(page.value);
    }
  } else if (scope === "everything") {
    let query: Parameters<Reader["backup"]>[0] | undefined = { count: PAGE };
    while (query) {
      if (isStopped()) return fail({ kind: "stopped" });
      const asked: Parameters<Reader["backup"]>[0] = query;
      const page = await source.read((reader) => reader.backup(asked));
      if (!page.ok) return fail({ kind: "unreadable", error: page.error });
      await writeRows(page.value.rows);
      await write([
        ...page.value.traces.flatMap(({ subId, time, id, until }): BackupLine[] => {
          const topic = topicAt.get(subId);
          return topic === undefined ? [] : [{ kind: "deleted", topic, time, id, until }];
        }),
        ...page.value.sequences.flatMap((one) => sequenceLine(one, topicAt.get(one.subId))),
      ]);
      query = page.value.next && { from: page.value.next, count: PAGE };
    }
    await write(
      tables.gaps.flatMap(({ subId, from, to, forgot, cut }): BackupLine[] => {
        const topic = topicAt.get(subId);
        return topic === undefined
          ? []
          : [{ kind: "gap", topic, from, to, ...(forgot && { forgot }), ...(cut && { cut }) }];
      }),
    );
  }
  await write([{ kind: "end", messages, lines: lines + 1 }]);
  return ok({ messages });
}

function sequenceLine({ sequence, newest, deleted, cleared, until }: SequenceRecord, topic?: number): BackupLine[] {
  if (topic === undefined) return [];
  const marks = { ...(deleted && { deleted }), ...(cleared && { cleared }) };
  const last = newest && { newest: { time: newest.time, id: newest.id } };
  return [{ kind: "sequence", topic, sequence, ...last, ...marks, until }];
}

/** Servers and topics; with everything, or the set-up, settings and views too. */
function tableLines({ servers, subscriptions, settings, views }: Catalogue, scope: BackupScope): BackupLine[] {
  const addresses = new Map(servers.map(({ serverId, address }) => [serverId, address]));
  const used = new Set(subscriptions.map(({ serverId }) => serverId));
  const sounds = settings.sounds?.topics ?? {};
  const topics = subscriptions.flatMap((one): BackupTopic[] => {
    const server = addresses.get(one.serverId);
    if (server === undefined) return [];
    return [
      {
        kind: "topic",
        server,
        topic: one.topic,
        ...picked(one, ["displayName", "colour", "icon", "group", "mutedUntilMs", "minPriority", "quietHours"]),
        ...picked(one, ["fromTime", "readBefore", "keepDays", "keepMessages", "keepFilesMb", "showsRepeats"]),
        ...(sounds[one.subId] && { sound: sounds[one.subId] }),
        ...(one.accountId !== 0 && { signIn: true as const }),
      },
    ];
  });
  return [
    ...servers
      .filter(({ serverId }) => used.has(serverId))
      .map(({ address, name, chosenTransport }): BackupLine => ({
        kind: "server",
        address,
        ...(name !== undefined && { name }),
        ...(chosenTransport && { transport: chosenTransport }),
      })),
    ...topics,
    ...(scope === "view" ? [] : settingLines(settings)),
    ...(scope === "view" ? [] : views.map(({ name, link }): BackupLine => ({ kind: "view", name, link }))),
  ];
}

function settingLines(settings: Catalogue["settings"]): BackupLine[] {
  return BACKED_UP_SETTINGS.flatMap((name): BackupLine[] => {
    // Links leave out unchanged settings.
    const value: unknown = settings[name];
    return value === undefined ? [] : [{ kind: "setting", name, value }];
  });
}

/** The properties of these names that are there. */
function picked<From extends object, Name extends keyof From>(from: From, names: readonly Name[]): Pick<From, Name> {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]])) as Pick<
    From,
    Name
  >;
}
