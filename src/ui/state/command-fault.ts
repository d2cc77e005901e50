import type { CommandError } from "../../contract";
import { appStrings } from "../strings";

/** Why a command failed, as text for the user. The texts are loaded when the first command fails. */
export async function commandFault(error: CommandError): Promise<string> {
  try {
    const { errorStrings } = await import("../strings/errors");
    return errorStrings.command(error);
  } catch {
    // The texts are neither cached nor reachable: the network went away within the first seconds of the first visit.
    return appStrings.common.notLoaded;
  }
}
