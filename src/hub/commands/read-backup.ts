import { decodeBackupLine, KINDS_IN, type BackupFault, type BackupLine, type BackupPreview } from "../../contract";
import { fail, LineSplitter, ok, type SplitLine, type Result } from "../../protocol";
import { BROUGHT_BY, decodeSetting, splitTopic, type Store, type ReadTables, type StagedPart } from "../../store";
import { storageError } from "./context";

/** How many lines are staged together, which takes some 30 ms. */
const LINES_OF_PART = 500;

/** A part is staged earlier if its lines reach this many characters, so long ones need no more memory. */
const LETTERS_OF_PART = 2_000_000;

/** The most lines of each kind; a file with more isn't made by the app. */
const MOST = { server: 1_000, topic: 10_000, setting: 200, view: 1_000 };

/** What reading a backup needs. */
export interface BackupReadingAids {
  importer: Store["importer"];
  /** Anybody can write a link, and one press opens it. */
  by: "link" | "file";
  importId: string;
  now(): number;
  /** The user has ended the import. */
  isEnded(): boolean;
  progress(done: number, of: number): void;
}

type Part = Omit<StagedPart, "importId" | "part">;

const emptyPart = (): Part => ({ messages: [], traces: [], sequences: [], gaps: [] });

function linesOf({ messages, traces, sequences, gaps }: Part): number {
  return messages.length + traces.length + sequences.length + gaps.length;
}

/** Reads a backup as a stream and stages it, with at most one part in memory. */
export async function readBackup(file: Blob, aids: BackupReadingAids): Promise<Result<BackupPreview, BackupFault>> {
  const reading = new BackupReading(aids);
  const stream = file.stream().getReader();
  const splitter = new LineSplitter();
  let read = 0;
  try {
    for (;;) {
      const chunk = await stream.read().catch(gone);
      if (!chunk) return fail({ kind: "cut-backup" });
      // The last line may have lost its end.
      const lines = splitter.push(chunk.done ? new TextEncoder().encode("\n") : chunk.value);
      for (const line of lines) {
        const fault = await reading.take(line);
        if (fault) return fail(fault);
      }
      if (chunk.done) return await reading.end();
      read += chunk.value.length;
      aids.progress(read, file.size);
    }
  } finally {
    // One that failed has nothing to cancel.
    await stream.cancel().catch(() => undefined);
  }
}

/** The file can't be read any more: it was moved or changed, or its disk is gone. */
function gone(error: unknown): undefined {
  if (!(error instanceof DOMException)) throw error;
}

class BackupReading {
  readonly #aids: BackupReadingAids;
  /** Absent = the header wasn't read yet. */
  #tables: ReadTables | undefined;
  readonly #named = new Set<string>();
  readonly #messages: BackupPreview["messages"] = { added: 0, known: 0, deleted: 0 };
  readonly #outdated: BackupPreview["outdated"] = { here: 0, there: 0 };
  #part = emptyPart();
  #letters = 0;
  #partCount = 0;
  #lineNumber = 0;
  #messageCount = 0;
  #unreadable = 0;
  readonly #refused: BackupPreview["refused"] = [];
  #isWhole = false;

  constructor(aids: BackupReadingAids) {
    this.#aids = aids;
  }

