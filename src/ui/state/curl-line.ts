import type { ServerAddress } from "../../protocol";
import { deferredShellStrings } from "../strings/deferred-shell";
import { shellLine } from "./shell-line";

/** A line for a terminal that publishes to the topic. Holds no credentials: those are the sender's to add. */
export function curlLine(
  address: ServerAddress,
  topic: string,
  message: string = deferredShellStrings.curlSample,
): string {
  return shellLine("curl", "-d", message, `${address}/${topic}`);
}
