// Writes a backup (docs/backup-format.md) as a stream: a page of messages is read, written and forgotten.
import {
  BACKED_UP_SETTINGS,
  type BackupPage,
  type Catalogue,
  type Client,
  type PageQuery,
  type StoreError,
} from "../../client";
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  backupLine,
  type BackupLine,
  type BackupScope,
  type SealedCredentials,
  writeBackupLine,
} from "../../contract";
import type { Result } from "../../protocol";

/** How many messages are read, and written, at a time. */
const PAGE = 500;

/** A part of a file's text, and how many messages the file has so far. */
export interface FilePiece {
  text: string;
  messages: number;
}

/** Messages written together, and what else the file says. */
type WrittenPage = Pick<BackupPage, "rows"> & Partial<BackupPage>;

/** The database can't be read, so the file would lack messages. */
export class Unreadable extends Error {}

/** What was read; throws `Unreadable`. */
export async function stored<Value>(reading: Promise<Result<Value, StoreError>>): Promise<Value> {
  const read = await reading;
  if (!read.ok) throw new Unreadable(read.error.kind);
  return read.value;
}

/** All that is stored, oldest first. */
export async function* allPages(read: Client["read"]): AsyncGenerator<WrittenPage> {
  let from: BackupPage["next"];
  do {
    const query = { count: PAGE, from };
    const page = await stored(read((reader) => reader.backup(query)));
    yield page;
    from = page.next;
  } while (from);
}

/** A view's messages, oldest first. @param upTo the last arrival to include */
export async function* viewPages(
  read: Client["read"],
  scope: Omit<PageQuery, "direction" | "count" | "from">,
  upTo: number,
): AsyncGenerator<WrittenPage> {
  let from: PageQuery["from"];
  do {
    const query: PageQuery = { ...scope, direction: "newer", count: PAGE, from };
    const page = await stored(read((reader) => reader.page(query)));
    yield { rows: page.rows.filter(({ arrival }) => arrival <= upTo) };
    from = page.next;
  } while (from);
}

/** Writes a backup. Device clock, ms. @param pages of everything, or of a view; a set-up has none */
export async function* backupPieces(
  tables: Catalogue,
  { scope, nowMs, sealed }: { scope: BackupScope; nowMs: number; sealed?: SealedCredentials | undefined },
  pages?: AsyncIterable<WrittenPage>,
): AsyncGenerator<FilePiece> {
  const topicAt = new Map(tables.subscriptions.map(({ subId }, at) => [subId, at]));
  let lines = 0;
  let messages = 0;
  const pieceOf = (more: readonly BackupLine[]): FilePiece => {
    lines += more.length;
    messages += more.filter(({ kind }) => kind === "message").length;
    return { text: more.map(writeBackupLine).join(""), messages };
  };
  /** The lines of records whose topic is in the backup. */
  const linesOf = <One extends { subId: number }>(
    records: readonly One[] | undefined,
    lineOf: (record: One, topic: number) => BackupLine,
  ): BackupLine[] =>
    (records ?? []).flatMap((record) => {
      const topic = topicAt.get(record.subId);
      return topic === undefined ? [] : [lineOf(record, topic)];
    });

  yield pieceOf([
    { kind: "header", format: BACKUP_FORMAT, version: BACKUP_VERSION, scope, madeAtMs: nowMs },
    ...tableLines(tables, scope),
    ...(sealed ? [sealed] : []),
  ]);
  for await (const { rows, traces, sequences } of pages ?? [])
    yield pieceOf([
      ...linesOf(rows, (row, topic) =>
        backupLine("message", { ...row, topic, ...(row.sequence !== undefined && { version: 1 }) }),
      ),
      ...linesOf(traces, (trace, topic) => backupLine("deleted", { ...trace, topic })),
      ...linesOf(sequences, ({ newest, ...marks }, topic) => {
        const last = newest && { time: newest.time, id: newest.id };
        return backupLine("sequence", { ...marks, topic, newest: last });
      }),
    ]);
  const gaps = scope === "everything" ? tables.gaps : [];
  yield pieceOf(linesOf(gaps, (gap, topic) => backupLine("gap", { ...gap, topic })));
  yield pieceOf([{ kind: "end", messages, lines: lines + 1 }]);
}

/** Servers and topics; with everything, or the set-up, settings and views too. */
function tableLines({ servers, subscriptions, settings, views }: Catalogue, scope: BackupScope): BackupLine[] {
  const addresses = new Map(servers.map(({ serverId, address }) => [serverId, address]));
  const used = new Set(subscriptions.map(({ serverId }) => serverId));
  const sounds = settings.sounds?.topics ?? {};
  const lines: BackupLine[] = [
    ...servers
      .filter(({ serverId }) => used.has(serverId))
      .map((server) => backupLine("server", { ...server, transport: server.chosenTransport })),
    ...subscriptions.flatMap((one) => {
      const server = addresses.get(one.serverId);
      const signIn = one.accountId === 0 ? undefined : true;
      return server === undefined ? [] : backupLine("topic", { ...one, server, sound: sounds[one.subId], signIn });
    }),
  ];
  if (scope === "view") return lines;
  for (const name of BACKED_UP_SETTINGS) {
    if (settings[name] !== undefined) lines.push({ kind: "setting", name, value: settings[name] });
  }
  return [...lines, ...views.map((view) => backupLine("view", view))];
}
