import { unreachable, type AddressError, type CredentialsError, type TopicNameError } from "../../protocol";
import { topicWords } from "../words/topics";

/** What is wrong with a topic name, in words for beside its field. */
export function topicFault(error: TopicNameError): string {
  const said = topicWords.nameFaults;
  switch (error.kind) {
    case "empty":
      return said.empty;
    case "too-long":
      return said.long(error.length);
    case "bad-character":
      return said.character(error.character);
    case "reserved":
      return said.reserved(error.name);
    default:
      return unreachable(error);
  }
}

/** What is wrong with an address as typed. */
export function addressFault(error: AddressError): string {
  return topicWords.addressFaults[error.kind];
}

/** What is wrong with credentials as typed. */
export function credentialsFault(error: CredentialsError): string {
  return topicWords.credentials.faults[error.kind][error.problem];
}
