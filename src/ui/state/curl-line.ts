import type { ServerAddress } from "../../protocol";
import { aroundWords } from "../words/around";

/** A line for a terminal that publishes to the topic. Holds no credentials: those are the sender's to add. */
export function curlLine(address: ServerAddress, topic: string, message: string = aroundWords.curlSample): string {
  return `curl -d ${quoted(message)} ${address}/${topic}`;
}

/** In double quotes, as most shells agree on them; what means something inside is escaped. */
function quoted(text: string): string {
  return `"${text.replace(/[\\"$`]/g, "\\$&")}"`;
}
