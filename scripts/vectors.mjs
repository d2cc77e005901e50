// Compares our server with recorded answers of a reference server (tests/vectors): npm run vectors. With --server URL
// --profile NAME it checks another server, and with --record it records that server's answers instead.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SetupError, ensurePackages, withReadableErrors } from "./setup.mjs";

/** @typedef {import("../src/server").ServerOptions} ServerOptions */
/** @typedef {import("../src/server").TopicServer} TopicServer */
/** @typedef {import("../tests/vectors/vector").Vector} Vector */
/** @typedef {(vector: Vector, server: string, given: Record<string, string>) => Promise<string[]>} Play */

/** How many vectors run at once; they mostly wait. */
const AT_ONCE = 12;
/** Maximum number of differences shown per vector. */
const SHOWN = 8;

const TOKEN_ADA = "tk_adasowntokenadasowntokenadaso";
/** A limit that is never reached. */
const PLENTY = 1_000_000_000;

/** @type {ServerOptions} */
const OPEN = {
  port: 0,
  attachments: {},
  // Scheduled messages are sent as soon as they are due, so that vectors needn't wait for the job.
  scheduleInterval: 1,
  limits: { requests: PLENTY, streams: PLENTY, messagesPerDay: PLENTY, topics: PLENTY },
};

/**
 * How the server is started for each profile (tests/vectors/README.md); a profile that is not here is skipped.
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
  push: { ...OPEN, webPush: {} },
};

/** Variables in requests that no earlier step sets. @param {string} token access token of the user ada */
const given = (token) => ({ tokenAda: token, base64TokenAda: Buffer.from(`:${token}`).toString("base64") });

/**
 * Vectors that list their own topics, or are `fresh`, disturb no others; the rest run one after the other, in order.
 * @param {Vector[]} vectors
 * @returns {Vector[][]}
 */
function chains(vectors) {
  const isAlone = (/** @type {Vector} */ { topics, fresh }) => fresh || (topics ?? []).length > 0;
  /** @type {Map<string, Vector[]>} */
  const shared = new Map();
  for (const vector of vectors.filter((each) => !isAlone(each))) {
    shared.set(vector.profile, [...(shared.get(vector.profile) ?? []), vector]);
  }
  // Start slow vectors first, so that the run doesn't end with a long wait for one of them.
  const alone = vectors.filter(isAlone).sort((a, b) => Number(b.slow ?? false) - Number(a.slow ?? false));
  return [...shared.values(), ...alone.map((vector) => [vector])];
}

/** A vector's differences from its recording, as they are printed. @param {Vector} vector @param {string[]} problems */
function fail({ name, section }, problems) {
  console.log(`FAIL ${name} (docs/protocol.md, section ${section})`);
  for (const problem of problems.slice(0, SHOWN)) console.log(`     ${problem}`);
}

/** @param {string} what @param {string} why */
const skip = (what, why) => console.log(`Skipped: ${what}: ${why}.`);

/**
 * The last line, from which npm test takes its totals.
 * @param {number} passed @param {number} failed @param {number} skipped
 */
function close(passed, failed, skipped) {
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exitCode = failed > 0 ? 1 : 0;
}

/**
 * Plays vectors against servers of ours, one for each profile, and prints what differs.
 * @param {Vector[]} vectors
 * @param {Play} play
 */
async function playOurs(vectors, play) {
  const { tsImport } = await import("tsx/esm/api");
  /** @type {{ startServer: (options: ServerOptions) => Promise<TopicServer> }} */
  const { startServer } = await tsImport("../src/server/index.ts", import.meta.url);
  const followed = vectors.filter(({ profile, name, conflict }) => {
    if (conflict) skip(name, `the reference departs from what is specified (${conflict}), and we do not follow`);
    return !conflict && profile in PROFILES;
  });
  for (const profile of new Set(vectors.map((vector) => vector.profile))) {
    if (!(profile in PROFILES)) skip(`profile ${profile}`, "our server does not have it");
  }
  /** @type {Map<string, Promise<TopicServer>>} */
  const servers = new Map();
  let failed = 0;

  /** @param {Vector} vector */
  async function playOne(vector) {
    const options = PROFILES[vector.profile] ?? {};
    const shared = servers.get(vector.profile) ?? (vector.fresh ? undefined : startServer(options));
    if (shared && !vector.fresh) servers.set(vector.profile, shared);
    const server = vector.fresh || !shared ? await startServer(options) : await shared;
    const problems = await play(vector, server.url, given(TOKEN_ADA));
    if (vector.fresh) await server.close();
    if (problems.length === 0) return;
    failed += 1;
    fail(vector, problems);
  }

  const waiting = chains(followed);
  const worker = async () => {
    for (let chain = waiting.shift(); chain; chain = waiting.shift()) {
      for (const vector of chain) await playOne(vector);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  for (const server of servers.values()) await (await server).close();
  close(followed.length - failed, failed, vectors.length - followed.length);
}

await withReadableErrors(async () => {
  const { values } = parseArgs({
    options: {
      only: { type: "string", default: "" },
      server: { type: "string" },
      profile: { type: "string", default: "open" },
      token: { type: "string", default: TOKEN_ADA },
      record: { type: "boolean", default: false },
      as: { type: "string" },
    },
  });
  await ensurePackages();
  const { tsImport } = await import("tsx/esm/api");
  /** @type {typeof import("../tests/vectors/vector")} */
  const { readRecordings, writeRecording, VECTORS_FOLDER } = await tsImport(
    "../tests/vectors/vector.ts",
    import.meta.url,
  );
  /** @type {typeof import("../tests/vectors/record")} */
  const { play, record } = await tsImport("../tests/vectors/record.ts", import.meta.url);

  const recordings = readRecordings();
  const isMeant = (/** @type {Vector} */ { name }) => name.includes(values.only);
  const meant = [...recordings.values()].flatMap(({ vectors }) => vectors.filter(isMeant));
  if (values.server === undefined) {
    if (values.record) throw new SetupError("Say with --server which server is recorded.");
    await playOurs(meant, play);
    return;
  }

  const server = new URL(values.server).origin;
  const isAsked = (/** @type {Vector} */ vector) => isMeant(vector) && vector.profile === values.profile;
  if (!values.record) {
    let failed = 0;
    const asked = meant.filter(isAsked);
    for (const vector of asked) {
      const problems = await play(vector, server, given(values.token));
      if (problems.length === 0) continue;
      failed += 1;
      fail(vector, problems);
    }
    close(asked.length - failed, failed, meant.length - asked.length);
    return;
  }

  if (values.as === undefined) throw new SetupError('Say with --as what is recorded, such as --as "ntfy 2.13".');
  const recorded = `${values.as}, on ${new Date().toISOString().slice(0, "2026-01-01".length)}`;
  for (const [file, { vectors }] of recordings) {
    if (!vectors.some(isAsked)) continue;
    const anew = [];
    for (const vector of vectors)
      anew.push(isAsked(vector) ? await record(vector, server, given(values.token)) : vector);
    writeFileSync(join(VECTORS_FOLDER, file), writeRecording({ recorded, vectors: anew }));
    console.log(`${file}: ${vectors.filter(isAsked).length} of ${vectors.length} vectors recorded.`);
  }
});
