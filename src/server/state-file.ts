import { createHash } from "node:crypto";
import { mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { decodeEvent, isStorable } from "../protocol";
import type { Account, Accounts } from "./accounts";
import type { CachedMessage, MessageCache } from "./message-cache";
import { isKeyPair, OptionsError } from "./options";
import { codeOf } from "./protocol-error";
import type { RegisterChange, PushRegister } from "./push-register";
import type { Statistics } from "./statistics";

/** One line of the file: a change. A change may occur twice; the second one has no effect. */
export type StateLine =
  { put: CachedMessage } | { delivered: string } | { account: Account } | RegisterChange | { published: number };

/** What the file keeps. */
export interface KeptState {
  cache: MessageCache;
  accounts: Accounts | undefined;
  push: PushRegister;
  statistics: Statistics;
}

/** Keeps a change; resolves when it is kept, and rejects if it can't be. */
export type Keep = (line: StateLine) => Promise<void>;

/** The file is rewritten at twice the needed size and this many bytes more: small files aren't worth it. */
const SPARE_BYTES = 256 * 1024;
/** How many lines are written at once; other work runs in between. */
const REWRITE_LINES = 500;
/** Systems cut longer ones off without a word. */
const MAX_SOCKET_PATH_BYTES = 103;
const LINE_FEED = 10;

/** What each line begins with. */
const BEGINNINGS = ["put", "delivered", "account", "push", "pushRemoved", "pushKeys", "published"].map(
  (kind) => `{"${kind}":`,
);

function hasTexts(value: unknown, ...keys: string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Record<string, unknown>;
  return keys.every((key) => typeof fields[key] === "string");
}

/** Whether every value of a line has the type that the server relies on. */
function isIntact(line: StateLine): boolean {
  if ("put" in line) {
    const { event, row } = line.put;
    const decoded = decodeEvent(event);
    return decoded.ok && isStorable(decoded.value) && Number.isSafeInteger(row) && hasTexts(line.put, "sender");
  }
  if ("account" in line) {
    const { tokens, subscriptions } = line.account;
    const areTokens = tokens.every((token) => hasTexts(token, "token") && Number.isSafeInteger(token.expires));
    const areListed = subscriptions.every((listed) => hasTexts(listed, "base_url", "topic"));
    return hasTexts(line.account, "name", "syncTopic") && areTokens && areListed;
  }
  if ("push" in line) {
    const { endpoint, topics, renewedAt } = line.push;
    if (!hasTexts(line.push, "endpoint", "auth", "p256dh", "baseUrl")) return false;
    const isAddress = endpoint.startsWith("http") && URL.canParse(endpoint);
    return isAddress && Array.isArray(topics) && Number.isSafeInteger(renewedAt);
  }
  if ("pushKeys" in line) return isKeyPair(line.pushKeys);
  return !("published" in line) || Number.isSafeInteger(line.published);
}

/** Applies a line of the file; unknown lines of older versions are skipped. @throws Error if it is damaged */
function restore({ cache, accounts, push, statistics }: KeptState, line: StateLine): void {
  if (!isIntact(line)) throw new Error("damaged");
  if ("put" in line) cache.add(line.put);
  else if ("delivered" in line) cache.markDelivered(line.delivered);
  else if ("account" in line) accounts?.restore(line.account);
  else if ("push" in line) push.restore(line.push);
  else if ("pushRemoved" in line) push.forget(line.pushRemoved);
  else if ("pushKeys" in line) push.keys = line.pushKeys;
  else if ("published" in line) statistics.startFrom(line.published);
}

/** Where the socket of a state file's lock is: beside it where possible. */
function lockPath(path: string): string {
  const beside = `${path}.lock`;
  const isWindows = process.platform === "win32";
  if (!isWindows && Buffer.byteLength(beside) <= MAX_SOCKET_PATH_BYTES) return beside;
  const hash = createHash("sha256").update(resolve(path)).digest("hex");
  return join(isWindows ? "\\\\?\\pipe" : tmpdir(), `earshot-${hash}.lock`);
}

/** Whether a program listens at a socket. */
function isListening(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path, () => done(true));
    socket.on("connect", () => socket.destroy());
    socket.on("error", (error) => done(codeOf(error) !== "ECONNREFUSED" && codeOf(error) !== "ENOENT"));
  });
}

function listen(path: string): Promise<Server> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.destroy()).unref();
    server.once("error", fail).listen(path, () => done(server));
  });
}

