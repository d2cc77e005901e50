// Draws the launcher's icons from public/icon.svg. Run by hand when the mark changes: node scripts/icons.mjs
import { chromium } from "@playwright/test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BROWSER_ARGS, ensureChromium } from "./browser.mjs";
import { ROOT } from "./source-hash.mjs";

const ROUNDED = readFileSync(join(ROOT, "public", "icon.svg"), "utf8");
/** Fills the square to its edges, as the system cuts its own shape out of it. */
const FULL = ROUNDED.replace(/ rx="\d+"/, "");

/** Only the mark, in white: systems that show it in a bar use its shape and their own colour. */
const BADGE = ROUNDED.replace(/<rect[^>]*>/, "");

const ICONS = [
  { file: "icon-192.png", svg: ROUNDED, edge: 192 },
  { file: "icon-512.png", svg: ROUNDED, edge: 512 },
  { file: "icon-maskable-192.png", svg: FULL, edge: 192 },
  { file: "icon-maskable-512.png", svg: FULL, edge: 512 },
  { file: "icon-monochrome-512.png", svg: BADGE, edge: 512 },
  { file: "apple-touch-icon.png", svg: FULL, edge: 180 },
  { file: "badge-96.png", svg: BADGE, edge: 96 },
];

const browser = await chromium.launch({ executablePath: await ensureChromium(), args: BROWSER_ARGS });
const page = await browser.newPage();
for (const { file, svg, edge } of ICONS) {
  await page.setViewportSize({ width: edge, height: edge });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${edge}px;height:${edge}px}</style>${svg}`);
  await page.screenshot({ path: join(ROOT, "public", file), omitBackground: true });
  console.log(`public/${file}`);
}
await browser.close();
