// The build runs this in Node to write the screens that a stranger may see first into index.html
// (`src/build/strangers-screens.ts`).
import { render } from "svelte/server";
import StrangersScreen from "./prerender/StrangersScreen.svelte";
import { scopes } from "./prerender/first-rows.scopes";
import type { App } from "./state/app.svelte";
import { speakLanguage } from "./strings";

/** What the page replaces, in texts alone, by the topic of the link and the server's address or host. */
export const TOPIC = "topic-of-the-link";
const HOST = "server.invalid";

/** One screen in one language. */
export interface StrangersMarkup {
  screen: "start" | "link";
  lang: string;
  dir: "ltr" | "rtl";
  /** Classes of the frame, without that of its shape. */
  frame: string;
  markup: string;
}

/** What these screens read of the app: a visitor who has subscribed to nothing. */
function visitorsApp(topics: string[]): App {
  const server = `https://${HOST}`;
  const app = {
    home: server,
    catalogue: { servers: [], subscriptions: [], settings: {}, tables: { accounts: [] } },
    pane: { unsubscribed: topics },
    navigation: { view: { kind: "topics", server, topics }, filter: { terms: [] } },
  };
  // Nothing but rendering happens here, so the rest of it isn't needed.
  return app as unknown as App;
}

/** Languages in which these screens stand in the page; each takes about a kilobyte of a first visit. Others see English first. */
const PAINTED = ["en", "de"];

/** Renders every screen in each of these languages. */
export async function strangersScreens(): Promise<StrangersMarkup[]> {
  const all: StrangersMarkup[] = [];
  for (const language of PAINTED) {
    const { lang, dir } = await speakLanguage(language, [language]);
    for (const screen of ["start", "link"] as const) {
      const { body } = render(StrangersScreen, { props: { app: visitorsApp([TOPIC]), screen } });
      all.push({ screen, lang, dir, frame: `frame ${scopes.App}`, markup: asPicture(body) });
    }
  }
  return all;
}

/**
 * The markup as a picture of the screen: without what Svelte needs to hydrate it, and without ids, which the app's own
 * screen has too. Fields get the class that their attachment adds in the page. The policy allows no style attributes.
 */
function asPicture(body: string): string {
  return body
    .replace(/<!--.*?-->/gs, "")
    .replace(/ (?:id|for|style)="[^"]*"/g, "")
    .replace(/<input (?!type="radio")([^>]*)class="/g, '<input $1class="control ')
    .replace(/\s+/g, " ");
}
