import { addressHost, isHttps, parseServerAddress, type ServerAddress } from "../../../protocol";

/** Names of local networks (RFC 6762, RFC 8375, RFC 6761), and those without a dot. */
const LOCAL_NAME = /^[^.:[\]]+$|\.(?:local|home\.arpa|localhost)$/;

/** Private, link-local and loopback addresses (RFC 1918, RFC 3927, RFC 1122). */
const LOCAL_V4 = /^(?:10|127|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){1,3}$/;

/** The same for IPv6: loopback, unique local (RFC 4193) and link-local (RFC 4291). */
const LOCAL_V6 = /^\[(?:::1|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/;

/** Whether an address was typed with its scheme; otherwise https is assumed. */
export function hasScheme(text: string): boolean {
  return /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/** This device itself, which https pages may reach by plain http. */
const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){1,3}|\[::1\])$/;

/** Whether the host is this device itself. */
export function isLoopback(address: ServerAddress): boolean {
  return LOOPBACK.test(new URL(address).hostname);
}

/** Whether the host is certainly on this device or in a private network. */
export function isNearby(address: string): boolean {
  const { hostname } = new URL(address);
  return LOCAL_NAME.test(hostname) || LOCAL_V4.test(hostname) || LOCAL_V6.test(hostname);
}

/**
 * The same address over http, if its host is on this device or in a private network, where few servers have a
 * certificate. Elsewhere a network could pretend that https fails.
 */
export function plainAddress(address: ServerAddress): ServerAddress | undefined {
  if (!isHttps(address)) return undefined;
  if (!isNearby(address)) return undefined;
  const plain = parseServerAddress(`http://${addressHost(address)}`);
  return plain.ok ? plain.value : undefined;
}
