import { passingReader, StoreFailure, type Reader } from "../store";
import type { HubConnection } from "./hub-connection";

/**
 * Reads through the hub, for a page whose database can't be opened: rows are in the hub's memory (docs/design.md §3).
 */
export function portReader(hub: Pick<HubConnection, "send">): Reader {
  return passingReader(async (method, args) => {
    const answer = await hub.send("read", { method, args });
    if (answer.ok) return answer.value;
    const { kind, text = kind }: { kind: string; text?: string } = answer.error;
    throw new StoreFailure({ kind: kind === "quota" ? kind : "failed", text });
  });
}
