import type { BackupFault, CommandError } from "../../contract";
import { count } from "./format";

/** What a language says of a backup that isn't read or taken over. */
export interface BackupWords {
  notABackup: string;
  /** @param version of the format */
  newer: (version: string) => string;
  cut: string;
  badLine: (line: string) => string;
  busy: string;
  ended: string;
  changed: string;
  quota: string;
  /** Follows what is said of any other failure. */
  nothingKept: string;
}

/** Writes why a backup isn't read or taken over; what else failed is said as of any command. */
export function backupFaultsIn(words: BackupWords, command: (error: CommandError) => string) {
  return (why: BackupFault): string => {
    switch (why.kind) {
      case "not-a-backup":
        return words.notABackup;
      case "newer-backup":
        return words.newer(String(why.version));
      case "cut-backup":
        return words.cut;
      case "bad-line":
        return words.badLine(count(why.line));
      case "busy-import":
        return words.busy;
      case "ended-import":
        return words.ended;
      case "changed-meanwhile":
        return words.changed;
      case "quota":
        return words.quota;
      default:
        return `${command(why)} ${words.nothingKept}`;
    }
  };
}
