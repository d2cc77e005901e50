/** A value as it stands in a URL. Commas stay readable; half a surrogate pair, which no URL can hold, becomes U+FFFD. */
export function encodeValue(value: string): string {
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, "\uFFFD")).replaceAll("%2C", ",");
}

/** Writes query parameters in the given order; those without a value are left out. */
export function encodeQuery(pairs: readonly (readonly [name: string, value: string | undefined])[]): string {
  return pairs
    .filter(([, value]) => value !== undefined)
    .map(([name, value = ""]) => `${name}=${encodeValue(value)}`)
    .join("&");
}
