/** The pages of the help, in the order in which they are listed. Each is a file of docs/user. */
export const HELP_PAGES = ["first-steps", "filters", "keyboard", "phones", "troubleshooting"] as const;

export type HelpPageName = (typeof HELP_PAGES)[number];

/** Their texts by path, in English and, in folders by their codes, in other languages: the build takes them as they are. */
const TEXTS: Record<string, string> = import.meta.glob("../../../docs/user/**/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

/**
 * The page of a name, and its language: English where it isn't there in the one that is spoken. The first page where there is
 * none of that name.
 */
export function helpPage(name: string, spoken: string): { name: HelpPageName; text: string; lang: string } {
  const [first] = HELP_PAGES;
  const page = HELP_PAGES.find((known) => known === name) ?? first;
  const own = TEXTS[`../../../docs/user/${spoken}/${page}.md`];
  if (own !== undefined) return { name: page, text: own, lang: spoken };
  return { name: page, text: TEXTS[`../../../docs/user/${page}.md`] ?? "", lang: "en" };
}
