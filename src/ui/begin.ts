// What the page runs first: a small script that draws the first rows out of the database, and starts the app behind their
// frame. The app's own script, ten times as long, would hold them up.
import { drawFirst } from "./prerender/draw-first";
import { pageParsed } from "./prerender/page-ready";
import { sayNoStart } from "./prerender/say-no-start";
import { afterNextPaint } from "./state/after-next-paint";

/** The build names the app's files so, the one that starts it first (`src/worker/build.ts`). */
const APP_FILES = 'link[rel="earshot-app"]';

async function firstRows(): Promise<void> {
  const rows = await drawFirst(document);
  if (!rows) return;
  await new Promise<void>((resolve) => afterNextPaint(resolve));
  rows.fill();
}

async function startApp(): Promise<void> {
  await pageParsed(document);
  const files = [...document.querySelectorAll<HTMLLinkElement>(APP_FILES)];
  for (const file of files) file.rel = "modulepreload";
  const [app] = files;
  if (!app) throw new Error("index.html names no app");
  await import(/* @vite-ignore */ app.href);
}

// Whatever is wrong with the first rows, the app draws them all the same.
void firstRows().catch(reportError).then(startApp).catch(sayNoStart);
