// Facts of a server that both of its dialogs show.
import type { ServerRecord } from "../../../client";
import type { ServerStatus } from "../../../contract";
import { type Failure, toMs } from "../../../protocol";
import { duration } from "../../strings";

/** Why a server isn't received; undefined if it is, or if nothing failed yet. */
export function whyNotReceived(status: ServerStatus | undefined): Failure | undefined {
  return status && "why" in status.state ? status.state.why : undefined;
}

/** When everything was last known to be complete, device clock, ms; undefined = never. */
export function completeAtMs(server: ServerRecord | undefined, status: ServerStatus | undefined): number | undefined {
  return status?.lastCompleteAtMs ?? server?.lastCompleteAtMs;
}

/** How long a server keeps messages, as text. */
export function keptText(
  server: ServerRecord | undefined,
  strings: { readonly unknown: string; readonly keepsNothing: string },
): string {
  const seconds = server?.retentionS;
  if (seconds === undefined) return strings.unknown;
  return seconds === 0 ? strings.keepsNothing : duration(toMs(seconds));
}
