import type { ServerStatus } from "../../../contract";
import { toMs } from "../../../protocol";

/** A message named by a link, until it is found here. */
export interface LinkedMessage {
  id: string;
  /** Unix seconds. */
  at: number;
  /** When the link was followed. Device clock, ms. */
  sinceMs: number;
  /** Whether the user was told that it isn't here. It may still come. */
  isMissed: boolean;
}

/** Whether nothing under way at its server can bring the message, so that "it isn't here" stays true for a while. */
export function isSettled({ at, sinceMs }: LinkedMessage, status: ServerStatus | undefined): boolean {
  switch (status?.state.kind) {
    case undefined:
    case "idle":
    case "connecting":
      return false;
    case "live":
      // A complete check after that second would have brought it.
      return (status.lastCompleteAtMs ?? 0) > Math.min(toMs(at + 1), sinceMs);
    default:
      return true;
  }
}
