import type { ServerAddress } from "../../protocol";
import { deferredShellStrings } from "../strings/deferred-shell";
import { shellLine } from "./shell-line";

/** A `curl` command that publishes to the topic. It holds no credentials: the sender adds their own. */
export function curlLine(
  address: ServerAddress,
  topic: string,
  message: string = deferredShellStrings.curlSample,
): string {
  return shellLine("curl", "-d", message, `${address}/${topic}`);
}
