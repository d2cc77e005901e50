// The lines of a backup (docs/backup-format.md): what each kind says, and how it is written.
import type { QuietHours } from "../alerts/quiet-hours";
import type { StoredMessage, Via } from "../stored-message";
import type { SoundChoice } from "../alerts/sounds";
import type { Transport } from "../server-status";
import type { Credentials, ExtraHeaders, MessageEvent, Priority, ServerAddress } from "../../protocol";

/** The first line says this, so that a file of another program is told apart. */
export const BACKUP_FORMAT = "earshot-backup";

/** Version of the format. A reader refuses a newer one. */
export const BACKUP_VERSION = 1;

/** What a backup holds: everything, the messages of one view, or only the set-up (topics, views and settings). */
export type BackupScope = "everything" | "view" | "setup";

/** The kinds of line a backup may contain: any other refuses it whole. */
export const KINDS_IN: Readonly<Record<BackupScope, readonly BackupLine["kind"][]>> = {
  everything: [
    ...(["server", "topic", "setting", "view", "credentials"] as const),
    ...(["message", "deleted", "sequence", "gap", "end"] as const),
  ],
  view: ["server", "topic", "message", "end"],
  setup: ["server", "topic", "setting", "view", "credentials", "end"],
};

/** The first line. */
export interface BackupHeader {
  kind: "header";
  format: typeof BACKUP_FORMAT;
  version: number;
  scope: BackupScope;
  /** Device clock, ms. */
  madeAtMs: number;
}

export interface BackupServer {
  kind: "server";
  address: ServerAddress;
  name?: string;
  /** Set by hand; absent = the app chooses. */
  transport?: Transport;
}

/** A topic. Later lines refer to it by its index among the topic lines, from 0. */
export interface BackupTopic {
  kind: "topic";
  server: ServerAddress;
  topic: string;
  displayName?: string;
  colour?: number;
  icon?: string;
  group?: string;
  mutedUntilMs?: number;
  minPriority?: Priority;
  quietHours?: QuietHours;
  fromTime?: number;
  readBefore?: number;
  keepDays?: number;
  keepMessages?: number;
  keepFilesMb?: number;
  showsRepeats?: true;
  /** Its sound, in place of those by priority. */
  sound?: SoundChoice;
  /** It is read with credentials, which this line doesn't hold. */
  signIn?: true;
}

export interface BackupSetting {
  kind: "setting";
  name: string;
  /** As stored, not yet decoded. */
  value: unknown;
}

export interface BackupView {
  kind: "view";
  name: string;
  link: string;
}

/** Credentials, encrypted with a passphrase. Bytes are standard base64. */
export interface SealedCredentials {
  kind: "credentials";
  /** How often PBKDF2 with SHA-256 is applied to the passphrase. */
  iterations: number;
  salt: string;
  /** Initialisation vector of AES-GCM with 256 bits. */
  iv: string;
  data: string;
}

/** What is sealed for a server: credentials for these topics, or the extra headers of its requests. */
export interface BackupCredentials {
  server: ServerAddress;
  /** Empty for headers. */
  topics: string[];
  credentials?: Credentials;
  headers?: ExtraHeaders;
}

const MARKS = [
  "readAtMs",
  "doneAtMs",
  "starred",
  "snoozedUntilMs",
  "wokenAtMs",
  "alertedAtMs",
  "noAlert",
  "scheduled",
  "updated",
] as const;

type Marks = Pick<StoredMessage, "receivedAtMs" | (typeof MARKS)[number]>;

/** A message with what happened to it. Marks that aren't set are absent; they mean the same as in `StoredMessage`. */
export interface BackupMessage extends Marks {
  kind: "message";
  topic: number;
  event: MessageEvent;
  via: Via;
  /** It is the first of several versions, though its event doesn't say so. */
  version?: 1;
}

/** A message that was deleted, or removed by retention: it stays away as long as its server could still return it. */
export interface BackupTrace {
  kind: "deleted";
  topic: number;
  time: number;
  id: string;
  /** Unix seconds. */
  until: number;
}

/** Names one event of a sequence, with the time that orders it. */
export interface BackupMark {
  time: number;
  id: string;
  /** Of a delete or clear: ids of the others in the same second. */
  others?: string[];
}

/** What is known of a sequence besides its versions, which may be gone. */
export interface BackupSequence {
  kind: "sequence";
  topic: number;
  sequence: string;
  newest?: BackupMark;
  deleted?: BackupMark;
  cleared?: BackupMark;
  /** Unix seconds. */
  until: number;
}

/** A span in which messages may be missing. Server time, Unix seconds. */
export interface BackupGap {
  kind: "gap";
  topic: number;
  from: number;
  to: number;
  forgot?: 1;
  cut?: 1;
}

/** The last line; a file without it was cut off. */
export interface BackupEnd {
  kind: "end";
  /** How many lines of messages there are. */
  messages: number;
  /** How many lines there are, with this one. */
  lines: number;
}

export type BackupLine =
  | BackupHeader
  | BackupServer
  | BackupTopic
  | BackupSetting
  | BackupView
  | SealedCredentials
  | BackupMessage
  | BackupTrace
  | BackupSequence
  | BackupGap
  | BackupEnd;

/** Stands for “for ever”, for which JSON has no number. */
export const FOREVER = "forever";

/** Writes a line, with its end. */
export function writeBackupLine(line: BackupLine): string {
  return `${JSON.stringify(line, (_, value: unknown) => (value === Infinity ? FOREVER : value))}\n`;
}

/** The line of a stored message. */
export function backupMessage(row: StoredMessage, topic: number): BackupMessage {
  const line: BackupMessage = {
    kind: "message",
    topic,
    event: row.event,
    via: row.via,
    receivedAtMs: row.receivedAtMs,
    ...(row.sequence !== undefined && { version: 1 }),
  };
  return copyMarks(row, line);
}

/** Copies the marks that are set. */
export function copyMarks<To extends Marks>(from: Marks, to: To): To {
  for (const mark of MARKS) if (from[mark] !== undefined) Object.assign(to, { [mark]: from[mark] });
  return to;
}
