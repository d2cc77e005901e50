import type { CommandError, LinkError } from "../../../contract";
import {
  isTopicCode,
  unreachable,
  type Credentials,
  type CredentialsError,
  type TopicNameError,
} from "../../../protocol";
import { commandText, serverStrings, topicStrings } from "../../strings";

export function topicFault(error: TopicNameError): string {
  const strings = topicStrings.nameFaults;
  switch (error.kind) {
    case "empty":
      return strings.empty;
    case "too-long":
      return strings.long({ length: error.length });
    case "bad-character":
      return error.character.trim() === "" ? strings.space : strings.character({ character: error.character });
    case "reserved":
      return strings.reserved({ name: error.name });
    default:
      return unreachable(error);
  }
}

/** What is wrong with a link or an address that should name a topic. */
export function linkFault(error: LinkError): string {
  const strings = topicStrings.addressFaults;
  switch (error.kind) {
    case "topic":
      return topicFault(error.error);
    case "address":
      return strings[error.error];
    case "credentials":
    case "no-topic":
    case "too-long":
      return strings[error.kind];
    case "filter":
    case "parameter":
    case "message":
      return strings.filter;
    default:
      return strings["not-an-address"];
  }
}

export function credentialsFault(error: CredentialsError): string {
  return topicStrings.credentials.faults[error.kind][error.problem];
}

/** What is wrong with a line of extra headers; 0 = there are too many. */
export function headersFaultText(line: number): string {
  const { tooMany, fault } = serverStrings.headers;
  return line === 0 ? tooMany : fault({ line: String(line) });
}

/** A fault as a sentence that names what is wrong. @param what a name, as typed */
export function faultOf(what: string, text: string): string {
  const strings = topicStrings.add;
  return strings.faultOf({ what, text: /[.!?。！？؟]$/.test(text) ? text : text + strings.fullStop });
}

/** The errors of a form, as text, by the field to correct. */
export interface Faults {
  topic?: string;
  server?: string;
  credentials?: string;
  headers?: string;
  /** An error that no field can correct. */
  other?: string;
}

/** Puts a command's error beside the field it concerns. @param credentials those sent to the server */
export function refusal(error: CommandError, credentials?: Credentials): Faults {
  const strings = commandText(error, credentials?.kind === "basic" ? credentials.user : undefined);
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
