/** How much of each text is shown, in characters. */
const MAX_LENGTH = 16_000;

/**
 * The texts another app shared, by the names in the manifest's `share_target`, each once. Android puts links into
 * `text`.
 * @param query with or without `?`
 */
export function sharedTexts(query: string): string[] {
  const shared = new URLSearchParams(query);
  const texts = ["url", "text", "title"].map((name) => shared.get(name)?.slice(0, MAX_LENGTH).trim() ?? "");
  return [...new Set(texts)].filter(Boolean);
}
