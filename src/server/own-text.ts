/** A text with memory of its own: part of a longer one, such as a request, would keep all of that. */
export function ownText(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
