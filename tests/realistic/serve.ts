// Two topic servers with realistic messages, to look at the app in use: npm run realistic
import { join } from "node:path";
import { ROOT } from "../../scripts/source-hash.mjs";
import { startServer, systemClock, type HostClock } from "../../src/server";
import { realisticMessages, REALISTIC_TOPICS } from "./messages";

const DAY_S = 24 * 3600;

/** Shows the time of each message while it is published, so that the older files have expired. */
let messageMs: number | undefined;
const clock: HostClock = { ...systemClock, nowMs: () => messageMs ?? systemClock.nowMs() };

const limits = { requests: 100_000, requestRefill: 0.001, streams: 1000, newTopics: 100_000 };
const shared = { limits, cache: 7 * DAY_S, attachments: { keep: 2 * DAY_S } };
const app = join(ROOT, "dist");
const servers = [
  await startServer({ ...shared, app, port: Number(process.env["PORT"] ?? 0) }, { clock }),
  await startServer({ ...shared, port: Number(process.env["OTHER_PORT"] ?? 0) }, { clock }),
];
for (const { server, ...message } of realisticMessages(Math.floor(Date.now() / 1000))) {
  messageMs = message.time * 1000;
  const to = servers[server];
  await to?.publish({ ...message, baseUrl: to.url });
}
messageMs = undefined;
const links = servers.map(
  ({ port }, at) => `#/http:127.0.0.1:${String(port)}/${(REALISTIC_TOPICS[at] ?? []).join(",")}`,
);
console.log(`The app, and the links that subscribe to all topics:`);
for (const link of links) console.log(`  http://127.0.0.1:${String(servers[0]?.port)}/${link}`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void Promise.all(servers.map((server) => server.close())));
}
