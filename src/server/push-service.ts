/** Hosts of the push services of browsers (docs/protocol.md §15). */
const SERVICES = ["fcm.googleapis.com", "jmt17.google.com", "updates.push.services.mozilla.com", "web.push.apple.com"];
/** Domains of those whose hosts have a first label of their own. */
const SERVICES_BY_REGION = /^[^.]+\.(?:mozaws\.net|notify\.windows\.com)$/;
const LOOPBACK = ["127.0.0.1", "[::1]", "localhost"];

/**
 * Whether an endpoint is at a known push service. The host itself is compared, or anybody could have the server send
 * requests to any address, such as one in its own network.
 * @param allowLoopback also accepts http endpoints on this machine, for tests
 */
export function isAtPushService(endpoint: string, allowLoopback: boolean): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password } = new URL(endpoint);
  if (username !== "" || password !== "") return false;
  if (allowLoopback && protocol === "http:" && LOOPBACK.includes(hostname)) return true;
  return protocol === "https:" && port === "" && (SERVICES.includes(hostname) || SERVICES_BY_REGION.test(hostname));
}
