import type { ServerRecord } from "../../../client";
import type { CommandError } from "../../../contract";
import { ok, type Result, type ServerAddress } from "../../../protocol";
import { pushesOf } from "../../alerts/push.svelte";
import type { App } from "../../state/app.svelte";
import { rewriteLinks } from "../../state/host";
import { fragmentOf, routeOf } from "../../state/navigation/route";
import type { View } from "../../state/navigation/view";

/**
 * Moves a server, with its pushes, saved views and columns, to an address that is known to be free.
 * @returns `lacksPushes`: pushes were on, and could not be turned on at the new address
 */
export async function moveServer(
  app: App,
  serverId: number,
  move: { address: ServerAddress; keepsSignIn: boolean },
): Promise<Result<{ lacksPushes: boolean }, CommandError>> {
  const pushes = pushesOf(app);
  const hadPushes = pushes?.state(serverId) !== undefined;
  // The browser's registrations are named after the old address. The hub ends the server's, which may be gone.
  if (hadPushes) await pushes.endRegistrations(serverId);
  const done = await app.client.send("patchServer", { serverId, move });
  await app.catalogue.readAgain();
  // Other links are redirected.
  const { servers } = app.catalogue;
  if (done.ok) await rewriteLinks(app, (link) => leadOn(link, app.navigation.home, servers) ?? link);
  // If the move failed, they continue at the old address.
  const lacksPushes = hadPushes && !(await pushes.turnOn(serverId)).ok;
  return done.ok ? ok({ lacksPushes }) : done;
}

/** Redirects links with a server's former address to the present one, for the life of the page. */
export function followMoves(app: App): void {
  $effect.root(() => {
    $effect(() => {
      // Read for the effect's sake: the address itself isn't state.
      void app.navigation.view;
      const onwards = leadOn(location.hash, app.navigation.home, app.catalogue.servers);
      if (onwards !== undefined) location.replace(onwards);
    });
  });
}

type KnownAddresses = readonly Pick<ServerRecord, "address" | "formerAddresses">[];

/** The present address of a server that had this one; the address itself if none had it, or one has it now. */
export function presentAddress(address: ServerAddress, servers: KnownAddresses): ServerAddress {
  if (servers.some((server) => server.address === address)) return address;
  return servers.find(({ formerAddresses }) => formerAddresses?.includes(address))?.address ?? address;
}

/** The link with present addresses; undefined if it names no server that has moved. @param fragment `#/…` */
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
