import { type Result, fail, ok } from "./result";

/** Normalised: scheme, lower-case host, port unless it is the scheme's own, path without a final slash. */
export type ServerAddress = string & { readonly brand: "ServerAddress" };

export type AddressError = { kind: "empty" | "not-an-address" | "scheme" | "credentials" | "query" | "path" };

/** A longer address leaves no room for topics in a URL of 4,000 characters. */
const MAX_ADDRESS_LENGTH = 1_000;

/** What a server's path may contain. Quotes, `$` and the like would only help to disguise a line or link. */
const PATH = /^(?:[-\w.~/]|%[0-9A-F]{2})*$/i;

/**
 * Reads an address as typed or linked; the scheme defaults to https. What a browser would quietly
 * repair (backslashes, line breaks, missing or extra slashes) is refused: the user should see where requests go.
 */
export function parseServerAddress(text: string): Result<ServerAddress, AddressError> {
  const trimmed = text.trim();
  if (trimmed === "") return fail({ kind: "empty" });
  if (trimmed.length > MAX_ADDRESS_LENGTH) return fail({ kind: "not-an-address" });
  if (/[\s\\\p{Cc}]/u.test(trimmed)) return fail({ kind: "not-an-address" });
  // Only "://" marks a scheme: "host:8080" starts like one too.
  const [, scheme = "https", rest = ""] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/i.exec(trimmed) ?? [];
  if (!/^https?$/i.test(scheme)) return fail({ kind: "scheme" });
  if (/[?#]/.test(rest)) return fail({ kind: "query" });
  const authority = rest.split("/", 1)[0] ?? "";
  if (authority.includes("@")) return fail({ kind: "credentials" });
  if (authority === "") return fail({ kind: "not-an-address" });
  try {
    const url = new URL(`${scheme}://${rest}`);
    // A browser would request hosts such as "~a,b", which no DNS has and which mean something else in links. A
    // trailing dot names the same host; as a second server it would bring each message twice.
    if (!/^(\w[\w.-]*(?<!\.)|\[[\w:.]+\])$/.test(url.hostname)) return fail({ kind: "not-an-address" });
    if (!PATH.test(url.pathname)) return fail({ kind: "path" });
    return ok(`${url.protocol}//${url.host}${url.pathname.replace(/(?<!\/)\/+$/, "")}` as ServerAddress);
  } catch {
    return fail({ kind: "not-an-address" });
  }
}

/** The address without its scheme: `host[:port][/path]`, as shown to users and written in links. */
export function addressHost(address: ServerAddress): string {
  return address.slice(address.indexOf("://") + 3);
}

/** Whether traffic to this server is encrypted. */
export function isHttps(address: ServerAddress): boolean {
  return address.startsWith("https:");
}

/** Base address for WebSockets: `wss:` for `https:`, `ws:` for `http:` (docs/protocol.md §2). */
export function webSocketAddress(address: ServerAddress): string {
  return address.replace(/^http/, "ws");
}

/** This device itself, which https pages may reach over plain http. */
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

/** Whether it is certainly on this device or a private network. */
export function isNearby(url: string): boolean {
  const { hostname } = new URL(url);
  return [LOOPBACK, LOCAL_NAME, LOCAL_V4, LOCAL_V6].some((pattern) => pattern.test(hostname));
}
