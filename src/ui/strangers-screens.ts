// The build runs this in Node to write the screens that a stranger may see first into index.html
// (`src/build/strangers-screens.ts`).
import { render } from "svelte/server";
import StrangersScreen from "./prerender/StrangersScreen.svelte";
import { scopes } from "./prerender/first-rows.scopes";
import { EMPTY_CATALOGUE } from "../client";
import { fragmentOf } from "./state/route";
import type { Filter } from "../contract";
import { parseServerAddress } from "../protocol";
import type { App } from "./state/app.svelte";
import type { View } from "./state/view";
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
function visitorsApp(screen: StrangersMarkup["screen"]): App {
  const server = parseServerAddress(`https://${HOST}`);
  if (!server.ok) throw new Error("The server's address is none.");
  const home = server.value;
  const topics = [TOPIC];
  const filter: Filter = { terms: [] };
  const view: View = screen === "start" ? { kind: "everything" } : { kind: "topics", server: home, topics };
  const app = {
    home,
    unread: 0,
    unreadUrgent: 0,
    unreadHigh: 0,
    catalogue: {
      servers: [],
      subscriptions: [],
      views: [],
      serverGroups: [],
      settings: { groups: [] },
      tables: EMPTY_CATALOGUE,
    },
    // As the only shape with a button in the rail's head; the page removes it from the others.
    layout: { shape: "middle" },
    rail: { narrow: false },
    clock: { minuteMs: 0 },
    updates: { ready: false },
    selection: { opened: false },
    pane: { unsubscribed: topics, searching: false },
    navigation: {
      view,
      filter,
      href: (to: View) => fragmentOf({ view: to, filter }, home),
      savedAs: () => undefined,
    },
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
      const { body } = render(StrangersScreen, { props: { app: visitorsApp(screen), screen } });
      all.push({ screen, lang, dir, frame: `frame ${scopes.App}`, markup: asPicture(body) });
    }
  }
  return all;
}

/**
 * The markup as a picture of the screen: without what Svelte needs to hydrate it, and without the id that the skip link
 * leads to, which is for the app's own screen. Fields get the class and the id that their attachment adds in the page. The
 * policy allows no style attributes.
 */
function asPicture(body: string): string {
  return body
    .replace(/<!--.*?-->/gs, "")
    .replace(/ (?:id="main"|style="[^"]*")/g, "")
    .replace(/<input (?!type="radio")([^>]*)class="/g, '<input $1class="control ')
    .replace(/ for="([^"]*)"(.*?<input )(?!type="radio")/gs, ' for="$1"$2id="$1" ')
    .replace(/\s+/g, " ");
}
