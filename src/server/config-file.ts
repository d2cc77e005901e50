import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Result } from "../protocol";
import { fail, ok } from "../protocol";
import { readOptions, type ServerOptions } from "./options";

/** Makes a path in the file independent of where the server is started. */
function fromFile(path: string, folder: string): string {
  return resolve(folder, path);
}

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
  const folder = dirname(resolve(path));
  const { app, stateFile, attachments } = options;
  return ok({
    ...options,
    ...(app === undefined ? {} : { app: fromFile(app, folder) }),
    ...(stateFile === undefined ? {} : { stateFile: fromFile(stateFile, folder) }),
    ...(attachments && attachments.folder !== undefined
      ? { attachments: { ...attachments, folder: fromFile(attachments.folder, folder) } }
      : {}),
  });
}
