import type { ServerRecord } from "../../../client";
import type { ServerAddress } from "../../../protocol";
import { fragmentOf, routeOf } from "../../state/navigation/route";
import type { View } from "../../state/navigation/view";

type KnownAddresses = readonly Pick<ServerRecord, "address" | "formerAddresses">[];

/** The present address of a server that had this one; the address itself if none had it, or one has it now. */
export function presentAddress(address: ServerAddress, servers: KnownAddresses): ServerAddress {
  if (servers.some((server) => server.address === address)) return address;
  return servers.find(({ formerAddresses }) => formerAddresses?.includes(address))?.address ?? address;
}

/**
 * The link with present addresses of moved servers; undefined if it names none. A saved view's link names no server.
 * @param fragment `#/…`
 */
export function leadOn(fragment: string, home: ServerAddress, servers: KnownAddresses): string | undefined {
  const route = routeOf(fragment, home);
  if (route.view.kind === "bad-link") return undefined;
  const onwards = fragmentOf({ ...route, view: moved(route.view, servers) }, home);
  return onwards === fragmentOf(route, home) ? undefined : onwards;
}

function moved<Shown extends View>(view: Shown, servers: KnownAddresses): Shown {
  switch (view.kind) {
    case "server":
    case "topics":
    case "raw":
      return { ...view, server: presentAddress(view.server, servers) };
    case "several":
      return { ...view, parts: view.parts.map((part) => ({ ...part, server: presentAddress(part.server, servers) })) };
    case "columns":
    case "wall":
      return { ...view, parts: view.parts.map((part) => ({ ...part, view: moved(part.view, servers) })) };
    default:
      return view;
  }
}
