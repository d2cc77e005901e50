/** The pages of the help, in the order in which they are listed. Each is a file of src/locales/help. */
export const HELP_PAGES = ["first-steps", "filters", "keyboard", "phones", "troubleshooting"] as const;

/** The texts by path, in folders by language code. */
const TEXTS: Record<string, string> = import.meta.glob("../../locales/help/*/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** A page by name, or else the first one, and its language: English if there is none in the current one. */
export function helpPage(name: string, spoken: string) {
  const [first] = HELP_PAGES;
  const page = HELP_PAGES.find((known) => known === name) ?? first;
  const textIn = (lang: string) => TEXTS[`../../locales/help/${lang}/${page}.md`];
  const own = textIn(spoken);
  return own === undefined
    ? { name: page, text: textIn("en") ?? "", lang: "en" }
    : { name: page, text: own, lang: spoken };
}
