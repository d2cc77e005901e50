/** The pages of the help, in the order in which they are listed. Each is a file of docs/user. */
export const HELP_PAGES = ["first-steps", "filters", "keyboard", "phones", "troubleshooting"] as const;

export type HelpPageName = (typeof HELP_PAGES)[number];

/** Their texts by path: the build takes them as they are. */
const TEXTS: Record<string, string> = import.meta.glob("../../../docs/user/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The page of a name; the first where there is none of that name. */
export function helpPage(name: string): { name: HelpPageName; text: string } {
  const [first] = HELP_PAGES;
  const page = HELP_PAGES.find((known) => known === name) ?? first;
  return { name: page, text: TEXTS[`../../../docs/user/${page}.md`] ?? "" };
}
