import type { ServerStatus } from "../../protocol";

/** A message that a link names, until it is found here. */
export interface LinkedMessage {
  id: string;
  /** Its time, Unix seconds. */
  at: number;
  /** When the link was followed. Device clock, ms. */
  sinceMs: number;
  /** The user has been told that it isn't here. It may still come. */
  isMissed: boolean;
}

/**
 * Whether nothing in progress at its server can bring the message, so that "it isn't here" will stay true for a while.
 */
export function isSettled({ at, sinceMs }: LinkedMessage, status: ServerStatus | undefined): boolean {
  switch (status?.state.kind) {
    case undefined:
    case "idle":
    case "connecting":
      return false;
    case "live":
      // A complete check after its second would have brought it.
      return (status.lastCompleteAtMs ?? 0) > Math.min((at + 1) * 1000, sinceMs);
    default:
      return true;
  }
}
