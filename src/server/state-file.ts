import { appendFile, mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { Account, Accounts } from "./accounts";
import type { CachedMessage, CacheObserver, MessageCache } from "./message-cache";
import type { PushKeys } from "./push-keys";
import type { PushObserver, PushRegister, PushRegistration } from "./push-register";

/** One line of the file: a change. A change may occur twice; the second one has no effect. */
type Line =
  | { put: CachedMessage }
  | { delivered: string }
  | { removed: readonly string[] }
  | { account: Account }
  | { push: PushRegistration }
  | { pushRemoved: string }
  | { pushKeys: PushKeys }
  | { published: number };

/**
 * The file is rewritten once it exceeds twice the needed size by this many bytes, as small files aren't worth the work.
 */
const SPARE_BYTES = 256 * 1024;
/** How many lines are written at once; other work runs in between. */
const REWRITE_LINES = 500;

/**
 * Keeps the cache, the accounts and what belongs to Web Push in a file of JSON lines that only grows, and is rewritten when most of it is out of
 * date. A crash loses at most the line being written.
 */
export class StateFile implements CacheObserver, PushObserver {
  #lines: string[] = [];
  #writing: Promise<void> = Promise.resolve();
  /** Bytes of the file, and how many it had when it was written anew. */
  #bytes = 0;
  #freshBytes = 0;
  #cache: MessageCache | undefined;
  #accounts: Accounts | undefined;
  #push: PushRegister | undefined;
  #published: () => number = () => 0;

  constructor(private readonly path: string) {}

  /**
   * Fills cache, accounts and the register of Web Push from the file and keeps them in it from then on.
   * @returns how many messages were published in all, as far as the file knows
   * @throws Error with a message for the operator if the file can't be read or has other content
   */
  async open(
    cache: MessageCache,
    accounts: Accounts | undefined,
    published: () => number,
    push?: PushRegister,
  ): Promise<number> {
    await mkdir(dirname(this.path), { recursive: true });
    let total = 0;
    for (const line of await this.#read()) {
      if ("put" in line) cache.restore(line.put);
      else if ("delivered" in line) cache.restoreDelivered(line.delivered);
      else if ("removed" in line) cache.forget(line.removed);
      else if ("account" in line) accounts?.restore(line.account);
      else if ("push" in line) push?.put(line.push);
      else if ("pushRemoved" in line) push?.remove(line.pushRemoved);
      else if ("pushKeys" in line) push?.setKeys(line.pushKeys);
      else total = line.published;
    }
    this.#cache = cache;
    this.#accounts = accounts;
    this.#push = push;
    this.#published = published;
    await this.#rewrite();
    return total;
  }

  async #read(): Promise<Line[]> {
    let text: string;
    try {
      text = await readFile(this.path, "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
      throw error;
    }
    const lines = text.split("\n");
    // What follows the last line feed was being written when the server died.
    lines.pop();
    return lines.map((line, at) => {
      try {
        return JSON.parse(line) as Line;
      } catch (error) {
        throw new Error(`${this.path}, line ${at + 1} is not a line of a state file`, { cause: error });
      }
    });
  }

  added(message: CachedMessage): void {
    this.#append({ put: message });
  }

  delivered(id: string): void {
    this.#append({ delivered: id });
  }

  removed(ids: readonly string[]): void {
    this.#append({ removed: ids });
  }

  accountChanged(account: Account): void {
    this.#append({ account });
  }

  pushKept(push: PushRegistration): void {
    this.#append({ push });
  }

  pushRemoved(endpoint: string): void {
    this.#append({ pushRemoved: endpoint });
  }

  pushKeysMade(pushKeys: PushKeys): void {
    this.#append({ pushKeys });
  }

  /** Resolves when all changes so far are in the file; rejects when they could not be written. */
  written(): Promise<void> {
    return this.#writing;
  }

  /** Writes pending changes, and rewrites the file. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#rewrite();
  }

  #append(line: Line): void {
    // While the file is being read, changes come from the file itself.
    if (!this.#cache) return;
    this.#lines.push(`${JSON.stringify(line)}\n`);
    // Lines that come while one write runs go together into the next.
    if (this.#lines.length === 1) this.#writing = this.#then(() => this.#flush());
  }

  /** One write after the other; a failed one fails its own waiters, not the next. */
  #then(write: () => Promise<void>): Promise<void> {
    const next = this.#writing.then(write, write);
    // Callers that await `written` get the error; it must not be unhandled if there are none.
    next.catch(() => undefined);
    return next;
  }

  async #flush(): Promise<void> {
    const text = this.#lines.join("");
    this.#lines = [];
    this.#bytes += Buffer.byteLength(text);
    const kept = Math.max(this.#freshBytes, this.#cache?.totalBytes ?? 0);
    if (this.#bytes > 2 * kept + SPARE_BYTES) await this.#rewrite();
    else await appendFile(this.path, text);
  }

  *#kept(): Generator<Line> {
    yield { published: this.#published() };
    for (const account of this.#accounts?.all() ?? []) yield { account };
    if (this.#push?.keys) yield { pushKeys: this.#push.keys };
    for (const push of this.#push?.all() ?? []) yield { push };
    for (const put of this.#cache?.all() ?? []) yield { put };
  }

  /** Changes made meanwhile are appended, perhaps a second time. */
  async #rewrite(): Promise<void> {
    const fresh = `${this.path}.new`;
    const handle = await open(fresh, "w", 0o600);
    let bytes = 0;
    try {
      let lines: string[] = [];
      const write = async () => {
        const text = lines.join("");
        lines = [];
        bytes += Buffer.byteLength(text);
        await handle.writeFile(text);
      };
      for (const line of this.#kept()) {
        if (lines.push(`${JSON.stringify(line)}\n`) === REWRITE_LINES) await write();
      }
      await write();
    } finally {
      await handle.close();
    }
    await rename(fresh, this.path);
    this.#bytes = this.#freshBytes = bytes;
  }
}
