// Servers as commands: `earshot`, and in a clone `npm start` and `npm run server`.
import { writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import Fastify from "fastify";
import { parseServerAddress, type ServerAddress } from "../protocol";
import { checkConfig, listenProblem } from "./check";
import { newConfigFile, readConfigFile } from "./config-file";
import { MAX_PORT, OptionsError, PACKAGE_DEFAULTS, type ServerOptions } from "./options";
import { codeOf, messageOf } from "./protocol-error";
import { startServer, type TopicServer } from "./start-server";
import { addStaticApp } from "./static-app";
import { addressesOf, seedWelcome } from "./welcome";

export interface ServerCommand {
  /** Printed when the arguments are wrong. */
  usage: string;
  /** Options that the user's own override. */
  defaults?: ServerOptions;
  /** Folder of the app, which the user can't change; absent = the topic server alone. */
  app?: string;
}

/**
 * Starts the server of a command line, fills the welcome topic, and prints the address. Errors go to standard error.
 * @returns undefined if it can't start
 */
export function startByCommand(
  args: readonly string[],
  { usage, defaults = {}, app }: ServerCommand,
): Promise<TopicServer | undefined> {
  return orRefuse(usage, async () => {
    const options = { ...defaults, ...(await readCommandLine(args, process.env)), ...(app !== undefined && { app }) };
    const server = await startServer(options).catch((error: unknown) => {
      throw listenProblem(error, options);
    });
    const { access, host, stateFile } = server.settings;
    const { here, elsewhere } = addressesOf(host, server.port);
    if (app !== undefined) {
      // Its disk may be full.
      await seedWelcome(server).catch((error: unknown) => console.error(error));
      console.log(`Earshot is at ${here}/`);
      for (const address of elsewhere) console.log(`On a phone in the same network: ${address}/`);
    } else console.log(`The topic server is at ${here}`);
    // curl asks for the password.
    const as = access && !/write/.test(access.default) ? `-u ${access.users[0]?.name ?? "NAME"} ` : "";
    console.log(`Send it a message from another terminal:\n\n  curl ${as}-d "Hello" ${new URL(here).host}/mytopic\n`);
    const warning = stateFile === undefined ? "It keeps messages in memory only: they go when it stops. " : "";
    console.log(`${warning}Ctrl-C stops it.`);
    return server;
  });
}

/** Runs something; what the operator has to put right is printed, and the program ends. */
async function orRefuse<T>(usage: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const isUsage = String(codeOf(error)).startsWith("ERR_PARSE_ARGS");
    if (!isUsage && !(error instanceof OptionsError)) throw error;
    for (const line of isUsage ? [messageOf(error), usage] : (error as OptionsError).problems) console.error(line);
    process.exitCode = 1;
    return undefined;
  }
}

/** Closes a server on Ctrl-C or when the system asks; a second request ends the program at once. */
export function closeOnSignal(close: () => Promise<unknown>): void {
  let isStopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      close().catch((error: unknown) => {
        console.error(error);
        process.exit(1);
      });
    });
  }
}

const text = { type: "string" } as const;

/** The version in package.json; set by the build. */
declare const __VERSION__: string;

/** Folder of the app in the package, beside that of the commands. */
const APP = join(import.meta.dirname, "../dist");

const HELP = `Usage: earshot [--port N] [--host ADDRESS] [--config FILE]
       earshot --app-only [--server ADDRESS] [--port N] [--host ADDRESS]
       earshot init [FILE]
       earshot check [FILE] [--time ADDRESS]

Serves the Earshot app with a topic server of its own, until Ctrl-C.

  init              writes a config file with comments, an admin and keys for pushes (earshot.json)
  check             reads it, and tests port, folders, certificate and keys for pushes; asks only this
                    machine and the server at its baseUrl
  --time ADDRESS    server to compare the clock with, such as https://fcm.googleapis.com

  --port N          port to listen on (8080, or the variable PORT); 0 takes a free one
  --host ADDRESS    address to listen on (127.0.0.1); 0.0.0.0 = every one of this machine
  --config FILE     file with all options of the server (docs/server.md)
  --app-only        serves the app alone, for those who have a topic server
  --server ADDRESS  that server, such as https://ntfy.example.com; the user can add others
  --version         prints the version
  --help            prints this

Exit code: 0 after it was stopped or nothing is at fault, 1 if it can't start or something is.`;

