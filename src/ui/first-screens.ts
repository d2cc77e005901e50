// Run in Node by the build (`src/build/page.ts`): the screens in index.html for users without topics.
import { render } from "svelte/server";
import { EMPTY_CATALOGUE, type Client } from "../client";
import { parseServerAddress } from "../protocol";
import App from "./App.svelte";
import { type AppProps, App as AppState } from "./state/app.svelte";
import type { Shape } from "./state/layout.svelte";
import { speakLanguage } from "./strings/language";

/** Where the page shows each screen. The script in the page replaces the topic and the server. */
const LINKS = { start: "#/", link: "#/topic-of-the-link" };
const SHAPES: readonly Shape[] = ["phone", "middle", "wide"];

/** The markup of every screen, by the id under which the page's script finds it. */
export async function firstScreens(): Promise<Record<string, string>> {
  await speakLanguage("en", ["en"]);
  const home = parseServerAddress("https://server.invalid");
  if (!home.ok) throw new Error("The server's address is invalid.");
  const client = { environment: { secure: true, storage: "database", worker: "shared" }, statuses: new Map() };
  const screens: Record<string, string> = {};
  for (const [name, link] of Object.entries(LINKS)) {
    for (const shape of SHAPES) {
      location.hash = link;
      const app = new AppState(client as unknown as Client, EMPTY_CATALOGUE, home.value);
      Object.assign(app, { layout: { shape } });
      screens[`${name}-${shape}`] = inPage(render(App, { props: { app } satisfies AppProps }).body);
    }
  }
  return screens;
}

/**
 * The markup as the page may contain it: the policy allows no style attributes, and a field's class and id come from an
 * attachment, which only runs in a browser. The moments of its times would make each build another one.
 */
function inPage(body: string): string {
  return body
    .replace(/ (?:style|datetime)="[^"]*"/g, "")
    .replace(/<input (?![^>]*type="radio")([^>]*)class="/g, '<input $1class="control ')
    .replace(/ for="([^"]*)"(.*?<input )(?![^>]*type="radio")/gs, ' for="$1"$2id="$1" ');
}
