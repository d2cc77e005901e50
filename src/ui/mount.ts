import { mount } from "svelte";
import type { Client } from "../client";
import App from "./App.svelte";
import { App as AppState } from "./state/app.svelte";
import { homeServer } from "./state/home";

/** Reads the small tables and puts the app into the page. */
export async function mountApp(target: Element, client: Client): Promise<AppState> {
  const app = new AppState(client, await client.reader.catalogue(), homeServer(document, location.origin));
  app.start();
  mount(App, { target, props: { app } });
  return app;
}
