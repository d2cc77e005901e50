import {
  type BackupFault,
  type BackupPreview,
  type ImportedFile,
  decodeBackupLine,
  KINDS_IN,
  type BackupEntry,
} from "../../contract";
import { fail, ok, type Result, LineSplitter, type SplitLine } from "../../protocol";
import { shareMarks, storageError, wrongSignIn, type CommandContext, type FeatureCommands } from "./context";
import { type BackupPart, decodeSetting, type OpenBackup } from "../../store";

/** Commands that import a backup. It is read to show what would change, and again to be imported (decision 0034). */
export function backupCommands(context: CommandContext) {
  const { store, now } = context.environment;
  /** Imports that are being read or stored. */
  const underWay = new Set<string>();

  const workOn = async <Value>(
    { importId, file }: ImportedFile,
    work: (aids: BackupReadingAids) => Promise<Result<Value, BackupFault>>,
  ): Promise<Result<Value, BackupFault>> => {
    underWay.add(importId);
    try {
      return await work({
        file,
        nowMs: now(),
        isEnded: () => !underWay.has(importId),
        progress: (done, of) => context.announce({ kind: "importing", importId, done, of }),
      });
    } catch (thrown) {
      if (thrown instanceof Refused) return fail(thrown.fault);
      throw thrown;
    } finally {
      underWay.delete(importId);
    }
  };

  return {
    readBackup: (input) =>
      workOn(input, async (aids) => {
        const reading = new BackupReading(aids);
        const messages: BackupPreview["messages"] = { added: 0, known: 0, deleted: 0 };
        const outdated: BackupPreview["outdated"] = { here: 0, there: 0 };
        for await (const part of reading.parts()) {
          const counted = await store.countMessages(reading.tables, part, aids.nowMs);
          if (!counted.ok) return fail(storageError(counted.error));
          for (const name of ["added", "known", "deleted"] as const) messages[name] += counted.value[name];
          for (const name of ["here", "there"] as const) outdated[name] += counted.value.outdated[name];
        }
        const tables = await store.previewTables(reading.tables);
        return tables.ok
          ? ok({ ...tables.value, ...reading.told, messages, outdated })
          : fail(storageError(tables.error));
      }),

    takeBackup: ({ settings, topicRules, credentials, ...input }) =>
      workOn(input, async (aids) => {
        const wrong = credentials.map(wrongSignIn).find((one) => one);
        if (wrong) return fail(wrong);
        const choice = { settings, topicRules, credentials };
        const taken = await store.takeBackup(() => new BackupReading(aids), choice, aids.nowMs);
        if (!taken.ok) return fail(storageError(taken.error));
        const { added, ...changes } = taken.value;
        // Pages read what was added, as much as they show.
        context.written({ ...changes, moreAdded: added });
        await shareMarks(context);
        await context.catalogueChanged();
        return ok({ added });
      }),

    dropBackup({ importId }) {
      underWay.delete(importId);
      return Promise.resolve(ok(null));
    },
  } satisfies FeatureCommands;
}

/** How many lines are processed together, which takes some 30 ms. */
const LINES_OF_PART = 500;

/** Lines are processed sooner at this many characters, so that long ones need no more memory. */
const LETTERS_OF_PART = 2_000_000;

/** How many lines of each kind, at most; the app never writes more. */
const MAX_LINES = { server: 1_000, topic: 10_000, setting: 200, view: 1_000 };

/** The end of the last line may be missing. */
const LAST = new TextEncoder().encode("\n");

interface BackupReadingAids {
  file: Blob;
  nowMs: number;
  /** The user cancelled the import. */
  isEnded(): boolean;
  progress(done: number, of: number): void;
}

class Refused extends Error {
  constructor(readonly fault: BackupFault) {
    super(fault.kind);
  }
}

/** The file can't be read any more: it was moved or changed, or its disk is gone. */
function gone(error: unknown): never {
  throw error instanceof DOMException ? new Refused({ kind: "cut-backup" }) : error;
}

/** Reads a backup as a stream, with only a part in memory. Throws `Refused` at anything that no backup holds. */
class BackupReading implements OpenBackup {
  readonly tables: OpenBackup["tables"] = { servers: [], topics: [], settings: [], views: [] };
  /** What the preview says about the lines themselves. */
  readonly told: Pick<BackupPreview, "madeAtMs" | "unreadable" | "badSettings" | "sealed"> = {
    ...{ madeAtMs: 0, unreadable: 0, badSettings: [] },
  };
  /** Absent until the header was read. */
  #scope: keyof typeof KINDS_IN | undefined;
  readonly #named = new Set<string>();
  #lineNumber = 0;
  #hasParts = false;
  #isWhole = false;

