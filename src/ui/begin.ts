// The page runs this small script first: it draws the first rows from the database and starts the app after their
// frame. The app's own script is ten times as long and would delay them.
import { drawFirst } from "./prerender/draw-first";
import { pageParsed } from "./prerender/page-ready";
import { sayNoStart } from "./prerender/say-no-start";
import { afterNextPaint } from "./state/after-next-paint";

/**
 * The build marks the app's files with a `rel` that begins so; the first of them starts the app
 * (`src/build/worker-beside-page.ts`).
 */
const APP_FILES = 'link[rel^="earshot-app"]';

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

// If the prerender fails, the app still starts and draws the rows itself.
void firstRows().catch(reportError).then(startApp).catch(sayNoStart);
