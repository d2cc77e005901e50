/** Longer texts are shown as text: a tree would block the page. */
const LONGEST = 200_000;

/** Whether a text is JSON worth showing as a tree: a non-empty object or list. */
export function isJsonText(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST) return false;
  const ends = `${trimmed[0] ?? ""}${trimmed.at(-1) ?? ""}`;
  if (ends !== "{}" && ends !== "[]") return false;
  try {
    return Object.keys(JSON.parse(trimmed) as object).length > 0;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