  constructor(private readonly aids: BackupReadingAids) {}

  async *parts(): AsyncGenerator<BackupPart, void> {
    const { file, progress } = this.aids;
    const stream = file.stream().getReader();
    const splitter = new LineSplitter();
    let part: BackupPart = [];
    let letters = 0;
    let read = 0;
    try {
      for (;;) {
        const chunk = await stream.read().catch(gone);
        for (const text of splitter.push(chunk.done ? LAST : chunk.value)) {
          const line = this.#take(text);
          if (!line) continue;
          this.#hasParts = true;
          letters += text?.length ?? 0;
          if (part.push(line) < LINES_OF_PART && letters < LETTERS_OF_PART) continue;
          yield part;
          part = [];
          letters = 0;
        }
        this.#checkEnded();
        if (chunk.done) break;
        read += chunk.value.length;
        progress(read, file.size);
      }
      if (!this.#scope) throw new Refused({ kind: "not-a-backup" });
      if (!this.#isWhole) throw new Refused({ kind: "cut-backup" });
      if (part.length > 0) yield part;
      this.#checkEnded();
    } finally {
      // If reading failed, there is nothing to cancel.
      await stream.cancel().catch(() => undefined);
    }
  }

  #checkEnded(): void {
    if (this.aids.isEnded()) throw new Refused({ kind: "ended-import" });
  }

  /** Takes the next line; `null` = it was too long. Returns it unless it belongs to a table. */
  #take(text: SplitLine): BackupPart[number] | undefined {
    if (text === "" || this.#isWhole) return undefined;
    this.#lineNumber++;
    const line = text === null ? undefined : decodeBackupLine(text, this.aids.nowMs);
    const scope = this.#scope;
    if (!scope) return this.#begin(line);
    if (!line?.ok) {
      // Without this line messages would end up in another topic.
      if (line?.error.kind === "wrong" && line.error.isTable) this.#refuse();
      this.told.unreadable++;
      return undefined;
    }
    if (line.value.kind === "header" || !KINDS_IN[scope].includes(line.value.kind)) return this.#refuse();
    return this.#sort(line.value);
  }

  #begin(line: ReturnType<typeof decodeBackupLine> | undefined): undefined {
    if (line?.ok === false && line.error.kind === "newer")
      throw new Refused({ kind: "newer-backup", version: line.error.version });
    if (!line?.ok || line.value.kind !== "header") throw new Refused({ kind: "not-a-backup" });
    const { scope, madeAtMs } = line.value;
    this.#scope = scope;
    this.told.madeAtMs = madeAtMs;
  }

  #refuse(): never {
    throw new Refused({ kind: "bad-line", line: this.#lineNumber });
  }

  /** Puts a line with others of its kind, or returns it. */
  #sort(line: BackupEntry): BackupPart[number] | undefined {
    const { servers, topics, settings, views } = this.tables;
    switch (line.kind) {
      case "server":
        return this.#add(servers, line);
      case "topic":
        // If a topic was added twice, its messages would appear twice.
        if (this.#named.has(`${line.server} ${line.topic}`)) this.#refuse();
        this.#named.add(`${line.server} ${line.topic}`);
        return this.#add(topics, line);
      case "view":
        return this.#add(views, line);
      case "setting":
        if (!decodeSetting(line.name, line.value)) return this.#leaveOut(line.name);
        // The preview shows one value of each.
        if (settings.some(({ name }) => name === line.name)) this.#refuse();
        return this.#add(settings, line);
      case "credentials":
        this.told.sealed = line;
        return undefined;
      case "end":
        this.#isWhole = line.lines === this.#lineNumber;
        return this.#isWhole ? undefined : this.#refuse();
      default:
        if (topics[line.topic] && (line.kind !== "message" || topics[line.topic]?.topic === line.event.topic))
          return line;
        this.told.unreadable++;
        return undefined;
    }
  }

  /** Tables end where messages begin: what is imported first must be complete. */
  #add<Line extends { kind: keyof typeof MAX_LINES }>(lines: Line[], line: Line): undefined {
    if (lines.push(line) > MAX_LINES[line.kind] || this.#hasParts) this.#refuse();
  }

  #leaveOut(name: string): undefined {
    const { badSettings } = this.told;
    if (badSettings.length < MAX_LINES.setting && !badSettings.includes(name)) badSettings.push(name);
  }
}
