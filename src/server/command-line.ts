import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Result, fail, ok } from "../protocol";
import { readOptions, type ServerOptions } from "./options";
import { codeOf } from "./protocol-error";

/**
 * Reads a config file, JSON with the options of docs/server.md. Paths in it are relative to its folder.
 * @returns the options as written, checked; or every problem as a sentence
 */
export async function readConfigFile(path: string): Promise<Result<ServerOptions, string[]>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    return fail([`${path} can't be read: ${error instanceof Error ? error.message : String(error)}`]);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return fail([`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`]);
  }
  const checked = readOptions(value);
  if (!checked.ok) return fail(checked.error.map((problem) => `${path}: ${problem}`));
  // It has just been checked, so the type is right.
  const options = value as ServerOptions;
  const folder = dirname(path);
  const { app, stateFile, attachments } = options;
  if (app !== undefined) options.app = resolve(folder, app);
  if (stateFile !== undefined) options.stateFile = resolve(folder, stateFile);
  if (attachments && attachments.folder !== undefined) attachments.folder = resolve(folder, attachments.folder);
  return ok(options);
}

const MAX_PORT = 65_535;

/**
 * Reads the options of a server from a command line: `--port` (or the variable `PORT`), `--host`, and a file with all
 * options, over which the other two win.
 * @returns the options that were given; or every problem as a sentence
 */
export async function readCommandLine(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Result<ServerOptions, string[]>> {
  const text = { type: "string" } as const;
  let given: { port?: string | undefined; host?: string | undefined; config?: string | undefined };
  try {
    given = parseArgs({ args: [...args], options: { port: text, host: text, config: text } }).values;
  } catch (error) {
    return fail([error instanceof Error ? error.message : String(error)]);
  }
  const file = given.config === undefined ? ok({}) : await readConfigFile(given.config);
  if (!file.ok) return file;
  const port = readPort(given.port, environment);
  if (!port.ok) return port;
  return ok({
    ...file.value,
    ...(port.value === undefined ? {} : { port: port.value }),
    ...(given.host === undefined ? {} : { host: given.host }),
  });
}

/** Reads a port as it was given, or of the variable `PORT`; undefined if there is neither. */
export function readPort(
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Result<number | undefined, string[]> {
  // An empty variable counts as unset.
  const port = given ?? (environment["PORT"] || undefined);
  if (port === undefined || (/^\d{1,5}$/.test(port) && Number(port) <= MAX_PORT))
    return ok(port === undefined ? undefined : Number(port));
  return fail([`A port is a whole number from 0 to ${MAX_PORT}, not ${port}.`]);
}

/** Explains why the server can't listen at its address; undefined for any other error. */
export function listenProblem(error: unknown, { host = "127.0.0.1", port = 8080 }: ServerOptions): string | undefined {
  const code = codeOf(error);
  if (code === "EADDRINUSE") return `Port ${port} is taken by another program. Choose a free one with --port.`;
  if (code === "EACCES") return `This user may not listen on port ${port}. Choose one above 1023 with --port.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") return `This machine has no address ${host}.`;
  return undefined;
}
