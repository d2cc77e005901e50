import { createHash } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, closeSync, fstatSync, ftruncateSync, openSync, renameSync, statSync } from "node:fs";
import { access, constants, mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { decodeEvent, guards, isStorable, partsOf } from "../protocol";
import type { Account, Accounts } from "./accounts";
import type { CachedMessage, MessageCache } from "./message-cache";
import { isKeyPair, OptionsError, type PushKeys } from "./options";
import { codeOf, messageOf } from "./protocol-error";
import type { StoredPushChange, PushRegister } from "./web-push";

/** One line of the file: changes that may occur twice, the second time without effect. */
export type StateLine = StoredPushChange &
  Partial<{
    put: CachedMessage;
    /** Ids of scheduled messages that were sent. */
    delivered: string[];
    account: Account;
    /** How many messages were published. */
    published: number;
  }>;

/** What the file keeps. */
interface Kept {
  readonly cache: MessageCache;
  readonly accounts: Accounts | undefined;
  readonly pushRegister: PushRegister;
  published: number;
}

/** The file is rewritten at twice its last size plus this many bytes, as small files aren't worth it. */
const SPARE_BYTES = 256 * 1024;
/** How many lines are written at once; other work runs in between. */
const LINES_AT_ONCE = 500;
/** Systems silently cut longer ones off. */
const MAX_SOCKET_PATH_BYTES = 103;
const LINE_FEED = 10;

const { as, fields, list, maybe, text } = guards;
const integer = as<number>(Number.isSafeInteger);

/** Types of what the server relies on. */
const FIELDS = {
  put: fields({
    event: as((value) => {
      const event = decodeEvent(value);
      return event !== undefined && isStorable(event);
    }),
    // Leaves room for the higher rows of later messages.
    row: as((row) => integer(row) && row < 2 ** 52),
    sender: text,
  }),
  delivered: list(text),
  account: fields({
    ...{ name: text, syncTopic: text },
    tokens: list(fields({ token: text, expires: integer })),
    subscriptions: list(fields({ base_url: text, topic: text })),
  }),
  push: fields({
    endpoint: as((endpoint) => text(endpoint) && endpoint.startsWith("http") && URL.canParse(endpoint)),
    ...{ auth: text, p256dh: text, baseUrl: text, topics: list(text), renewedAt: integer },
  }),
  pushRemoved: text,
  pushKeys: as((keys) => isKeyPair(keys as PushKeys)),
  published: integer,
};
const isLine = fields(
  Object.fromEntries(
    Object.entries(FIELDS).map(([name, guard]: [string, guards.Guard<unknown>]) => [name, maybe(guard)]),
  ),
);

/** How lines begin. */
const BEGINNINGS = Object.keys(FIELDS).map((name) => `{"${name}":`);

/** Where the socket of a state file's lock is: beside it where possible. */
function lockPath(path: string): string {
  const beside = `${path}.lock`;
  const isWindows = process.platform === "win32";
  if (!isWindows && Buffer.byteLength(beside) <= MAX_SOCKET_PATH_BYTES) return beside;
  const hash = createHash("sha256").update(resolve(path)).digest("hex");
  return join(isWindows ? "\\\\?\\pipe" : tmpdir(), `earshot-${hash}.lock`);
}

async function isListening(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    return codeOf(error) !== "ECONNREFUSED" && codeOf(error) !== "ENOENT";
  } finally {
    socket.destroy();
  }
}

async function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).unref();
  await once(server.listen(path), "listening");
  return server;
}

const problem = (what: string, cause: unknown) => new Error(`${what}: ${messageOf(cause)}`, { cause });

/**
 * Keeps messages, accounts and push data as JSON lines: each change is added before it takes place, and the file is
 * rewritten when most of it is out of date. A crash loses nothing; a failing machine may lose the last seconds.
 */
export class StateFile {
  /** Bytes of whole lines in the file, and how many there were after the last rewrite. */
  #bytes = 0;
  #freshBytes = 0;
  /** Lines added during a rewrite. */
  #meanwhile: string[] | undefined;
  #rewriting: Promise<void> | undefined;
  #isFailing = false;
  /** A socket that other servers find in use while this one lives. */
  #lock: Server | undefined;

  constructor(
    private path: string,
    private readonly kept: Kept,
    private readonly report: (error: unknown) => void,
  ) {}

