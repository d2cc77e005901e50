import type { LinkedTopics } from "../../contract";
import type { Credentials } from "../../protocol";

/** What a link brought besides its topics: it is shown before anything of it is used, and only once. */
export interface Brought extends Pick<LinkedTopics, "address" | "topics" | "displayName"> {
  credentials?: Credentials;
}

let brought: Brought | undefined;

/** Keeps what a link brought for the screen that asks about its topics, in memory alone. */
export function bring(found: Brought): void {
  brought = found;
}

/** What the link that led here brought; from then on it is gone. */
export function takeBrought(): Brought | undefined {
  const taken = brought;
  brought = undefined;
  return taken;
}

let opened: string | undefined;

/** Keeps the text of a link from elsewhere, in memory alone, while the address is rid of it. */
export function keepOpened(text: string): void {
  opened = text;
}

/** The text that was kept; from then on it is gone. */
export function takeOpened(): string | undefined {
  const taken = opened;
  opened = undefined;
  return taken;
}