const problem = (text: string, cause: unknown) =>
  new Error(`${text}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });

/** Keeps messages, accounts and push data as JSON lines, rewritten when outdated. A crash loses only open writes. */
export class StateFile {
  #lines: string[] = [];
  /** All writes begun, one after the other; never rejects. */
  #writing: Promise<unknown> = Promise.resolve();
  /** The next write, which takes all lines that come before it begins. */
  #next: Promise<void> | undefined;
  /** Bytes of whole lines in the file, and how many it had when it was last rewritten. */
  #bytes = 0;
  #freshBytes = 0;
  /** A socket that other servers find in use while this one lives. */
  #lock: Server | undefined;

  /** @param report called with what the operator should know */
  constructor(
    private path: string,
    private readonly state: KeptState,
    private readonly report: (error: unknown) => void,
  ) {}

  /**
   * Fills what it keeps from the file. This writes nothing, because the disk may be full.
   * @throws Error with a message for the operator if another server uses the file, or it can't be read
   */
  async open(): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true }).catch(this.report);
    // A link would be replaced by what it leads to.
    this.path = await realpath(this.path).catch(() => this.path);
    await this.#takeLock();
    try {
      await this.#read();
    } catch (error) {
      await this.#giveLock();
      throw error;
    }
    await this.#rewrite();
  }

  async #read(): Promise<void> {
    let content: Buffer;
    try {
      content = await readFile(this.path);
    } catch (error) {
      if (codeOf(error) !== "ENOENT")
        throw new OptionsError([problem(`stateFile: ${this.path} can't be read`, error).message]);
      content = Buffer.alloc(0);
    }
    const bad: number[] = [];
    let number = 0;
    let isOurs = false;
    // What follows the last line feed was being written when the server died.
    for (let end; (end = content.indexOf(LINE_FEED, this.#bytes)) >= 0; this.#bytes = end + 1) {
      number++;
      const line = content.toString("utf8", this.#bytes, end);
      isOurs ||= BEGINNINGS.some((beginning) => line.startsWith(beginning));
      try {
        restore(this.state, JSON.parse(line) as StateLine);
      } catch {
        bad.push(number);
      }
    }
    const rest = content.toString("utf8", this.#bytes);
    const isBegun = BEGINNINGS.some((beginning) => rest.startsWith(beginning) || beginning.startsWith(rest));
    if (!isOurs && !(number === 0 && isBegun)) throw new OptionsError([`stateFile: ${this.path} is not a state file`]);
    if (bad.length > 0)
      this.report(
        new Error(`${this.path}: ${bad.length} of ${number} lines can't be read, the first is line ${bad[0]}`),
      );
  }

  async #takeLock(): Promise<void> {
    const path = lockPath(this.path);
    try {
      this.#lock = await listen(path).catch(async (error: unknown) => {
        if (codeOf(error) !== "EADDRINUSE" || (await isListening(path))) throw error;
        await rm(path, { force: true });
        return listen(path);
      });
    } catch (error) {
      if (codeOf(error) === "EADDRINUSE") throw new OptionsError([`stateFile: another server is using ${this.path}`]);
      this.report(problem(`a second server would not be noticed, as ${path} can't be made`, error));
    }
  }

  async #giveLock(): Promise<void> {
    const lock = this.#lock;
    if (lock) await new Promise((done) => lock.close(done));
  }

  /** Writes a change. @returns resolves when it is in the file; rejects if it can't be written, and then it isn't */
  readonly keep: Keep = (line) => {
    this.#lines.push(`${JSON.stringify(line)}\n`);
    // Lines that come while one write runs go together into the next.
    this.#next ??= this.#inTurn(() => {
      const text = this.#lines.join("");
      this.#lines = [];
      this.#next = undefined;
      return this.#write(text);
    });
    return this.#next;
  };

  /** Writes what is pending, rewrites the file, and releases it. */
  async close(): Promise<void> {
    await this.#inTurn(() => this.#rewrite());
    await this.#giveLock();
  }

  #inTurn(write: () => Promise<void>): Promise<void> {
    const next = this.#writing.then(write);
    this.#writing = next.catch(() => undefined);
    return next;
  }

  async #write(text: string): Promise<void> {
    const needed = Math.max(this.#freshBytes, this.state.cache.totalBytes);
    if (this.#bytes > 2 * needed + SPARE_BYTES) await this.#rewrite();
    const handle = await open(this.path, "a", 0o600);
    try {
      // Anything more is half a line of a crash.
      const start = Math.min(this.#bytes, (await handle.stat()).size);
      await handle.truncate(start);
      try {
        await handle.appendFile(text);
      } catch (error) {
        await handle.truncate(start);
        throw error;
      }
      this.#bytes = start + Buffer.byteLength(text);
    } finally {
      await handle.close();
    }
  }

  *#kept(): Generator<StateLine> {
    const { cache, accounts, push, statistics } = this.state;
    yield { published: statistics.messages };
    for (const account of accounts?.all() ?? []) yield { account };
    if (push.keys) yield { pushKeys: push.keys };
    for (const registration of push.all()) yield { push: registration };
    for (const put of cache.all()) yield { put };
  }

  *#pieces(): Generator<string> {
    let piece: string[] = [];
    for (const line of this.#kept()) {
      if (piece.push(`${JSON.stringify(line)}\n`) < REWRITE_LINES) continue;
      yield piece.join("");
      piece = [];
    }
    yield piece.join("");
  }

  /** Writes the file anew; if that fails, the old one stays. Changes made meanwhile are written after it, perhaps a second time. */
  async #rewrite(): Promise<void> {
    const fresh = `${this.path}.new`;
    try {
      await writeFile(fresh, this.#pieces(), { mode: 0o600, flush: true });
      const { size } = await stat(fresh);
      await rename(fresh, this.path);
      this.#bytes = size;
    } catch (error) {
      this.report(problem(`${this.path} can't be written anew`, error));
      await rm(fresh, { force: true }).catch(this.report);
    }
    // After a failure, it is tried again once the file has doubled.
    this.#freshBytes = this.#bytes;
  }
}
