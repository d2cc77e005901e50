import { spawn } from "node:child_process";
import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { ROOT } from "../../scripts/source-hash.mjs";
import { CLIENTS } from "./clients";
import { openStage } from "./stage";
import { comparisonOf, mergedRows, type Result, type Row } from "./table";
import { elsewhereRow, ROW_ORDER, TRIALS } from "./trials";

const RESULTS = new URL("../../.cache/compare/", import.meta.url);
const LOOPBACK = ["127.0.0.1", "localhost"];

const { values } = parseArgs({
  options: { client: { type: "string", default: "earshot" }, url: { type: "string" }, only: { type: "string" } },
});

/** Ends with a message on what was wrong with the command. */
function refuse(why: string): never {
  console.error(why);
  process.exit(1);
}

const client = CLIENTS[values.client];
if (!client) refuse(`There is no client ${values.client}; there are: ${Object.keys(CLIENTS).join(", ")}`);
const only = values.only?.split(",").map((name) => name.trim());
const unknown = only?.filter((name) => !TRIALS.some((one) => one.name === name)) ?? [];
if (unknown.length > 0) {
  refuse(`There is no ${unknown.join(", ")}; there are: ${TRIALS.map(({ name }) => name).join(", ")}`);
}

/** The app with its own server, as `npm start` runs it, but with limits that no trial meets. */
async function startOwn(): Promise<{ url: string; stop(): void }> {
  const args = ["scripts/start.mjs", "--port", "0", "--config", "tests/compare/server.json"];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stdout.on("data", (bytes: Buffer) => {
      said += String(bytes);
      const [, found] = /Earshot is at (http:\S+)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on("close", () => reject(new Error(`The server ended: ${said}`)));
  });
  return { url, stop: () => void child.kill() };
}

const own = values.url === undefined && values.client === "earshot" ? await startOwn() : undefined;
const address = values.url ?? own?.url ?? refuse("--url is missing: the address of the server with its web client.");
const server = new URL(address);
if (server.protocol !== "http:" || !LOOPBACK.includes(server.hostname)) {
  own?.stop();
  refuse("Thousands of messages are sent, so only a server on this machine is tried: http://127.0.0.1:PORT");
}

await mkdir(RESULTS, { recursive: true });
const file = new URL(`${values.client}.json`, RESULTS);
const before = await readFile(file, "utf8").then(
  (text) => JSON.parse(text) as Result,
  () => undefined,
);
let rows: readonly Row[] = before?.rows ?? [];
const otherHosts = new Set(before?.otherHosts);
const stage = await openStage(client, server);
try {
  for (const trial of TRIALS.filter(({ name }) => only?.includes(name) ?? true)) {
    console.log(`${client.title}, ${trial.name}`);
    const found = await trial.run(stage);
    for (const { what, cell } of found) console.log(`  ${what}: ${cell}`);
    for (const host of stage.others.asked) otherHosts.add(host);
    rows = mergedRows(rows, [...found, elsewhereRow([...otherHosts])]);
    const result: Result = { client: client.title, rows, otherHosts: [...otherHosts] };
    await writeFile(file, `${JSON.stringify(result, undefined, 2)}\n`);
  }
} finally {
  await stage.close();
  own?.stop();
}

const results: Result[] = [];
for (const name of (await readdir(RESULTS)).filter((name) => name.endsWith(".json")).sort()) {
  results.push(JSON.parse(await readFile(new URL(name, RESULTS), "utf8")) as Result);
}
console.log(`\n${comparisonOf(results, ROW_ORDER)}`);
