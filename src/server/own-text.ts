/** Copies a text into its own memory, as a substring would keep the whole text, such as a request, in memory. */
export function ownText(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
