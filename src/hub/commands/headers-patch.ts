import type { ExtraHeaders } from "../../protocol";
import type { ServerPatch } from "../../store";

/** What extra headers change: browsers send none with a WebSocket, so messages come as JSON lines. */
export function headersPatch(headers: ExtraHeaders): ServerPatch {
  return Object.keys(headers).length > 0 ? { headers, chosenTransport: "json" } : { headers: null };
}
