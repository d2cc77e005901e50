import { untrack } from "svelte";
import { SvelteMap } from "svelte/reactivity";
import type { App } from "../../state/app.svelte";
import { absoluteUrl, isFileOf } from "../../../contract";
import { judgeLoad, type LoadPast, type LoadVerdict } from "./judge-load";
import type { Origin } from "../origin";

export type Loads = ReturnType<typeof loadsOf>;

/** How many messages are remembered, at most, until the page closes: what was pressed in them, and what failed. */
const MAX_MESSAGES = 5_000;
const messages = new Map<string, SvelteMap<string, LoadPast>>();

/**
 * After this many failed unasked loads from a server, no more of its files load unasked until the page closes: each
 * takes one of the few requests that its messages need (docs/protocol.md §11).
 */
const MAX_FAILURES = 10;
const failures = new Map<string, number>();

function pastOf(name: string): SvelteMap<string, LoadPast> {
  const past = messages.get(name) ?? new SvelteMap();
  messages.set(name, past);
  const [oldest] = messages.keys();
  if (messages.size > MAX_MESSAGES && oldest !== undefined) messages.delete(oldest);
  return past;
}

/** What a message points at: what may be done with it, and what became of it. @param id of the message */
export function loadsOf(app: App, origin: Origin, id: string) {
  const { address } = origin;
  const past = pastOf([address, origin.topic, id].join(" "));
  return {
    /** A new object each time. @param text an address as written in the message */
    judge(text: string): LoadVerdict {
      const before = past.get(absoluteUrl(text)?.href ?? "") ?? "untried";
      const unasked = (failures.get(address) ?? 0) < MAX_FAILURES ? origin.unasked : "nothing";
      const records = untrack(() => app.catalogue.servers);
      const headers = records.find((server) => server.address === address)?.headers;
      const servers = records.map((server) => server.address);
      return judgeLoad(text, { address, unasked, servers, appOrigin: location.origin, headers }, before);
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
