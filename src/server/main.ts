// The topic server alone: npm run server -- [--port N] [--host ADDRESS] [--config FILE]
import { parseArgs } from "node:util";
import { OptionsError, readConfigFile, startServer, type ServerOptions } from "./index";

const USAGE = "Usage: npm run server -- [--port N] [--host ADDRESS] [--config FILE]";

/** Ends with a sentence for the operator. */
function refuse(...lines: readonly string[]): never {
  for (const line of lines) console.error(line);
  process.exit(1);
}

async function readArguments(): Promise<ServerOptions> {
  const text = { type: "string" } as const;
  let given: { port?: string | undefined; host?: string | undefined; config?: string | undefined };
  try {
    given = parseArgs({ options: { port: text, host: text, config: text } }).values;
  } catch (error) {
    refuse(error instanceof Error ? error.message : String(error), USAGE);
  }
  const file = given.config === undefined ? undefined : await readConfigFile(given.config);
  if (file && !file.ok) refuse(...file.error);
  const port = given.port ?? process.env["PORT"];
  if (port !== undefined && !/^\d+$/.test(port)) refuse(`"${port}" is no port.`, USAGE);
  return {
    ...(file?.value ?? {}),
    ...(port === undefined ? {} : { port: Number(port) }),
    ...(given.host === undefined ? {} : { host: given.host }),
  };
}

/** What the system says when the address can't be listened on, in words. */
function listenProblem(error: unknown, { host = "127.0.0.1", port = 8080 }: ServerOptions): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `Port ${port} is taken by another program. Choose a free one with --port.`;
  if (code === "EACCES") return `This user may not listen on port ${port}. Choose one above 1023 with --port.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return `This machine has no address ${host}.`;
  return undefined;
}

const options = await readArguments();
const server = await startServer(options).catch((error: unknown) => {
  if (error instanceof OptionsError) refuse(...error.problems);
  const problem = listenProblem(error, options);
  if (problem === undefined) throw error;
  return refuse(problem);
});

console.log(`The topic server is at ${server.url}`);
console.log(`  curl -d "Hello" ${server.url}/mytopic`);
console.log(`  curl -s ${server.url}/mytopic/json`);
if (server.settings.stateFile === undefined) {
  console.log("It keeps messages in memory only: they go when it stops. Ctrl-C stops it.");
}
if (server.settings.webPush) console.log("Web Push keys are set, but this version does not send pushes.");

let isStopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // Asked again: at once.
    if (isStopping) process.exit(1);
    isStopping = true;
    server.close().catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  });
}
