import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProtocolEvent } from "../protocol";
import { chunksOf, type PeekedBody } from "./body";
import type { CachedMessage } from "./message-cache";
import type { AttachmentSettings } from "./options";
import { codeOf, Refusal } from "./protocol-error";
import type { Visitor } from "./visitors";

/** Marks the server's own files in the folder; it never touches others. */
const SUFFIX = ".attachment";

export interface UploadedFile {
  id: string;
  name: string;
  bytes: number;
  /** Unix seconds after which it is gone. */
  expires: number;
  /** Key of the visitor whose space and traffic it uses. */
  sender: string;
}

/** Uploaded attachments, within quotas (docs/protocol.md §11), in a folder or a temporary one removed at the end. */
export class Attachments {
  readonly #files = new Map<string, UploadedFile>();
  /** Bytes by visitor, including those being uploaded. */
  readonly #used = new Map<string, number>();
  #total = 0;

  readonly #folder: string;

  /** @param report called with what the operator should know */
  constructor(
    readonly settings: AttachmentSettings,
    private readonly report: (error: unknown) => void,
  ) {
    this.#folder = settings.folder ?? join(tmpdir(), `earshot-attachments-${randomUUID()}`);
  }

  /** Restores the files of cached messages that still exist; removes files without a message. */
  async restore(messages: Iterable<CachedMessage>): Promise<void> {
    const known = new Map([...messages].map((message) => [message.event.id, message]));
    try {
      for (const entry of await readdir(this.#folder)) {
        const id = entry.slice(0, -SUFFIX.length);
        if (entry.endsWith(SUFFIX)) await this.#restoreOne(id, known.get(id)).catch(this.report);
      }
    } catch (error) {
      // The first upload makes the folder.
      if (codeOf(error) !== "ENOENT") this.report(error);
    }
  }

  async #restoreOne(id: string, message: CachedMessage | undefined): Promise<void> {
    const attachment = message?.event.event === "message" ? message.event.attachment : undefined;
    if (!message || attachment?.expires === undefined) return rm(this.path(id), { force: true });
    const { size: bytes } = await stat(this.path(id));
    const { name, expires } = attachment;
    this.#files.set(id, { id, name, bytes, expires, sender: message.sender });
    this.#use(message.sender, bytes);
  }

  /** An uploaded file; undefined once it has expired. */
  find(id: string, nowS: number): UploadedFile | undefined {
    const file = this.#files.get(id);
    return file && file.expires > nowS ? file : undefined;
  }

  path(id: string): string {
    return join(this.#folder, id + SUFFIX);
  }

  /** Bytes that a visitor's files use. */
  usedBy(sender: string): number {
    return this.#used.get(sender) ?? 0;
  }

  /** Bytes that a visitor could still upload. */
  leftFor(sender: string): number {
    const { visitorBytes, totalBytes } = this.settings;
    return Math.max(0, Math.min(visitorBytes - this.usedBy(sender), totalBytes - this.#total));
  }

  /**
   * Writes an upload.
   * @returns its size in bytes
   * @throws Refusal 41301 if it exceeds a quota, 40000 if it breaks off; the partial file is then removed
   */
  async write(
    named: Pick<UploadedFile, "id" | "name" | "expires">,
    { read, rest }: PeekedBody,
    visitor: Visitor,
  ): Promise<number> {
    const file = { ...named, sender: visitor.key };
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const handle = await open(this.path(file.id), "wx", 0o600);
    let bytes = 0;
    const append = async (chunk: Buffer): Promise<void> => {
      const isTooMuch =
        bytes + chunk.length > this.settings.fileBytes ||
        chunk.length > this.leftFor(file.sender) ||
        !visitor.traffic.take(chunk.length);
      if (isTooMuch) throw new Refusal(41301);
      bytes += chunk.length;
      this.#use(file.sender, chunk.length);
      await handle.writeFile(chunk);
    };
    try {
      await append(read);
      if (rest) for await (const chunk of chunksOf(rest)) await append(chunk);
      this.#files.set(file.id, { ...file, bytes });
      return bytes;
    } catch (error) {
      this.#use(file.sender, -bytes);
      await rm(this.path(file.id), { force: true });
      throw error;
    } finally {
      await handle.close();
    }
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const file = this.#files.get(id);
      if (!file) continue;
      this.#files.delete(id);
      this.#use(file.sender, -file.bytes);
      await rm(this.path(id), { force: true });
    }
  }

  async removeExpired(nowS: number): Promise<void> {
    await this.remove([...this.#files.values()].filter(({ expires }) => expires <= nowS).map(({ id }) => id));
  }

  async close(): Promise<void> {
    if (this.settings.folder === undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  #use(sender: string, bytes: number): void {
    this.#total += bytes;
    const used = this.usedBy(sender) + bytes;
    if (used > 0) this.#used.set(sender, used);
    else this.#used.delete(sender);
  }
}

/** The event, with its file's link at the address by which the subscriber, not the publisher, reached the server. */
export function addressed(event: ProtocolEvent, baseUrl: string): ProtocolEvent {
  if (event.event !== "message" || event.attachment?.expires === undefined) return event;
  const { url } = event.attachment;
  return { ...event, attachment: { ...event.attachment, url: baseUrl + url.slice(url.lastIndexOf("/file/")) } };
}
