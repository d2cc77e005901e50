import type { Result } from "./result";
import { fail } from "./result";

/** A server's normalised base address: scheme, lower-case host, port unless it is the scheme's own, path without final slash. */
export type ServerAddress = string & { readonly brand: "ServerAddress" };

/** Why a text is no server address. */
export type AddressError = { kind: "empty" | "not-an-address" | "scheme" | "credentials" | "query" };

/** Reads an address as typed or linked; without a scheme https is assumed. */
export function parseServerAddress(_text: string): Result<ServerAddress, AddressError> {
  return fail({ kind: "not-an-address" });
}
