import { untrack } from "svelte";
import { SvelteMap } from "svelte/reactivity";
import type { App } from "../../state/app.svelte";
import { absoluteUrl, isFileOf } from "../../../contract";
import { judgeLoad, type LoadPast, type LoadVerdict } from "./judge-load";
import type { Origin } from "../origin";

export type Loads = ReturnType<typeof loadsOf>;

interface Known {
  /** What was pressed, and what failed. */
  past: SvelteMap<string, LoadPast>;
  /** Verdicts by address, so the same question returns the same object and causes no redraw. */
  verdicts: Map<string, LoadVerdict>;
}

/** How many messages are remembered, at most, until the page closes. */
const MAX_MESSAGES = 5_000;
const messages = new Map<string, Known>();

/**
 * After this many failed unasked loads from a server, no more of its files load unasked until the page closes: each
 * takes one of the few requests that its messages need (docs/protocol.md §11).
 */
const MAX_FAILURES = 10;
const failures = new Map<string, number>();

function knownOf(name: string): Known {
  const known = messages.get(name) ?? { past: new SvelteMap(), verdicts: new Map() };
  messages.set(name, known);
  const [oldest] = messages.keys();
  if (messages.size > MAX_MESSAGES && oldest !== undefined) messages.delete(oldest);
  return known;
}

/** What a message points at: what may be done with it, and what became of it. @param id of the message */
export function loadsOf(app: App, origin: Origin, id: string) {
  const { address } = origin;
  const { past, verdicts } = knownOf([address, origin.topic, id].join(" "));
  return {
    /** @param text an address as written in the message */
    judge(text: string): LoadVerdict {
      const before = past.get(absoluteUrl(text)?.href ?? "") ?? "untried";
      const unasked = (failures.get(address) ?? 0) < MAX_FAILURES ? origin.unasked : "nothing";
      const records = untrack(() => app.catalogue.servers);
      const headers = records.find((server) => server.address === address)?.headers;
      const question = [before, unasked, JSON.stringify(headers), text].join(" ");
      const known = verdicts.get(question);
      if (known) return known;
      const servers = records.map((server) => server.address);
      const verdict = judgeLoad(text, { address, unasked, servers, appOrigin: location.origin, headers }, before);
      verdicts.set(question, verdict);
      return verdict;
    },
    /** The user pressed it: from now on it loads in this message. */
    press: (href: string) => void past.set(href, "pressed"),
    /** It couldn't be loaded or shown, and now waits for a press. */
    fail(href: string): void {
      const isUnasked = !past.has(href) && isFileOf(href, address);
      if (isUnasked) failures.set(address, (failures.get(address) ?? 0) + 1);
      past.set(href, "failed");
    },
  };
}
