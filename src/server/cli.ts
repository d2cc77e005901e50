// Servers as commands: `earshot`, and in a clone `npm start` and `npm run server`.
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import Fastify from "fastify";
import { parseServerAddress } from "../protocol";
import { listenProblem, readCommandLine, readPort } from "./command-line";
import { OptionsError, type ServerOptions } from "./options";
import { startServer, type TopicServer } from "./start-server";
import { addStaticApp } from "./static-app";
import { addressesOf, seedWelcome } from "./welcome";

/** A command that starts a server. */
export interface ServerCommand {
  /** As it is typed, before its arguments. */
  name: string;
  /** Options that the user's own replace. */
  defaults?: ServerOptions;
  /** Folder of the app, which the user can't replace; absent = the topic server alone. */
  app?: string;
}

/**
 * Starts the server of a command line, fills the welcome topic, and says where it is. What is wrong is said on standard
 * error.
 * @returns undefined if it can't start
 */
export async function startByCommand(
  args: readonly string[],
  { name, defaults = {}, app }: ServerCommand,
): Promise<TopicServer | undefined> {
  const read = await readCommandLine(args, process.env);
  if (!read.ok) return refuse([...read.error, `Usage: ${name} [--port N] [--host ADDRESS] [--config FILE]`]);
  const options = { ...defaults, ...read.value, ...(app !== undefined && { app }) };
  const server = await startServer(options).catch((error: unknown) => {
    if (error instanceof OptionsError) return refuse(error.problems);
    const problem = listenProblem(error, options);
    if (problem === undefined) throw error;
    return refuse([problem]);
  });
  if (!server) return undefined;
  const { host, stateFile } = server.settings;
  const { here, elsewhere } = addressesOf(host, server.port);
  if (app !== undefined) {
    // Its disk may be full.
    await seedWelcome(server).catch((error: unknown) => console.error(error));
    console.log(`Earshot is at ${here}/`);
    for (const address of elsewhere) console.log(`On a phone in the same network: ${address}/`);
  } else console.log(`The topic server is at ${here}`);
  console.log(`Send it a message from another terminal:\n\n  curl -d "Hello" ${new URL(here).host}/mytopic\n`);
  console.log(
    stateFile === undefined
      ? "It keeps messages in memory only: they go when it stops. Ctrl-C stops it."
      : "Ctrl-C stops it.",
  );
  return server;
}

/** Ends the program with sentences for its operator, once nothing is left to do. */
function refuse(lines: readonly string[]): undefined {
  for (const line of lines) console.error(line);
  process.exitCode = 1;
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

/** The version in package.json; set by the build. */
declare const __VERSION__: string;

/** Folder of the app in the package, beside that of the commands. */
const APP = join(import.meta.dirname, "../dist");

const HELP = `Usage: earshot [--port N] [--host ADDRESS] [--config FILE]
       earshot --app-only [--server ADDRESS] [--port N] [--host ADDRESS]

Serves the Earshot app with a topic server of its own, until Ctrl-C.

  --port N          port to listen on (8080, or the variable PORT); 0 takes a free one
  --host ADDRESS    address to listen on (127.0.0.1); 0.0.0.0 = every one of this machine
  --config FILE     JSON file with all options of the server (docs/server.md)
  --app-only        serves the app alone, for those who have a topic server
  --server ADDRESS  that server, such as https://ntfy.example.com; the user can add others
  --version         prints the version
  --help            prints this

Exit code: 0 after it was stopped, 1 if it can't start.`;

/** Runs the command `earshot` with its arguments. */
export async function runEarshot(args: readonly string[]): Promise<void> {
  if (args.includes("--help")) return console.log(HELP);
  if (args.includes("--version")) return console.log(__VERSION__);
  if (args.includes("--app-only")) return serveAppOnly(args);
  const server = await startByCommand(args, {
    name: "earshot",
    defaults: { attachments: {}, webPush: {} },
    app: APP,
  });
  if (server) closeOnSignal(() => server.close());
}

/** Serves the app's files alone, below the server that is named. */
async function serveAppOnly(args: readonly string[]): Promise<void> {
  const text = { type: "string" } as const;
  const options = { "app-only": { type: "boolean" }, server: text, port: text, host: text } as const;
  let given: { server?: string | undefined; port?: string | undefined; host?: string | undefined };
  try {
    given = parseArgs({ args: [...args], options }).values;
  } catch (error) {
    return refuse([error instanceof Error ? error.message : String(error), HELP]);
  }
  const port = readPort(given.port, process.env);
  if (!port.ok) return refuse(port.error);
  const server = given.server === undefined ? undefined : parseServerAddress(given.server);
  if (server && !server.ok) return refuse([`--server: ${given.server ?? ""} is no address of a server.`]);
  const at = { host: given.host ?? "127.0.0.1", port: port.value ?? 8080 };
  const app = Fastify({ forceCloseConnections: true });
  await addStaticApp(app, APP, server && { server: server.value });
  try {
    await app.listen(at);
  } catch (error) {
    const problem = listenProblem(error, at);
    if (problem === undefined) throw error;
    return refuse([problem]);
  }
  closeOnSignal(() => app.close());
  const { here, elsewhere } = addressesOf(at.host, (app.server.address() as AddressInfo).port);
  for (const address of [here, ...elsewhere]) console.log(`Earshot is at ${address}/`);
  console.log("Ctrl-C stops it.");
}
