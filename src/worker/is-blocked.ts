import { isHttps, type ServerAddress } from "../protocol";

/**
 * Names and literal addresses that always mean a machine nearby. Others may lead there too, which can't be known here.
 */
const LOCAL_HOST =
  /^(?:localhost|.*\.local|[^.]+|10\.[\d.]+|127\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|169\.254\.[\d.]+|\[(?:::1|f[cd].*|fe80.*)\])$/i;

/** Loopback counts as secure, so it is never mixed content. */
const LOOPBACK = /^(?:localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/i;

/**
 * Whether the browser keeps this app from reaching an address: plain http from https, or a machine nearby without the
 * user's permission (docs/design.md §10, "Local network"). The browser itself says only that a request failed.
 */
export async function isBlocked(address: ServerAddress): Promise<boolean> {
  if (self.location.protocol !== "https:") return false;
  const { hostname } = new URL(address);
  const isLocal = LOCAL_HOST.test(hostname);
  if (!isHttps(address) && !isLocal && !LOOPBACK.test(hostname)) return true;
  if (!isLocal || LOCAL_HOST.test(self.location.hostname)) return false;
  try {
    const permission = await navigator.permissions.query({ name: "local-network" as PermissionName });
    return permission.state !== "granted";
  } catch {
    // A browser that doesn't know this permission doesn't ask for it.
    return false;
  }
}
