import type { LinkError } from "../../contract";
import { unreachable, type AddressError, type CredentialsError, type TopicNameError } from "../../protocol";
import { topicStrings } from "../strings/topics";

/** What is wrong with a topic name, in words for beside its field. */
export function topicFault(error: TopicNameError): string {
  const strings = topicStrings.nameFaults;
  switch (error.kind) {
    case "empty":
      return strings.empty;
    case "too-long":
      return strings.long(error.length);
    case "bad-character":
      return strings.character(error.character);
    case "reserved":
      return strings.reserved(error.name);
    default:
      return unreachable(error);
  }
}

/** What is wrong with an address as typed. */
export function addressFault(error: AddressError): string {
  return topicStrings.addressFaults[error.kind];
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

/** What is wrong with credentials as typed. */
export function credentialsFault(error: CredentialsError): string {
  return topicStrings.credentials.faults[error.kind][error.problem];
}
