import { createHash } from "node:crypto";
import { mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { decodeEvent, guards, isStorable } from "../protocol";
import type { Account } from "./accounts";
import type { Core } from "./core";
import type { CachedMessage } from "./message-cache";
import { isKeyPair, OptionsError, type PushKeys } from "./options";
import { codeOf, messageOf } from "./protocol-error";
import type { PushRegistration } from "./web-push";

/** One line of the file: one of these. */
type StateLine = Partial<{
  put: CachedMessage;
  account: Account;
  push: PushRegistration;
  pushKeys: PushKeys;
  /** How many messages were published. */
  published: number;
}>;

/** How long after a change the file is written. */
const WAIT_S = 1;
/** Between two writes passes this many times the time that the first one took. */
const REST = 20;
/** How many lines are written at once; other work runs in between. */
const LINES_AT_ONCE = 500;
/** Nothing can take the place of a file that is mounted alone, as into a container: it is written in place. */
const IRREPLACEABLE: unknown[] = ["EBUSY", "EACCES", "EROFS"];
/** Systems cut longer ones off without a word. */
const MAX_SOCKET_PATH_BYTES = 103;

const { as, fields, list, maybe, text } = guards;
const integer = as<number>(Number.isSafeInteger);

/** Types of what the server relies on. */
const FIELDS = {
  put: fields({
    event: as((event) => {
      const decoded = decodeEvent(event);
      return decoded.ok && isStorable(decoded.value);
    }),
    row: integer,
    sender: text,
  }),
  account: fields({
    ...{ name: text, syncTopic: text },
    tokens: list(fields({ token: text, expires: integer })),
    subscriptions: list(fields({ base_url: text, topic: text })),
  }),
  push: fields({
    endpoint: as((endpoint) => text(endpoint) && endpoint.startsWith("http") && URL.canParse(endpoint)),
    ...{ auth: text, p256dh: text, baseUrl: text, topics: list(text), renewedAt: integer },
  }),
  pushKeys: as((keys) => isKeyPair(keys as PushKeys)),
  published: integer,
};
const isLine = fields(
  Object.fromEntries(
    Object.entries(FIELDS).map(([name, guard]: [string, guards.Guard<unknown>]) => [name, maybe(guard)]),
  ),
);

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

const problem = (what: string, cause: unknown) => new Error(`${what}: ${messageOf(cause)}`, { cause });

/** Keeps messages, accounts and push data as JSON lines, written anew after changes. A crash loses the last second. */
export class StateFile {
  /** Set while a change waits to be written. */
  #stopWaiting: (() => void) | undefined;
  #waitS = WAIT_S;
  /** All writes begun, one after the other; never rejects. */
  #writing: Promise<void> = Promise.resolve();
  #isFailing = false;
  /** A socket that other servers find in use while this one lives. */
  #lock: Server | undefined;

  constructor(
    private path: string,
    private readonly core: Core,
  ) {}

  /**
   * Fills what it keeps from the file. This writes nothing, because the disk may be full.
   * @throws Error with a message for the operator if another server uses the file, or it can't be read
   */
  async open(): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true }).catch(this.core.report);
    // A link would be replaced by what it leads to.
    this.path = await realpath(this.path).catch(() => this.path);
    await this.#takeLock();
    try {
      await this.#read();
    } catch (error) {
      await this.#giveLock();
      throw error;
    }
  }

  async #read(): Promise<void> {
    const content = await readFile(this.path, "utf8").catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return "";
      throw new OptionsError([problem(`stateFile: ${this.path} can't be read`, error).message]);
    });
    const lines = content.replace(/\n$/, "").split("\n");
    const bad: number[] = [];
    let isOurs = content === "";
    for (const [at, line] of content === "" ? [] : lines.entries()) {
      try {
        isOurs = this.#restore(JSON.parse(line)) || isOurs;
      } catch {
        bad.push(at + 1);
      }
    }
    if (!isOurs) throw new OptionsError([`stateFile: ${this.path} is not a state file`]);
    if (bad.length > 0)
      this.core.report(
        new Error(`${this.path}: ${bad.length} of ${lines.length} lines can't be read, the first is line ${bad[0]}`),
      );
  }

  /** Applies a line; those of other versions are skipped. Returns whether it is known. @throws Error if it is damaged */
  #restore(line: unknown): boolean {
    if (!isLine(line)) throw new Error("damaged");
    const { cache, accounts, pushRegister } = this.core;
    const { put, account, push, pushKeys, published } = line as StateLine;
    if (put) cache.add(put);
    if (account) accounts?.restore(account);
    if (push) pushRegister.registrations.set(push.endpoint, push);
    if (pushKeys) pushRegister.keys = pushKeys;
    if (published !== undefined) this.core.published = published;
    return Object.keys(line).some((name) => name in FIELDS);
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
      this.core.report(problem(`a second server would not be noticed, as ${path} can't be made`, error));
    }
  }

  async #giveLock(): Promise<void> {
    const lock = this.#lock;
    if (lock) await new Promise((done) => lock.close(done));
  }

  /** Has a change written soon. */
  readonly changed = (): void => {
    this.#stopWaiting ??= this.core.clock.every(this.#waitS, () => void this.#writeNext());
  };

  /** Writes what has changed, and releases the file. */
  async close(): Promise<void> {
    await (this.#stopWaiting ? this.#writeNext() : this.#writing);
    this.#stopWaiting?.();
    await this.#giveLock();
  }

  #writeNext(): Promise<void> {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    return (this.#writing = this.#writing.then(() => this.#write()));
  }

  /** Writes the file anew. If that fails, the old one stays, and it is tried again. */
  async #write(): Promise<void> {
    const fresh = `${this.path}.new`;
    const { clock, report } = this.core;
    const beganMs = clock.nowMs();
    try {
      const options = { mode: 0o600, flush: true };
      await writeFile(fresh, this.#pieces(), options)
        .then(() => rename(fresh, this.path))
        .catch((error: unknown) => {
          if (!IRREPLACEABLE.includes(codeOf(error))) throw error;
          return writeFile(this.path, this.#pieces(), options);
        });
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) report(problem(`${this.path} can't be written`, error));
      this.#isFailing = true;
    }
    await rm(fresh, { force: true }).catch(report);
    this.#waitS = Math.max(WAIT_S, (REST * (clock.nowMs() - beganMs)) / 1000);
    if (this.#isFailing) this.changed();
  }

  *#lines(): Generator<StateLine> {
    const { cache, accounts, pushRegister, published } = this.core;
    yield { published };
    for (const account of accounts?.all() ?? []) yield { account };
    if (pushRegister.keys) yield { pushKeys: pushRegister.keys };
    for (const push of pushRegister.registrations.values()) yield { push };
    for (const put of cache.all()) yield { put };
  }

  *#pieces(): Generator<string> {
    let piece = "";
    let count = 0;
    for (const line of this.#lines()) {
      piece += `${JSON.stringify(line)}\n`;
      if (++count % LINES_AT_ONCE !== 0) continue;
      yield piece;
      piece = "";
    }
    yield piece;
  }
}