  /** Takes the next line; `null` = it was too long. Resolves to why the backup is refused, if it is. */
  async take(text: SplitLine): Promise<BackupFault | undefined> {
    if (text === "" || this.#isWhole) return undefined;
    this.#lineNumber++;
    const line = text === null ? undefined : decodeBackupLine(text, this.#aids.now());
    const tables = this.#tables;
    if (!tables) return this.#begin(line);
    const { scope } = tables.header;
    if (!line?.ok) {
      // Without this line a set-up would be incomplete, or messages would land in another topic.
      if (scope === "setup" || (line?.error.kind === "wrong" && line.error.isTable)) return this.#badLine();
      this.#unreadable++;
      return undefined;
    }
    if (line.value.kind === "header" || !KINDS_IN[scope].includes(line.value.kind)) return this.#badLine();
    const isRight = this.#sort(line.value, tables);
    if (isRight === "bad-line") return this.#badLine();
    if (!isRight) this.#unreadable++;
    this.#letters += text?.length ?? 0;
    const isFull = this.#letters >= LETTERS_OF_PART || linesOf(this.#part) >= LINES_OF_PART;
    return isFull ? this.#stage(tables) : undefined;
  }

  async end(): Promise<Result<BackupPreview, BackupFault>> {
    const tables = this.#tables;
    if (!tables) return fail({ kind: "not-a-backup" });
    if (!this.#isWhole) return fail({ kind: "cut-backup" });
    const fault = await this.#stage(tables);
    if (fault) return fail(fault);
    const { importer, importId, now } = this.#aids;
    const whole = { ...tables, parts: this.#partCount, messages: this.#messageCount };
    const ended = await importer.endReading(importId, whole, now());
    if (!ended.ok) return fail(storageError(ended.error));
    if (!ended.value) return fail({ kind: "ended-import" });
    const counts = {
      messages: this.#messages,
      outdated: this.#outdated,
      unreadable: this.#unreadable,
      refused: this.#refused,
    };
    return ok({ ...ended.value, ...counts });
  }

  async #begin(line: ReturnType<typeof decodeBackupLine> | undefined): Promise<BackupFault | undefined> {
    if (line && !line.ok && line.error.kind === "newer") {
      return { kind: "newer-backup", version: line.error.version };
    }
    if (!line?.ok || line.value.kind !== "header") return { kind: "not-a-backup" };
    const { by, importer, importId, now } = this.#aids;
    if (by === "link" && line.value.scope !== "setup") return this.#badLine();
    const begun = await importer.begin(importId, now());
    if (!begun.ok) return storageError(begun.error);
    this.#tables = { header: line.value, servers: [], topics: [], settings: [], views: [] };
    return undefined;
  }

  #badLine(): BackupFault {
    return { kind: "bad-line", line: this.#lineNumber };
  }

  /** Puts a line with those of its kind. Returns whether it is valid. */
  #sort(line: Exclude<BackupLine, { kind: "header" }>, tables: ReadTables): boolean | "bad-line" {
    const { servers, topics, settings, views } = tables;
    switch (line.kind) {
      case "server":
        servers.push(line);
        return servers.length <= MOST.server || "bad-line";
      case "topic": {
        const { plain, rules } = splitTopic(line);
        // Messages of a topic that was added twice would show twice.
        const named = `${line.server} ${line.topic}`;
        if (this.#named.has(named)) return "bad-line";
        this.#named.add(named);
        if (this.#aids.by === "link") for (const name of Object.keys(rules)) this.#refuse("link", name);
        topics.push(this.#aids.by === "link" ? plain : line);
        return topics.length <= MOST.topic || "bad-line";
      }
      case "setting": {
        const decoded = decodeSetting(line.name, line.value);
        if (!decoded) {
          this.#refuse("unreadable", line.name);
          return true;
        }
        if (this.#aids.by === "link" && BROUGHT_BY.setting[decoded.name] === "by-hand") {
          this.#refuse("link", line.name);
          return true;
        }
        // The preview shows one value of each.
        if (settings.some(({ name }) => name === line.name)) return "bad-line";
        settings.push(line);
        return settings.length <= MOST.setting || "bad-line";
      }
      case "view":
        views.push(line);
        return views.length <= MOST.view || "bad-line";
      case "credentials":
        tables.sealed = line;
        // A link is no place for sign-ins.
        return this.#aids.by === "file" || "bad-line";
      case "message": {
        if (topics[line.topic]?.topic !== line.event.topic) return false;
        const { kind: _, ...message } = line;
        this.#part.messages.push({ ...message, at: this.#messageCount++ });
        return true;
      }
      case "deleted":
        if (!topics[line.topic]) return false;
        this.#part.traces.push(line);
        return true;
      case "sequence":
        if (!topics[line.topic]) return false;
        this.#part.sequences.push(line);
        return true;
      case "gap":
        if (!topics[line.topic]) return false;
        this.#part.gaps.push(line);
        return true;
      case "end":
        this.#isWhole = line.lines === this.#lineNumber;
        return this.#isWhole || "bad-line";
    }
  }

  #refuse(why: "unreadable" | "link", name: string): void {
    if (this.#refused.length < MOST.setting && !this.#refused.some((one) => one.name === name)) {
      this.#refused.push({ why, name });
    }
  }

  async #stage(tables: ReadTables): Promise<BackupFault | undefined> {
    const lines = this.#part;
    this.#part = emptyPart();
    this.#letters = 0;
    if (linesOf(lines) === 0) return undefined;
    const { importer, importId, now, isEnded } = this.#aids;
    if (isEnded()) return { kind: "ended-import" };
    const staged = await importer.stage({ importId, part: this.#partCount++, ...lines }, tables, now());
    if (!staged.ok) return storageError(staged.error);
    if (!staged.value) return { kind: "ended-import" };
    const { outdated, ...counts } = staged.value;
    for (const name of ["added", "known", "deleted"] as const) this.#messages[name] += counts[name];
    for (const name of ["here", "there"] as const) this.#outdated[name] += outdated[name];
    return undefined;
  }
}
