// What the page runs first: a small script that draws the first rows out of the database, and starts the app behind their
// frame. The app's own script, ten times as long, would hold them up.
import { drawFirst } from "./first/draw-first";

/** The build names the app's files so, the one that starts it first (`first/build-begin.ts`). */
const APP_FILES = 'link[rel="earshot-app"]';

function startApp(): Promise<unknown> {
  const files = [...document.querySelectorAll<HTMLLinkElement>(APP_FILES)];
  for (const file of files) file.rel = "modulepreload";
  const [app] = files;
  if (!app) throw new Error("index.html names no app");
  return import(/* @vite-ignore */ app.href);
}

void drawFirst(document).finally(startApp);
