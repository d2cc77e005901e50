import { isCurlCommand, parsePastedTopic, type Filter } from "../../contract";
import { checkTopicName, type ServerAddress } from "../../protocol";
import { linkFault, topicFault } from "./faults";
import { hasScheme } from "./plain-address";

/** Topics to add, all of one server. */
export interface NamedTopics {
  /** Absent = on the server of the form. */
  address?: ServerAddress;
  /** The address was typed without a scheme each time. */
  isAssumed?: true;
  topics: string[];
  /** The filter of a link; absent if topics of several links stand together. */
  filter?: Filter;
  /** What the link calls the only topic. */
  displayName?: string;
}

/** What is wrong with one of the names that were typed, in words. */
export interface NameFault {
  typed: string;
  said: string;
}

/**
 * Reads what was typed or pasted as the names of topics, separated by spaces, commas or lines, each a name or an address with
 * one or several names; or as one command line of curl. Topics of one server stand together, each once.
 */
export function readNames(text: string): { named: NamedTopics[]; faults: NameFault[] } {
  const named = new Map<ServerAddress | undefined, NamedTopics>();
  const faults: NameFault[] = [];
  const add = ({ address, isAssumed, topics, filter, displayName }: NamedTopics): void => {
    const there = named.get(address);
    const all = [...new Set([...(there?.topics ?? []), ...topics])];
    const label = there?.displayName ?? displayName;
    named.set(address, {
      ...(address !== undefined && { address }),
      ...(isAssumed && (!there || there.isAssumed) && { isAssumed }),
      topics: all,
      ...(filter && !there && { filter }),
      // One name for several topics would tell them apart no more.
      ...(label !== undefined && all.length === 1 && { displayName: label }),
    });
  };
  // What is copied from a page or a chat may hold characters that nobody sees, and no name or address does.
  const seen = text.replace(/\p{Cf}/gu, "");
  for (const typed of isCurlCommand(seen) ? [seen.trim()] : namesIn(seen)) {
    if (isAddress(typed) || isCurlCommand(typed)) {
      const read = parsePastedTopic(typed);
      const isAssumed = !hasScheme(typed) && !isCurlCommand(typed);
      if (read.ok) add({ ...read.value, ...(isAssumed && { isAssumed }) });
      else faults.push({ typed, said: linkFault(read.error) });
    } else {
      const name = checkTopicName(typed);
      if (name.ok) add({ topics: [name.value] });
      else faults.push({ typed, said: topicFault(name.error) });
    }
  }
  return { named: [...named.values()], faults };
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
