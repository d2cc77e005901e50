// The types of a recording, and access to the files that hold recordings; README.md beside this file describes both.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A request, in which `{{name}}` is replaced by the value from an earlier step. */
export interface Request {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  bodyBase64?: string;
}

/** Status, and the headers that a client relies on. */
export interface Head {
  status: number;
  headers: Record<string, string>;
}

/** An answer read to its end: whole lines, and the rest after the last line feed. */
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
  /** How the server was started: a profile of README.md. */
  profile: string;
  /** Placeholders that get a new topic in each run. */
  topics?: string[];
  /** Row of docs/protocol.md §18 in which the reference departs from its specification, and we don't follow it. */
  conflict?: string;
  /** Needs a newly started server of its own. */
  fresh?: boolean;
  /** Takes more than 5 s. */
  slow?: boolean;
  steps: Step[];
}

/** A file of recordings. */
export interface Recording {
  /** Server and day of the recordings. */
  recorded: string;
  vectors: Vector[];
}

export const VECTORS_FOLDER = import.meta.dirname;

/** The recordings, by the names of their files. */
export function readRecordings(): Map<string, Recording> {
  const files = readdirSync(VECTORS_FOLDER).filter((name) => name.endsWith(".json"));
  return new Map(
    files.map((file) => [file, JSON.parse(readFileSync(join(VECTORS_FOLDER, file), "utf8")) as Recording]),
  );
}

/** The text of a file: one step in each line, so that a diff of two recordings shows the steps that differ. */
export function writeRecording({ recorded, vectors }: Recording): string {
  const texts = vectors.map(({ steps, ...about }) => {
    const head = JSON.stringify(about).slice(0, -1);
    return `    ${head}, "steps": [\n${steps.map((step) => `      ${JSON.stringify(step)}`).join(",\n")}\n    ]}`;
  });
  return `{\n  "recorded": ${JSON.stringify(recorded)},\n  "vectors": [\n${texts.join(",\n")}\n  ]\n}\n`;
}