/** Runs the command `earshot` with its arguments. */
export async function runEarshot(args: readonly string[]): Promise<void> {
  if (args.includes("--help")) return console.log(HELP);
  if (args.includes("--version")) return console.log(__VERSION__);
  if (args.includes("--app-only")) return serveAppOnly(args);
  const [command, ...rest] = args;
  if (command === "init") return orRefuse(HELP, () => writeConfig(rest));
  if (command === "check") return orRefuse(HELP, () => check(rest));
  const server = await startByCommand(args, { usage: HELP, defaults: PACKAGE_DEFAULTS, app: APP });
  if (server) closeOnSignal(() => server.close());
}

/** The config file that was named. @throws OptionsError */
function oneFile([file = "earshot.json", ...more]: string[]): string {
  if (more.length > 0) throw new OptionsError([`Name one file, not ${more.length + 1}.`]);
  return file;
}

/** Writes a new config file. @throws OptionsError */
async function writeConfig(args: string[]): Promise<void> {
  const file = oneFile(parseArgs({ args, allowPositionals: true }).positionals);
  await writeFile(file, newConfigFile(), { flag: "wx", mode: 0o600 }).catch((error: unknown) => {
    const isThere = codeOf(error) === "EEXIST";
    throw new OptionsError([isThere ? `${file} is there already.` : `${file} can't be written: ${messageOf(error)}`]);
  });
  console.log(`${file} is written; the password of "admin" is in it. Look through it, then:\n`);
  console.log(`  earshot check ${file}\n  earshot --config ${file}`);
}

/** Prints what is right and wrong with a config file. @throws OptionsError */
async function check(args: string[]): Promise<void> {
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { time: text } });
  const file = oneFile(positionals);
  const { time } = values;
  const timeFrom = time === undefined ? undefined : readServer("--time", time);
  const findings = await checkConfig(file, { fetch, nowMs: Date.now, timeFrom });
  for (const { is, words } of findings) console.log(`${is.padEnd(5)}  ${words}`);
  if (findings.some(({ is }) => is === "fault")) process.exitCode = 1;
}

/** An address that was given for an option. @throws OptionsError */
function readServer(option: string, address: string): ServerAddress {
  const server = parseServerAddress(address);
  if (!server.ok) throw new OptionsError([`${option}: ${address} is no address of a server.`]);
  return server.value;
}

/** Serves the app's files alone, set to use the server that is named. */
async function serveAppOnly(args: readonly string[]): Promise<void> {
  await orRefuse(HELP, async () => {
    const options = { "app-only": { type: "boolean" }, server: text, port: text, host: text } as const;
    const given = parseArgs({ args: [...args], options }).values;
    const server = given.server === undefined ? undefined : { server: readServer("--server", given.server) };
    const at = { host: given.host ?? "127.0.0.1", port: readPort(given.port, process.env) ?? 8080 };
    const app = Fastify({ forceCloseConnections: true });
    await addStaticApp(app, APP, server);
    await app.listen(at).catch((error: unknown) => {
      throw listenProblem(error, at);
    });
    closeOnSignal(() => app.close());
    const { here, elsewhere } = addressesOf(at.host, (app.server.address() as AddressInfo).port);
    for (const address of [here, ...elsewhere]) console.log(`Earshot is at ${address}/`);
    console.log("Ctrl-C stops it.");
  });
}

/**
 * Reads the options of a server from a command line: `--port` (or the variable `PORT`), `--host`, and a file with all
 * options, over which the other two win.
 * @returns the options that were given
 * @throws OptionsError, or the error of `parseArgs`
 */
export async function readCommandLine(args: readonly string[], variables: NodeJS.ProcessEnv): Promise<ServerOptions> {
  const { config, host, ...given } = parseArgs({
    args: [...args],
    options: { port: text, host: text, config: text },
  }).values;
  const options = config === undefined ? {} : await readConfigFile(config);
  const port = readPort(given.port, variables);
  return { ...options, ...(port !== undefined && { port }), ...(host !== undefined && { host }) };
}

/** Reads the given port, else the variable `PORT`; undefined if there is neither. @throws OptionsError */
function readPort(given: string | undefined, variables: NodeJS.ProcessEnv): number | undefined {
  // An empty variable counts as unset.
  const port = given ?? (variables["PORT"] || undefined);
  if (port === undefined) return undefined;
  if (/^\d{1,5}$/.test(port) && Number(port) <= MAX_PORT) return Number(port);
  throw new OptionsError([`A port is a whole number from 0 to ${MAX_PORT}, not ${port}.`]);
}
