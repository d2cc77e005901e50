import { parsePastedTopic, type LinkError } from "../../contract";
import { checkTopicName, type ServerAddress } from "../../protocol";
import { topicStrings } from "../strings/topics";
import { topicFault } from "./faults";

/** Topics to add, all of one server. */
export interface NamedTopics {
  /** Absent = on the server of the form. */
  address?: ServerAddress;
  topics: string[];
}

/** What is wrong with one of the names that were typed, in words. */
export interface NameFault {
  typed: string;
  said: string;
}

/**
 * Reads what was typed or pasted as the names of topics, separated by spaces, commas or lines, each a name or an address with
 * one or several names. Topics of one server stand together, each once.
 */
export function readNames(text: string): { named: NamedTopics[]; faults: NameFault[] } {
  const named = new Map<ServerAddress | undefined, Set<string>>();
  const faults: NameFault[] = [];
  const add = (address: ServerAddress | undefined, topics: readonly string[]): void => {
    const there = named.get(address) ?? new Set();
    for (const topic of topics) there.add(topic);
    named.set(address, there);
  };
  for (const typed of namesIn(text)) {
    if (isAddress(typed)) {
      const read = parsePastedTopic(typed);
      if (read.ok) add(read.value.address, read.value.topics);
      else faults.push({ typed, said: addressFaultOf(read.error) });
    } else {
      const name = checkTopicName(typed);
      if (name.ok) add(undefined, [name.value]);
      else faults.push({ typed, said: topicFault(name.error) });
    }
  }
  return {
    named: [...named].map(([address, topics]) => ({ ...(address !== undefined && { address }), topics: [...topics] })),
    faults,
  };
}

/** A comma after an address goes on with topics of its server, unless another address follows. */
function namesIn(text: string): string[] {
  return text
    .split(/[\s;]+/)
    .flatMap((part) => part.split(/,(?=[^,]*[/:])/))
    .flatMap((part) => (isAddress(part) ? [part.replace(/,$/, "")] : part.split(",")))
    .filter(Boolean);
}

function isAddress(typed: string): boolean {
  return /[/:]/.test(typed);
}

function addressFaultOf(error: LinkError): string {
  const strings = topicStrings.addressFaults;
  switch (error.kind) {
    case "topic":
      return topicFault(error.error);
    case "address":
      return strings[error.error];
    case "credentials":
      return strings.credentials;
    default:
      return strings["not-an-address"];
  }
}
