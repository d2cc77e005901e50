import type { ServerAddress } from "../../protocol";
import { aroundWords } from "../words/around";
import { shellLine } from "./shell-line";

/** A line for a terminal that publishes to the topic. Holds no credentials: those are the sender's to add. */
export function curlLine(address: ServerAddress, topic: string, message: string = aroundWords.curlSample): string {
  return shellLine("curl", "-d", message, `${address}/${topic}`);
}
