// Files of messages that are kept on this device, available offline and after their server deleted them.
import { isJsonObject } from "../protocol";
import type { MessageKey } from "./stored-message";

/** How files are kept; absent in the settings = they aren't. */
export interface KeepFiles {
  /** The largest file to keep, MB (10⁶ bytes); 0 = none, except in topics that say otherwise. */
  eachMb: number;
  /** How much all of them together may take, MB. */
  allMb: number;
}

/** Until the user chooses, no file is kept. */
export const KEEP_FILES_OFF: Readonly<KeepFiles> = { eachMb: 0, allMb: 500 };

export const FILE_SIZES_MB: readonly number[] = [1, 5, 15, 50, 200];

/** The most that can be set for all files, MB. */
export const MAX_FILES_MB = 1_000_000;

/** Reads the setting as it is stored. */
export function decodeKeepFiles(value: unknown): KeepFiles {
  const { eachMb, allMb }: Partial<Record<keyof KeepFiles, unknown>> = isJsonObject(value) ? value : {};
  return {
    eachMb: isMegabytes(eachMb) ? eachMb : KEEP_FILES_OFF.eachMb,
    allMb: isMegabytes(allMb) && allMb > 0 ? allMb : KEEP_FILES_OFF.allMb,
  };
}

function isMegabytes(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_FILES_MB;
}

export type WhyNotKept =
  /** The server no longer has it. */
  | "gone"
  /** The server asks for a sign-in, or refuses the present one. */
  | "refused"
  | "too-large"
  /** All files together would exceed the limit. */
  | "no-room"
  /** The browser has no more room. */
  | "disk-full"
  /** The user deleted what was kept. */
  | "deleted"
  /** No answer, or one that wasn't the file. */
  | "failed";

/** What became of a message's file. Times are device clock, ms. */
export type KeptFileState =
  | { kind: "kept"; bytes: number; atMs: number }
  | {
      kind: "not-kept";
      why: WhyNotKept;
      /** When it was last tried. */
      atMs: number;
      tries: number;
      /** For `too-large`: its size, or a lower bound. */
      bytes?: number;
    };

/** The space of one topic's files, and how many aren't kept, by reason. */
export interface FileUse {
  subId: number;
  files: number;
  bytes: number;
  notKept: Partial<Record<WhyNotKept, number>>;
}

export const FILE_CACHE = "earshot-files";

/** A file's name in the cache: an address that serves nothing. */
export function keptFileName([subId, , id]: MessageKey): string {
  return `https://files.invalid/${String(subId)}/${encodeURIComponent(id)}`;
}

/** The field of a kept file with the type given by its server; its own type is always one that is safe to show. */
export const SAID_TYPE_FIELD = "Said-Type";

/**
 * The type that a file may be shown with: that of a picture, sound or film, without parameters. Anything else is plain
 * bytes, so that opened on its own it is never a document of the app's origin. Of a list (`image/png;x, text/html`)
 * browsers take the last type, so only the first is kept; and an XML type is a document.
 */
export function safeType(type: string): string {
  return /^(?:image|audio|video)\/(?!svg)[\w.-]+(?=\s*(?:;|$))/i.exec(type)?.[0] ?? "application/octet-stream";
}
