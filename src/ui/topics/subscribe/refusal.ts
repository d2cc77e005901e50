import type { CommandError } from "../../../contract";
import { isTopicCode } from "../../../protocol";
import { commandText } from "../../strings";

/** The errors of a form, as text, by the field to correct. */
export interface Faults {
  topic?: string;
  server?: string;
  credentials?: string;
  headers?: string;
  /** An error that no field can correct. */
  other?: string;
}

/** Puts a command's error beside the field it concerns. */
export function refusal(error: CommandError): Faults {
  const strings = commandText(error);
  if (error.kind === "invalid") {
    const { field } = error;
    return field === "message" || field === "view" || field === "setting" ? { other: strings } : { [field]: strings };
  }
  if (error.kind !== "failed") return { other: strings };
  switch (error.why.kind) {
    case "unauthorized":
    case "forbidden":
      return { credentials: strings };
    case "busy":
      return { other: strings };
    case "http":
      return isTopicCode(error.why.code) ? { topic: strings } : { server: strings };
    default:
      return { server: strings };
  }
}
