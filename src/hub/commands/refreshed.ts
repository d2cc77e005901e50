import type { Commands, MessageKey } from "../../contract";
import { fail, type Failure, ok, type Result } from "../../protocol";
import type { CaughtUp } from "../catch-up-group";
import { failed } from "./context";

/** At most this many of the messages that were missing are named: more than anyone looks through one by one. */
const MAX_FOUND = 50;

/** The answer to `refresh`, of what the catch-up found. */
export function refreshed(result: Result<CaughtUp, Failure | { kind: "storage" }>): Commands["refresh"]["output"] {
  if (!result.ok) return fail(result.error.kind === "storage" ? { kind: "storage", text: "" } : failed(result.error));
  const { found, hasForgotten } = result.value;
  return ok({ missing: found.length, found: newestOf(found), ...(hasForgotten && { forgot: true }) });
}

function newestOf(keys: MessageKey[]): MessageKey[] {
  return keys.sort((a, b) => b[1] - a[1]).slice(0, MAX_FOUND);
}
