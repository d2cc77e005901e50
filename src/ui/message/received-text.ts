import type { StoredMessage } from "../../contract";
import { toMs } from "../../protocol";
import { delay, timeOfDay } from "../strings";
import { messageStrings } from "../strings/message";

/** Beyond this the two clocks disagree, or the message was long under way: a number would say neither, ms. */
const MAX_DELAY_MS = 600_000;

/** When and how a message came: "02:14:08, live (1.1 s)". The delay only where it came live and the clocks agree. */
export function receivedText(row: StoredMessage): string {
  const strings = messageStrings.details;
  const delayMs = row.receivedAtMs - toMs(row.time);
  const isTelling = row.via === "stream" && delayMs >= 0 && delayMs < MAX_DELAY_MS;
  return strings.receivedValue(
    timeOfDay(row.receivedAtMs),
    strings.via[row.via],
    isTelling ? delay(delayMs) : undefined,
  );
}
