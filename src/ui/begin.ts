// The page runs this small script first: it draws the first rows from the database and starts the app after their
// frame. The app's own script is ten times as long and would delay them.
import "./styles/tokens.css";
import "./styles/base.css";
import { drawFirst } from "./prerender/draw-first";
import { pageParsed } from "./prerender/page-ready";
import { sayNoStart } from "./prerender/say-no-start";
import { afterNextPaint } from "./state/after-next-paint";

async function firstRows(): Promise<void> {
  const rows = await drawFirst(document);
  if (!rows) return;
  await new Promise<void>((resolve) => afterNextPaint(resolve));
  rows.fill();
}

async function startApp(): Promise<void> {
  await pageParsed(document);
  await import("./main");
}

// If the prerender fails, the app still starts and draws the rows itself.
void firstRows().catch(reportError).then(startApp).catch(sayNoStart);
