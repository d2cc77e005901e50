// Two topic servers with realistic messages, to look at the app in use: npm run realistic
import { join } from "node:path";
import { ROOT } from "../../scripts/source-hash.mjs";
import { startServer } from "../../src/server";
import { realisticMessages, REALISTIC_TOPICS } from "./messages";

const limits = { requests: 100_000, requestRefill: 0.001, streams: 1000 };
const app = join(ROOT, "dist");
const cache = 7 * 24 * 3600;
const servers = [
  await startServer({ app, attachments: {}, limits, cache, port: Number(process.env["PORT"] ?? 0) }),
  await startServer({ attachments: {}, limits, cache, port: Number(process.env["OTHER_PORT"] ?? 0) }),
];
for (const { server, ...message } of realisticMessages(Math.floor(Date.now() / 1000))) {
  await servers[server]?.publish(message);
}
const links = servers.map(
  ({ port }, at) => `#/http:127.0.0.1:${String(port)}/${(REALISTIC_TOPICS[at] ?? []).join(",")}`,
);
console.log(`The app, and the links that subscribe to all topics:`);
for (const link of links) console.log(`  http://127.0.0.1:${String(servers[0]?.port)}/${link}`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void Promise.all(servers.map((server) => server.close())));
}
