import type { ServerAddress } from "../../protocol";
import { formatLink, parseLink } from "./app-links";

/**
 * Rewrites a link for when links that name no server come to mean another one, so that it still leads where it led. A
 * link that can't be read stays as it is.
 */
export function moveLink(fragment: string, from: ServerAddress, to: ServerAddress): string {
  const link = parseLink(fragment, from);
  if (!link.ok) return fragment;
  const { scope } = link.value;
  // The topics of several servers are links of their own within the link.
  if (scope.kind === "own" && scope.name === "several" && scope.rest !== undefined) {
    const rest = scope.rest.split("+").map((part) => moveLink(`#/${part}`, from, to).slice("#/".length));
    return formatLink({ ...link.value, scope: { ...scope, rest: rest.join("+") } }, to);
  }
  return formatLink(link.value, to);
}
