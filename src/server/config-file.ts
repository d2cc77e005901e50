import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type ParseOptions, parse, printParseErrorCode, visit } from "jsonc-parser";
import webPush from "web-push";
import { OptionsError, readOptions, type ServerOptions } from "./options";
import { messageOf } from "./protocol-error";
import { randomId } from "./random-id";

/** A comma may follow the last entry, so that lines can be commented out. */
const FORM: ParseOptions = { allowTrailingComma: true };

/** Path of an option as problems name it, such as `access.users[0].name`. */
const named = (path: readonly (string | number)[]): string =>
  path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`))
    .join("")
    .replace(/^\./, "");

/**
 * Reads a config file, JSON with comments, with the options of docs/server.md. Paths in it are relative to its folder.
 * @returns the options as written
 * @throws OptionsError, whose problems name file and line
 */
export async function readConfigFile(path: string): Promise<ServerOptions> {
  const content = await readFile(path, "utf8").catch((error: unknown) => {
    throw new OptionsError([`${path} can't be read: ${messageOf(error)}`]);
  });
  const lines = new Map<string, number>();
  const faults: string[] = [];
  const note = (line: number, at: () => (string | number)[]) => void lines.set(named(at()), line + 1);
  visit(
    content,
    {
      onObjectBegin: (_offset, _length, line, _column, at) => note(line, at),
      onArrayBegin: (_offset, _length, line, _column, at) => note(line, at),
      onLiteralValue: (_value, _offset, _length, line, _column, at) => note(line, at),
      onError(code, _offset, _length, line) {
        const words = printParseErrorCode(code).replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
        faults.push(`${path}:${line + 1}: this is not JSON: ${words.toLowerCase()}`);
      },
    },
    FORM,
  );
  // What follows the first fault is often its consequence.
  if (faults[0] !== undefined) throw new OptionsError([faults[0]]);
  const options = parse(content, [], FORM) as ServerOptions;
  const checked = readOptions(options);
  if (!checked.ok) {
    const lineOf = (problem: string) => {
      const owners = [...lines.keys()].filter(
        (key) => problem.startsWith(key) && /^[.:[ ]/.test(problem.slice(key.length)),
      );
      return lines.get(owners.sort((a, b) => b.length - a.length)[0] ?? "") ?? 1;
    };
    throw new OptionsError(checked.error.map((problem) => `${path}:${lineOf(problem)}: ${problem}`));
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
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  return `// Options of Earshot's topic server: JSON, in which comments may stand. It holds passwords: keep it to yourself.
// Test it with "earshot check FILE", start the server with "earshot --config FILE". All options: docs/server.md.
{
  // Where it listens; "0.0.0.0" is every address of this machine.
  "host": "127.0.0.1",
  "port": 8080,

  // With a proxy in front, which does https: the address that people open, and trust in what the proxy adds.
  // "baseUrl": "https://earshot.example.com",
  // "behindProxy": true,

  // Keeps messages, accounts and registrations for pushes over restarts. Paths are relative to this file.
  "stateFile": "state.ndjson",
  "attachments": {
    "folder": "attachments",
    // "fileBytes": 15728640,
    // "totalBytes": 5368709120,
    // "keep": "3h",
  },

  // Who may do what: "read-write", "read-only", "write-only" or "deny-all".
  "access": {
    // What is allowed where no rule says anything.
    "default": "deny-all",
    "users": [
      // An admin may do everything. Scripts publish with a token: curl -H "Authorization: Bearer tk_..."
      {
        "name": "admin",
        "password": "${randomBytes(15).toString("base64url")}",
        "role": "admin",
        "tokens": ["tk_${randomId(29, "of lower case")}"],
      },
      // { "name": "ada", "password": "a long password" },
    ],
    "rules": [
      // Whoever is at the door may ring; ada may read that, and do all with topics that begin with house-.
      // { "user": "*", "topic": "doorbell", "allow": "write-only" },
      // { "user": "ada", "topic": "doorbell", "allow": "read-only" },
      // { "user": "ada", "topic": "house-*", "allow": "read-write" },
    ],
  },

  // The keys by which push services know this server. With other ones every browser has to register again.
  "webPush": {
    "publicKey": "${publicKey}",
    "privateKey": "${privateKey}",
    // Whom push services may write to; some refuse pushes without it.
    // "contact": "you@example.com",
  },

  // What one visitor may do, so that nobody holds up others.
  "limits": {
    // "requests": 60,
    // "requestRefill": "5s",
    // "messageBytes": 4096,
    // "streams": 30,
    // "connections": 200,
    // "failedLogins": 30,
  },
}
`;
}
