import type { ServerStatus } from "../../protocol";

/** A message that a link names, until it is found here. */
export interface LinkedMessage {
  id: string;
  /** Its time, Unix seconds. */
  at: number;
  /** When the link was followed, device clock, ms. */
  sinceMs: number;
  /** It was said that it is not here. It may come all the same. */
  isMissed: boolean;
}

/** Whether nothing under way at its server will bring the message: to say that it is not here would be true for a while. */
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
