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

/** What is wrong with credentials as typed. */
export function credentialsFault(error: CredentialsError): string {
  return topicStrings.credentials.faults[error.kind][error.problem];
}