  /**
   * Restores everything from the file. This writes nothing, because the disk may be full.
   * @throws OptionsError if another server uses the file, or this user may not read and write it
   */
  async open(): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true }).catch(this.report);
    // Without this, a rewrite would replace a link with a file.
    this.path = await realpath(this.path).catch(() => this.path);
    await access(this.path, constants.W_OK)
      .catch((error: unknown) => {
        if (codeOf(error) !== "ENOENT") throw error;
        return access(dirname(this.path), constants.W_OK);
      })
      .catch((error: unknown) => {
        throw new OptionsError([problem(`stateFile: ${this.path} can't be written`, error).message]);
      });
    await this.#takeLock();
    try {
      await this.#read();
    } catch (error) {
      await this.#giveLock();
      throw error;
    }
  }

  async #read(): Promise<void> {
    const content = await readFile(this.path).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return Buffer.alloc(0);
      throw new OptionsError([problem(`stateFile: ${this.path} can't be read`, error).message]);
    });
    const bad: number[] = [];
    /** The last line of each, as hashing a password takes a while. */
    const accounts = new Map<string, Account>();
    let count = 0;
    let isOurs = false;
    for (let end; (end = content.indexOf(LINE_FEED, this.#bytes)) >= 0; this.#bytes = end + 1) {
      count++;
      try {
        const line = content.toString("utf8", this.#bytes, end);
        isOurs ||= BEGINNINGS.some((beginning) => line.startsWith(beginning));
        this.#restore(JSON.parse(line), accounts);
      } catch {
        bad.push(count);
      }
    }
    // What follows the last line feed was being written when a server ended.
    const rest = content.toString("utf8", this.#bytes, this.#bytes + 20);
    isOurs ||= count === 0 && BEGINNINGS.some((beginning) => rest.startsWith(beginning) || beginning.startsWith(rest));
    if (!isOurs) throw new OptionsError([`stateFile: ${this.path} is not a state file`]);
    for (const account of accounts.values()) this.kept.accounts?.restore(account);
    if (bad.length > 0)
      this.report(
        new Error(`${this.path}: ${bad.length} of ${count} lines can't be read, the first is line ${bad[0]}`),
      );
  }

  /** Applies a line; those of other versions are skipped. @throws Error if it is damaged */
  #restore(line: unknown, accounts: Map<string, Account>): void {
    if (!isLine(line)) throw new Error("damaged");
    const { cache, pushRegister } = this.kept;
    const { put, delivered, account, push, pushRemoved, pushKeys, published } = line as StateLine;
    if (put) cache.add(put);
    for (const id of delivered ?? []) cache.markDelivered(id);
    if (account) accounts.set(account.name, account);
    if (push) pushRegister.registrations.set(push.endpoint, push);
    if (pushRemoved !== undefined) pushRegister.registrations.delete(pushRemoved);
    if (pushKeys) pushRegister.keys = pushKeys;
    if (published !== undefined) this.kept.published = published;
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

  /** Adds a change that is about to take place. Returns whether it was written; if not, none of it was. */
  keep(line: StateLine): boolean {
    // A rewrite that starts now doesn't hold this change yet.
    if (!this.#meanwhile && this.#bytes > 2 * this.#freshBytes + SPARE_BYTES) this.#rewriting = this.#rewrite();
    const text = `${JSON.stringify(line)}\n`;
    try {
      this.#append(text);
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.report(problem(`${this.path} can't be written`, error));
      this.#isFailing = true;
      return false;
    }
    this.#meanwhile?.push(text);
    return true;
  }

  #append(text: string): void {
    const file = openSync(this.path, "a", 0o600);
    try {
      // Anything beyond is half a line left by a crash.
      const start = Math.min(this.#bytes, fstatSync(file).size);
      ftruncateSync(file, start);
      try {
        appendFileSync(file, text);
      } catch (error) {
        ftruncateSync(file, start);
        throw error;
      }
      this.#bytes = start + Buffer.byteLength(text);
    } finally {
      closeSync(file);
    }
  }

  /** Rewrites the file, and releases it. */
  async close(): Promise<void> {
    await this.#rewriting;
    await this.#rewrite();
    await this.#giveLock();
  }

  /** Writes a new file beside the old one, which stays if that fails. */
  async #rewrite(): Promise<void> {
    const fresh = `${this.path}.new`;
    this.#meanwhile = [];
    try {
      await writeFile(fresh, pieces([...this.#lines()]), { mode: 0o600, flush: true });
      appendFileSync(fresh, this.#meanwhile.join(""), { flush: true });
      const { size } = statSync(fresh);
      renameSync(fresh, this.path);
      this.#bytes = size;
    } catch (error) {
      this.report(problem(`${this.path} can't be written anew`, error));
      await rm(fresh, { force: true }).catch(this.report);
    }
    this.#meanwhile = undefined;
    // After a failure, it is tried again once the file has doubled.
    this.#freshBytes = this.#bytes;
  }

  *#lines(): Generator<StateLine> {
    const { cache, accounts, pushRegister, published } = this.kept;
    yield { published };
    for (const account of accounts?.all() ?? []) yield { account };
    if (pushRegister.keys) yield { pushKeys: pushRegister.keys };
    for (const push of pushRegister.registrations.values()) yield { push };
    for (const put of cache.all()) yield { put };
  }
}

function* pieces(lines: readonly StateLine[]): Generator<string> {
  for (const part of partsOf(lines, LINES_AT_ONCE)) yield part.map((line) => `${JSON.stringify(line)}\n`).join("");
}
