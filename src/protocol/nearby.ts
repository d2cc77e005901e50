// Which hosts are certainly this device or in a private network, judged by the address alone.

/** This device itself, which https pages may reach by plain http. */
const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Names of local networks (RFC 6762, RFC 8375), and those without a dot. */
const LOCAL_NAME = /^[^.:[\]]+$|\.(?:local|home\.arpa)$/;

/** Private and link-local addresses (RFC 1918, RFC 3927). */
const LOCAL_V4 = /^(?:10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2,3}$/;

/** The same for IPv6: unique local (RFC 4193) and link-local (RFC 4291). */
const LOCAL_V6 = /^\[(?:f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):.*\]$/;

/** Whether the host of an address is this device itself. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.test(new URL(url).hostname);
}

/** Whether it is certainly on this device or in a private network. */
export function isNearby(url: string): boolean {
  const { hostname } = new URL(url);
  return [LOOPBACK, LOCAL_NAME, LOCAL_V4, LOCAL_V6].some((pattern) => pattern.test(hostname));
}
