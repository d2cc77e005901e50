import { isCurlCommand, type LinkedTopics, parsePastedTopic } from "../../../contract";
import { checkTopicName, type ServerAddress } from "../../../protocol";
import { linkFault, topicFault } from "../server/faults";
import { hasScheme } from "../server/check-server";

/** Topics to add, all of one server. */
export interface NamedTopics extends Omit<LinkedTopics, "address"> {
  /** Absent = on the server of the form. */
  address?: ServerAddress;
  /** Whether the address was typed without a scheme each time. */
  isAssumed?: true;
}

/** What is wrong with a typed name, in words. */
export interface NameFault {
  typed: string;
  faultText: string;
}

/**
 * Reads typed or pasted topic names, separated by commas or lines, each a name or an address with names; or a curl
 * command. Topics of one server are together, each once. A name with spaces is a fault: it may be one or several.
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
      // A single name wouldn't tell several topics apart.
      ...(label !== undefined && all.length === 1 && { displayName: label }),
    });
  };
  // Copied text may hold invisible characters, which no name or address has.
  const seen = text.replace(/\p{Cf}/gu, "");
  for (const typed of isCurlCommand(seen) ? [seen.trim()] : namesIn(seen)) {
    if (isAddress(typed) || isCurlCommand(typed)) {
      const read = parsePastedTopic(typed);
      const isAssumed = !hasScheme(typed) && !isCurlCommand(typed);
      if (read.ok) add({ ...read.value, ...(isAssumed && { isAssumed }) });
      else faults.push({ typed, faultText: linkFault(read.error) });
    } else {
      const name = checkTopicName(typed);
      if (name.ok) add({ topics: [name.value] });
      else faults.push({ typed, faultText: topicFault(name.error) });
    }
  }
  return { named: [...named.values()], faults };
}

/** A comma after an address continues with topics of its server, unless another address follows; a space ends it. */
function namesIn(text: string): string[] {
  return text
    .split(/[\r\n;]+/)
    .flatMap((line) => (isAddress(line) ? line.split(/\s+/) : [line]))
    .flatMap((part) => part.split(/,(?=[^,]*[/:])/))
    .flatMap((part) => (isAddress(part) ? [part.replace(/,$/, "")] : part.split(",")))
    .map((name) => name.trim())
    .filter(Boolean);
}

function isAddress(typed: string): boolean {
  return /[/:]/.test(typed);
}
