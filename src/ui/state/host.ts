// What the host of the app has set in its `config.json` (docs/hosting.md). The file is asked for after the first rows;
// what counts before them is kept in the browser's small storage, where a line of `index.html` reads it.
import { mayHaveHostFile } from "../../client";
import { moveLink } from "../../contract";
import { parseServerAddress, type ServerAddress } from "../../protocol";
import type { App } from "./app.svelte";
import { keep, kept } from "./device-storage";
import { isHubHeld } from "./hub-start";
import { setSetting } from "./set-setting";

/** What `index.html` applies at the next start: the server of links that name none, and colours by property. */
const KEPT = "earshot-host";

/**
 * The accents of both schemes, of the hue that the host has chosen. Lightness is that of the app's own colours, and
 * saturation at most theirs, so that text stays readable on them and beside them.
 */
function accents(colour: string): Record<string, string> {
  const both = (light: string, dark: string): string =>
    `light-dark(oklch(from ${colour} ${light} h), oklch(from ${colour} ${dark} h))`;
  return {
    "--accent": both("50% min(c, 0.12)", "78% min(c, 0.12)"),
    "--on-accent": both("100% 0", "18% min(c, 0.02)"),
    "--accent-soft": both("95.5% min(c, 0.025)", "29% min(c, 0.045)"),
  };
}

let reading: Promise<{ hasServer?: boolean }> | undefined;

/**
 * The same for a stranger's screen, which needs no hub for it where the host has set nothing: then what the page shows is
 * right as it is.
 */
export async function hostReadForStranger(app: App): Promise<{ hasServer?: boolean }> {
  const base = new URL("./", location.href);
  // Below a path, the server may be beside the app or at its origin; the hub finds out.
  const isPlain = base.pathname === "/" || app.home !== location.origin;
  if (isHubHeld() && isPlain && kept(KEPT) === undefined && !(await mayHaveHostFile(base.href))) return {};
  return hostRead(app);
}

/**
 * Has the hub read the host's file, and takes over what it says. Once for each page. Resolves to whether a topic server
 * was found beside the app, if one was looked for.
 */
export function hostRead(app: App): Promise<{ hasServer?: boolean }> {
  reading ??= read(app);
  return reading;
}

async function read(app: App): Promise<{ hasServer?: boolean }> {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="earshot-server"]');
  // The script in the page has put what was kept in place of what the page names, which it leaves beside it.
  const parsed = parseServerAddress(meta?.dataset["named"] ?? meta?.content ?? "");
  const named = parsed.ok ? parsed.value : null;
  const isNew = app.catalogue.subscriptions.length === 0;
  const answer = await app.client.send("readHost", { base: new URL("./", location.href).href, named, isNew });
  if (!answer.ok) return {};
  const { host, hasServer, movedFrom } = answer.value;
  takeColour(host.config.colour);
  const byPage = named ?? location.origin;
  const { colour } = host.config;
  const noted = JSON.stringify({
    ...(host.home !== byPage && { server: host.home }),
    ...(colour !== undefined && { style: accents(colour) }),
  });
  if (noted !== "{}" || kept(KEPT) !== undefined) keep(KEPT, noted);
  if (movedFrom !== undefined) await moveStoredLinks(app, movedFrom, host.home);
  if (host.home !== app.home) {
    // Another tab may have written stored links anew.
    await app.catalogue.readAgain();
    app.moveHome(host.home);
  }
  return hasServer === undefined ? {} : { hasServer };
}

/** Saved views and columns stay what they are when links that name no server come to mean another one. */
async function moveStoredLinks(app: App, from: ServerAddress, to: ServerAddress): Promise<void> {
  const { views, settings } = app.catalogue;
  const moved = views.map(({ viewId, name, link }) => ({ viewId, name, link: moveLink(link, from, to) }));
  if (views.length > 0) await app.attempt("setViews", { views: moved });
  const columns = settings.columns.map((column) => ({
    ...column,
    link: moveLink(`#/${column.link}`, from, to).slice("#/".length),
  }));
  if (columns.length > 0) await setSetting(app, "columns", columns);
}

function takeColour(colour: string | undefined): void {
  const { style } = document.documentElement;
  for (const name of ["--accent", "--on-accent", "--accent-soft"]) style.removeProperty(name);
  if (colour === undefined) return;
  for (const [name, value] of Object.entries(accents(colour))) style.setProperty(name, value);
}
