import { openingLink, parseLink } from "../../contract";
import { deviceStrings } from "../strings";

/** What such a link's payload begins with, behind `#/~open/`. */
export const DEVICES = "devices:";

/** The link that opens an invitation in this app on another device. */
export const invitationLink = (invitation: string): string => openingLink(`${DEVICES}${invitation}`, location.href);

/** The invitation in a pasted link, wherever the app is that made it; undefined if there is none. */
export function invitationIn(text: string): string | undefined {
  const link = parseLink(text.trim().replace(/^[^#]*/, ""), undefined);
  const rest = link.ok && link.value.scope.kind === "own" && link.value.scope.name === "open" && link.value.scope.rest;
  return rest && rest.startsWith(DEVICES) ? rest.slice(DEVICES.length) : undefined;
}

const SYSTEMS = ["iPhone", "iPad", "Android", "Windows", "Mac", "Linux"];

/** What to call this device until its user says otherwise: by its system. */
export function deviceName(agent = navigator.userAgent): string {
  return SYSTEMS.find((system) => agent.includes(system)) ?? deviceStrings.unnamed;
}
