import type { CommandError } from "../../protocol";
import { errorWords } from "../words/errors";

/** What is wrong with a form, in words, by the field that one would change. */
export interface Faults {
  topic?: string;
  server?: string;
  credentials?: string;
  /** Nothing that a field could mend. */
  other?: string;
}

/** Puts the answer to a command beside the field that it is about. */
export function refusal(error: CommandError): Faults {
  const said = errorWords.command(error);
  if (error.kind === "invalid") {
    const { field } = error;
    return field === "message" || field === "view" ? { other: said } : { [field]: said };
  }
  if (error.kind !== "failed") return { other: said };
  switch (error.why.kind) {
    case "unauthorized":
    case "forbidden":
      return { credentials: said };
    case "busy":
      return { other: said };
    default:
      return { server: said };
  }
}
