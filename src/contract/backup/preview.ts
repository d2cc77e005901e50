// What the hub says about a backup before it is imported.
import type { ServerAddress } from "../../protocol";
import type { CommandError } from "../commands";
import type { SealedCredentials } from "./lines";

/** A backup that is being read or imported. */
export interface ImportedFile {
  importId: string;
  file: Blob;
  by: "link" | "file";
}

/** What a backup would change here, shown before anything changes. */
export interface BackupPreview {
  /** When it was made, by the clock of its device, ms. */
  madeAtMs: number;
  /** Addresses of servers that no topic here is on. */
  newServers: ServerAddress[];
  newTopics: {
    server: ServerAddress;
    topic: string;
    displayName?: string;
    /** What it says about muting and retention, applied only if chosen. */
    rules: { name: string; to: unknown }[];
  }[];
  /** How many of its topics are here already. */
  knownTopics: number;
  /** Names of saved views that aren't here. */
  newViews: string[];
  /** Settings that are different here. `isByHand`: it may delete or silence messages. */
  settings: { name: string; from: unknown; to: unknown; isByHand?: true }[];
  /** Names of settings, of topics too, that are left out: unreadable, or not allowed in a link. */
  refused: { why: "unreadable" | "link"; name: string }[];
  /** How many of its messages would be added, are here already, or were deleted here and stay deleted. */
  messages: { added: number; known: number; deleted: number };
  /** How many of those to be added retention would soon remove, by this device's rules and by the backup's. */
  outdated: { here: number; there: number };
  /** How many lines can't be read and would be left out. */
  unreadable: number;
  sealed?: SealedCredentials;
}

/** Why a backup isn't read or imported; nothing of it is kept. */
export type BackupFault =
  | { kind: "not-a-backup" }
  | { kind: "newer-backup"; version: number }
  /** The file's end is missing or can't be read: the file was moved, or its disk is gone. */
  | { kind: "cut-backup" }
  /** A line that others depend on is wrong; lines count from 1. */
  | { kind: "bad-line"; line: number }
  /** The user cancelled it. */
  | { kind: "ended-import" }
  | CommandError;
