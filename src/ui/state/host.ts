// What the host set in its `config.json` (docs/hosting.md). The file is read after the first rows; what is needed
// earlier is in local storage.
import { moveLink } from "../../contract";
import type { App } from "./app.svelte";
import { forget, keep, KEPT_HOST, type KeptHost } from "./device-storage";
import { serverOfPage } from "./home";

/** The accents in the host's hue, as light as the app's own and no more saturated, so that text stays readable. */
function accents(colour: string): Record<string, string> {
  const both = (light: string, dark: string): string =>
    `light-dark(oklch(from ${colour} ${light} h), oklch(from ${colour} ${dark} h))`;
  return {
    "--accent": both("50% min(c, 0.12)", "78% min(c, 0.12)"),
    "--on-accent": both("100% 0", "18% min(c, 0.02)"),
    "--accent-soft": both("95.5% min(c, 0.025)", "29% min(c, 0.045)"),
  };
}

let reading: Promise<void> | undefined;

/** Has the hub read the host's file, once per page, and applies it. */
export function hostRead(app: App): Promise<void> {
  reading ??= read(app);
  return reading;
}

async function read(app: App): Promise<void> {
  const page = serverOfPage(document, location.origin);
  const answer = await app.client.send("readHost", { base: new URL("./", location.href).href, page });
  if (!answer.ok) return;
  const { host, movedFrom } = answer.value;
  const { colour } = host.config;
  takeColour(colour);
  const known: KeptHost = {
    ...(host.home !== page && { server: host.home }),
    ...(colour !== undefined && { style: accents(colour) }),
  };
  if (Object.keys(known).length > 0) keep(KEPT_HOST, JSON.stringify(known));
  else forget(KEPT_HOST);
  if (movedFrom !== undefined) await rewriteLinks(app, (link) => moveLink(link, movedFrom, host.home));
  if (host.home !== app.navigation.home) {
    // Another tab may have rewritten stored links.
    await app.catalogue.readAgain();
    app.moveHome(host.home);
  }
}

/** Rewrites the links of saved views and columns, so that they lead to the same place when an address or name changes. */
export async function rewriteLinks(app: App, led: (link: string) => string): Promise<void> {
  const { views, settings } = app.catalogue;
  const columns = settings.columns.map((column) => ({ ...column, link: led(`#/${column.link}`).slice("#/".length) }));
  const rewritten = views.map(({ viewId, name, link }) => ({ viewId, name, link: led(link) }));
  if (rewritten.some(({ link }, at) => link !== views[at]?.link)) await app.attempt("setViews", { views: rewritten });
  if (columns.some(({ link }, at) => link !== settings.columns[at]?.link)) await app.setSettings({ columns });
}

function takeColour(colour: string | undefined): void {
  for (const [name, value] of Object.entries(accents(colour ?? "")))
    document.documentElement.style.setProperty(name, colour === undefined ? "" : value);
}
