/**
 * Encodes a value for a URL. Commas and colons stay, so that people can read lists and filters; half a surrogate pair,
 * which no URL can hold, becomes U+FFFD.
 */
export function encodeValue(value: string): string {
  const encoded = encodeURIComponent(value.replace(/\p{Surrogate}/gu, "\uFFFD"));
  return encoded.replaceAll("%2C", ",").replaceAll("%3A", ":");
}

/** Writes query parameters in the given order; those without a value are left out. */
export function encodeQuery(pairs: readonly (readonly [name: string, value: string | undefined])[]): string {
  return pairs
    .filter(([, value]) => value !== undefined)
    .map(([name, value = ""]) => `${name}=${encodeValue(value)}`)
    .join("&");
}
