import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import lighthouse from "lighthouse";
import { ROOT } from "../../scripts/source-hash.mjs";
import { startServer, systemClock } from "../../src/server";
import { launchOptions } from "../bench/launch-options";

/** What docs/performance.md says of every category on every screen. */
const CLAIMED = 100;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];
const TOPIC = "backups";
/** Messages in the feed. */
const COUNT = 300;
/** A category's score varies with what else the machine does: the best of so many counts. */
const TRIES = 3;

/** A port that nothing listens on. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

const server = await startServer({ app: join(ROOT, "dist"), port: 0 }, { clock: systemClock, log: () => undefined });
for (let at = 1; at <= COUNT; at++) await server.publish({ topic: TOPIC, title: `Backup ${at}`, message: "Done." });

const results = join(ROOT, ".cache", "lighthouse");
await mkdir(results, { recursive: true });
const profile = await mkdtemp(join(results, "profile-"));
const port = await freePort();
const { args = [], ...options } = launchOptions();
// Lighthouse opens its pages in the profile itself.
const context = await chromium.launchPersistentContext(profile, {
  ...options,
  args: [...args, `--remote-debugging-port=${port}`],
});

interface Rated {
  scores: number[];
  /** What took points, in Lighthouse's words. */
  objections: string[];
}

/** Rates a page; `isStored`: with what the profile has stored, otherwise as a first visit. */
async function rate(name: string, url: string, isStored: boolean): Promise<Rated> {
  const flags = { port, onlyCategories: CATEGORIES, output: "json", disableStorageReset: isStored } as const;
  const result = await lighthouse(url, { ...flags, logLevel: "error" });
  if (!result) throw new Error(`Lighthouse has no result for ${url}.`);
  const { lhr, report } = result;
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  await writeFile(join(results, `${name}.json`), String(report));
  const categories = CATEGORIES.map((id) => lhr.categories[id]);
  const weighed = categories.flatMap((category) => category?.auditRefs.filter(({ weight }) => weight > 0) ?? []);
  const objections = weighed.flatMap(({ id }) => {
    const audit = lhr.audits[id];
    if (!audit || audit.score === null || audit.score >= 0.995) return [];
    return [`${audit.title}${audit.displayValue ? ` (${audit.displayValue})` : ""}: ${Math.round(100 * audit.score)}`];
  });
  return { scores: categories.map((category) => Math.round(100 * (category?.score ?? 0))), objections };
}

async function bestOf(name: string, url: string, isStored: boolean): Promise<void> {
  let best: Rated | undefined;
  for (let at = 0; at < TRIES; at++) {
    const rated = await rate(name, url, isStored);
    const sum = ({ scores }: Rated): number => scores.reduce((total, score) => total + score, 0);
    if (!best || sum(rated) > sum(best)) best = rated;
    if (best.scores.every((score) => score >= CLAIMED)) break;
  }
  console.log(`${name.padEnd(8)}${best?.scores.map((score) => String(score).padStart(16)).join("") ?? ""}`);
  for (const objection of best?.objections ?? []) console.log(`          ${objection}`);
  if (!best?.scores.every((score) => score >= CLAIMED)) process.exitCode = 1;
}

try {
  console.log(`        ${CATEGORIES.map((category) => category.padStart(16)).join("")}`);
  await bestOf("start", `${server.url}/`, false);
  await bestOf("link", `${server.url}/#/${TOPIC}`, false);
  const page = await context.newPage();
  await page.goto(`${server.url}/#/${TOPIC}`);
  await page.getByRole("button", { name: "Subscribe", exact: true }).click();
  await page
    .getByRole("article")
    .filter({ hasText: `Backup ${COUNT}` })
    .waitFor();
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.close();
  await bestOf("feed", `${server.url}/#/${TOPIC}`, true);
} finally {
  await context.close();
  await server.close();
  await rm(profile, { recursive: true });
}
