// What a recording is, and the files that hold them: README.md beside this file describes both.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A request, in which `{{name}}` stands for what an earlier step gave. */
export interface Request {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  bodyBase64?: string;
}

/** Status and the headers that a client goes by. */
export interface Head {
  status: number;
  headers: Record<string, string>;
}

/** An answer read to its end: whole lines, and what follows the last line feed. */
export interface Answer extends Head {
  lines: unknown[];
  rest?: unknown;
}

export type Step =
  | { request: Request; answer: Answer }
  | { stream: string; request: Request; webSocket?: boolean; answer: Head }
  | { read: string; withinMs?: number; lines: unknown[] }
  | { quiet: string; ms: number; lines?: unknown[] }
  | { ended: string; how: string }
  | { close: string }
  | { waitMs: number };

export interface Vector {
  name: string;
  /** Sections of docs/protocol.md, such as `4, 19`. */
  section: string;
  /** How the server was started. */
  profile: string;
  /** Placeholders that get a topic of their own in each run. */
  topics?: string[];
  /** Row of docs/protocol.md §18: the reference departs there from what is specified, and we do not follow. */
  conflict?: string;
  /** Needs a server that was started for it alone. */
  fresh?: boolean;
  /** Takes more than 5 s. */
  slow?: boolean;
  steps: Step[];
}

/** A file of recordings. */
export interface Recording {
  /** Server and day. */
  recorded: string;
  vectors: Vector[];
}

export const VECTORS_FOLDER = import.meta.dirname;

/** The recordings by the names of their files. */
export function readRecordings(): Map<string, Recording> {
  const files = readdirSync(VECTORS_FOLDER).filter((name) => name.endsWith(".json"));
  return new Map(
    files.map((file) => [file, JSON.parse(readFileSync(join(VECTORS_FOLDER, file), "utf8")) as Recording]),
  );
}

/** Text of a file: a step a line, so that a comparison of two recordings shows the steps that differ. */
export function writeRecording({ recorded, vectors }: Recording): string {
  const texts = vectors.map(({ steps, ...about }) => {
    const head = JSON.stringify(about).slice(0, -1);
    return `    ${head}, "steps": [\n${steps.map((step) => `      ${JSON.stringify(step)}`).join(",\n")}\n    ]}`;
  });
  return `{\n  "recorded": ${JSON.stringify(recorded)},\n  "vectors": [\n${texts.join(",\n")}\n  ]\n}\n`;
}
