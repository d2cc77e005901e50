// Plays recorded answers of a reference server against ours: npm run vectors [-- --dir FOLDER] [--only NAME]
// The vectors and their player lie beside the repository, in shared/vectors.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { ensurePackages, inWords, requireNode } from "./setup.mjs";
import { ROOT } from "./source-hash.mjs";

/** @typedef {import("../src/server").ServerOptions} ServerOptions */
/** @typedef {import("../src/server").TopicServer} TopicServer */
/** @typedef {{ name: string, section: string, profile: string, fresh?: boolean, slow?: boolean, conflict?: string, topics?: string[] }} Vector */
/**
 * @typedef {object} Player
 * @property {(folder: string) => Vector[]} loadVectors
 * @property {(vector: Vector, base: string, options: { bound: Map<string, unknown> }) => Promise<string[]>} play
 */

/** Vectors wait most of their time, so that many run at once; not all, as each also takes some work. */
const AT_ONCE = 12;
/** How many differences of a vector are shown. */
const SHOWN = 8;

const TOKEN_ADA = "tk_adasowntokenadasowntokenadaso";
/** Big enough never to be met. */
const PLENTY = 1_000_000_000;

/** @type {ServerOptions} */
const OPEN = {
  port: 0,
  attachments: {},
  // Scheduled messages go out at once when due, so that nobody waits for the job.
  scheduleInterval: 1,
  limits: { requests: PLENTY, streams: PLENTY, messagesPerDay: PLENTY, topics: PLENTY },
};

/**
 * How the server is started for each profile (README.md of the vectors); a profile that is not here is skipped.
 * @type {Record<string, ServerOptions>}
 */
const PROFILES = {
  open: OPEN,
  auth: {
    ...OPEN,
    access: {
      default: "read-write",
      users: [
        { name: "ada", password: "s3cret", tokens: [TOKEN_ADA] },
        { name: "bob", password: "bobpass" },
        { name: "carl", password: "pässwort" },
        { name: "root", password: "rootpass", role: "admin" },
      ],
      rules: [
        { user: "*", topic: "secret", allow: "deny-all" },
        { user: "ada", topic: "secret", allow: "read-write" },
        { user: "carl", topic: "secret", allow: "read-only" },
        { user: "*", topic: "readonly", allow: "deny-all" },
        { user: "bob", topic: "readonly", allow: "read-only" },
        { user: "*", topic: "writeonly", allow: "deny-all" },
        { user: "bob", topic: "writeonly", allow: "write-only" },
        { user: "*", topic: "team-*", allow: "deny-all" },
        { user: "bob", topic: "team-*", allow: "read-only" },
        { user: "ada", topic: "team-*", allow: "read-write" },
        { user: "bob", topic: "team-private", allow: "deny-all" },
      ],
    },
  },
  "few-requests": { ...OPEN, limits: { ...OPEN.limits, requests: 3, requestRefill: "1h" } },
  "few-streams": { ...OPEN, attachments: false, limits: { ...OPEN.limits, streams: 2 } },
  "no-cache": { ...OPEN, cache: 0 },
  keepalive: { ...OPEN, keepalive: 5 },
};

/** Credentials that vectors refer to. */
const GIVEN = /** @type {const} */ ([
  ["tokenAda", TOKEN_ADA],
  ["base64TokenAda", Buffer.from(`:${TOKEN_ADA}`).toString("base64")],
]);

/**
 * Vectors that name their own topics disturb nobody; those with fixed names go one after the other, in order.
 * @param {Vector[]} vectors
 * @returns {Vector[][]}
 */
function chains(vectors) {
  const isAlone = (/** @type {Vector} */ { topics, fresh }) => fresh || (topics ?? []).length > 0;
  const shared = new Map();
  for (const vector of vectors.filter((each) => !isAlone(each))) {
    shared.set(vector.profile, [...(shared.get(vector.profile) ?? []), vector]);
  }
  // Slow ones first: what is begun last should not be what takes longest.
  const alone = vectors.filter(isAlone).sort((a, b) => Number(b.slow ?? false) - Number(a.slow ?? false));
  return [...shared.values(), ...alone.map((vector) => [vector])];
}

/**
 * Plays vectors and prints what differs; how many failed.
 * @param {Vector[]} vectors
 * @param {Player["play"]} play
 * @param {(options: ServerOptions) => Promise<TopicServer>} startServer
 */
async function playAll(vectors, play, startServer) {
  /** @type {Map<string, Promise<TopicServer>>} */
  const servers = new Map();
  let failed = 0;

  /** @param {Vector} vector */
  async function playOne(vector) {
    const options = PROFILES[vector.profile] ?? {};
    const shared = servers.get(vector.profile) ?? (vector.fresh ? undefined : startServer(options));
    if (shared && !vector.fresh) servers.set(vector.profile, shared);
    const server = vector.fresh || !shared ? await startServer(options) : await shared;
    const problems = await play(vector, server.url, { bound: new Map(GIVEN) });
    if (vector.fresh) await server.close();
    if (problems.length === 0) return;
    failed += 1;
    console.log(`FAIL ${vector.name} (section ${vector.section})`);
    for (const problem of problems.slice(0, SHOWN)) console.log(`     ${problem}`);
  }

  const waiting = chains(vectors);
  const worker = async () => {
    for (let chain = waiting.shift(); chain; chain = waiting.shift()) {
      for (const vector of chain) await playOne(vector);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (const server of servers.values()) await (await server).close();
  return failed;
}

await inWords(async () => {
  const { values } = parseArgs({ options: { dir: { type: "string" }, only: { type: "string" } } });
  const beside = resolve(ROOT, "..", "shared", "vectors");
  const folder = values.dir === undefined ? beside : resolve(values.dir);
  const player = [folder, beside].map((place) => join(place, "check.mjs")).find((path) => existsSync(path));
  if (!existsSync(folder) || !player) {
    console.log(`No recorded vectors with their player at ${folder}, so they are not played.`);
    console.log("0 passed, 0 failed, 1 skipped");
    return;
  }
  requireNode();
  await ensurePackages();
  const { tsImport } = await import("tsx/esm/api");
  /** @type {{ startServer: (options: ServerOptions) => Promise<TopicServer> }} */
  const { startServer } = await tsImport("../src/server/index.ts", import.meta.url);
  /** @type {Player} */
  const { loadVectors, play } = await import(pathToFileURL(player).href);

  const meant = loadVectors(folder).filter(({ name }) => name.includes(values.only ?? ""));
  const played = meant.filter(({ profile, conflict }) => profile in PROFILES && !conflict);
  for (const profile of new Set(meant.map((vector) => vector.profile))) {
    if (!(profile in PROFILES)) console.log(`Skipped: profile ${profile}, which this server does not have.`);
  }
  const failed = await playAll(played, play, startServer);
  console.log(`${played.length - failed} passed, ${failed} failed, ${meant.length - played.length} skipped`);
  process.exitCode = failed > 0 ? 1 : 0;
});
