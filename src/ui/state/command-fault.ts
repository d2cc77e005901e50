import type { CommandError } from "../../protocol";
import { appStrings } from "../strings";

/** Why a command was not carried out, in words that come when the first one fails. */
export async function commandFault(error: CommandError): Promise<string> {
  try {
    const { errorStrings } = await import("../strings/errors");
    return errorStrings.command(error);
  } catch {
    // Neither kept yet nor to be had without a network: the first visit, cut off within its first seconds.
    return appStrings.common.notLoaded;
  }
}
