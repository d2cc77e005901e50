import type { BackupFault, CommandError } from "../../contract";
import { count } from "./format";

/** What a language says of a backup that isn't read or taken over. */
export interface BackupFaultStrings {
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
export function backupFaultTextFrom(strings: BackupFaultStrings, command: (error: CommandError) => string) {
  return (why: BackupFault): string => {
    switch (why.kind) {
      case "not-a-backup":
        return strings.notABackup;
      case "newer-backup":
        return strings.newer(String(why.version));
      case "cut-backup":
        return strings.cut;
      case "bad-line":
        return strings.badLine(count(why.line));
      case "busy-import":
        return strings.busy;
      case "ended-import":
        return strings.ended;
      case "changed-meanwhile":
        return strings.changed;
      case "quota":
        return strings.quota;
      default:
        return `${command(why)} ${strings.nothingKept}`;
    }
  };
}
