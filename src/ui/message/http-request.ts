import type { HttpAction } from "../../protocol";
import { webLink } from "../../contract";
import { visible } from "./raw-json";

/** The method that is sent (docs/protocol.md §6: POST unless said otherwise). */
export function methodOf(action: HttpAction): string {
  return (action.method || "POST").toUpperCase();
}

/** The address as it will be requested; undefined if a browser can't request it. */
export function addressOf(action: HttpAction): string | undefined {
  return webLink(action.url);
}

/** What the request is, as one reads it in a terminal: method and address, then the body. Nothing in it hides. */
export function requestLines(action: HttpAction): string {
  const line = `${methodOf(action)} ${addressOf(action) ?? visible(action.url)}`;
  return action.body ? `${line}\n${visible(action.body)}` : line;
}
