/**
 * Writes query parameters in the given order; those without a value are left out. Commas stay readable, and half a
 * surrogate pair, which no URL can hold, becomes U+FFFD.
 */
export function encodeQuery(pairs: readonly (readonly [name: string, value: string | undefined])[]): string {
  return pairs
    .filter(([, value]) => value !== undefined)
    .map(([name, value = ""]) => `${name}=${encodeValue(value)}`)
    .join("&");
}

function encodeValue(value: string): string {
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, "\uFFFD")).replaceAll("%2C", ",");
}
