import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import webPush from "web-push";
import { OptionsError, readOptions, type ServerOptions } from "./options";
import { messageOf } from "./protocol-error";
import { randomId } from "./random-id";

/**
 * Reads a config file, JSON with comments, with the options of docs/server.md. Paths in it are relative to its folder.
 * @returns the options as written
 * @throws OptionsError, whose problems name file and line
 */
export async function readConfigFile(path: string): Promise<ServerOptions> {
  const content = await readFile(path, "utf8").catch((error: unknown) => {
    throw new OptionsError([`${path} can't be read: ${messageOf(error)}`]);
  });
  const at = (offset: number) => `${path}:${content.slice(0, offset).split("\n").length}:`;
  const faults: ParseError[] = [];
  // A comma may follow the last entry, so that lines can be commented out.
  const tree = parseTree(content, faults, { allowTrailingComma: true }) as Node;
  // What follows the first fault is often its consequence.
  const [fault] = faults;
  if (fault) {
    const words = printParseErrorCode(fault.error).replace(/\B[A-Z]/g, (letter) => ` ${letter}`);
    throw new OptionsError([`${at(fault.offset)} this is not JSON: ${words.toLowerCase()}`]);
  }
  const options = getNodeValue(tree) as ServerOptions;
  const checked = readOptions(options);
  if (!checked.ok) {
    const located = checked.error.map((problem) => {
      // Such as `access.users[0].name`; what is missing is looked for in what should hold it.
      const [name = ""] = problem.split(/:| is missing/);
      const parts = (name.match(/[^.[\]]+/g) ?? []).map((part) => (/^\d+$/.test(part) ? Number(part) : part));
      let node = findNodeAtLocation(tree, parts);
      while (!node && parts.pop() !== undefined) node = findNodeAtLocation(tree, parts);
      return `${at(node?.offset ?? 0)} ${problem}`;
    });
    throw new OptionsError(located);
  }
  const folder = dirname(path);
  const { app, stateFile, attachments } = options;
  if (app !== undefined) options.app = resolve(folder, app);
  if (stateFile !== undefined) options.stateFile = resolve(folder, stateFile);
  if (attachments && attachments.folder !== undefined) attachments.folder = resolve(folder, attachments.folder);
  return options;
}

/** A config file to begin with; passwords and keys in it are new. Lines that are comments hold the defaults. */
export function newConfigFile(): string {
  const fresh: Readonly<Record<string, string>> = {
    ...webPush.generateVAPIDKeys(),
    password: randomBytes(15).toString("base64url"),
    token: `tk_${randomId(29, "of lower case")}`,
  };
  const text = readFileSync(join(import.meta.dirname, "new-config.jsonc"), "utf8");
  return text.replace(/"\{(\w+)\}"/g, (_, name: string) => JSON.stringify(fresh[name]));
}
