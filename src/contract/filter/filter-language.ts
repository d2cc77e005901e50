import { type Priority, parsePriority, PRIORITY_NAMES, type Result, fail, ok } from "../../protocol";
import { deviceOffset, momentOf, type OffsetMinutes } from "../local-time";

/** The values that `is:` and `has:` accept. */
export const IS_VALUES = ["unread", "read", "starred", "done", "snoozed"] as const;
export const HAS_VALUES = ["attachment", "actions", "click", "title", "icon"] as const;

/** A condition that a message either meets or doesn't. `not` excludes what matches. */
export type RowTerm = { not: boolean } & (
  | { kind: "priority"; values: Priority[] }
  | { kind: "tags"; values: string[] }
  | { kind: "contains"; field: "title" | "message"; text: string }
  | { kind: "equals"; field: "title" | "message" | "id"; text: string }
  /** Equal except for amounts, times and ids, like repeats. */
  | { kind: "like"; field: "title" | "message"; text: string }
  | { kind: "text"; text: string }
  | { kind: "is"; what: (typeof IS_VALUES)[number] }
  | { kind: "has"; what: (typeof HAS_VALUES)[number] }
  /** Kept as written, so that "2h" and "today" move with the clock; `resolveWhen` works out the time. */
  | { kind: "after" | "before"; written: string }
);

/** What a condition on a message's place names. */
export const PLACES = ["topic", "server", "group"] as const;

/** A condition on where a message is. It becomes a choice of topics before rows are read. */
export interface PlaceTerm {
  not: boolean;
  kind: (typeof PLACES)[number];
  values: string[];
}

/** One condition of the filter language (docs/design.md §6). */
export type FilterTerm = RowTerm | PlaceTerm;

/** A filter; all of its conditions must hold. */
export interface Filter {
  readonly terms: readonly FilterTerm[];
}

/** A filter without places; rows are judged by it. */
export interface RowFilter extends Filter {
  readonly terms: readonly RowTerm[];
}

export function isPlace(term: FilterTerm): term is PlaceTerm {
  return PLACES.some((place) => place === term.kind);
}

/** What is wrong in a filter as typed, and where, in UTF-16 code units. */
export interface FilterError {
  at: number;
  length: number;
  reason:
    | "empty-value"
    | "unclosed-quote"
    | "bad-priority"
    /** A comparison that no priority meets. */
    | "no-priority"
    | "bad-date"
    | "unknown-value";
}

/** A piece of text read as one word; quotes and escapes are resolved in `text`. */
interface Word {
  text: string;
  at: number;
  end: number;
}

export const FILTER_FIELDS = {
  priority: "priority",
  tag: "tags",
  tags: "tags",
  title: "title",
  message: "message",
  id: "id",
  is: "is",
  has: "has",
  after: "after",
  before: "before",
  topic: "topic",
  server: "server",
  group: "group",
} as const;

type FilterField = (typeof FILTER_FIELDS)[keyof typeof FILTER_FIELDS];

/** `name:` or `name=`, of title and message also `name~`, at the start of a term. */
const FIELD_START = new RegExp(`(${Object.keys(FILTER_FIELDS).join("|")})([:=]|(?<=title|message)~)`, "iy");

/** A comparison at the start of a term; only priorities have an order. */
const COMPARISON = /priority([<>]=?)/iy;

const PRIORITIES: readonly Priority[] = [1, 2, 3, 4, 5];

/** Other words for a value of `has:`. */
const HAS_ALIASES = new Map<string, (typeof HAS_VALUES)[number]>([
  ["action", "actions"],
  ["link", "click"],
]);

class FilterScanner {
  at = 0;
  constructor(readonly text: string) {}

  /** Consumes a match at the current position and returns it. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match) this.at = pattern.lastIndex;
    return match;
  }

  /** A word in quotes, or up to the next blank (in a list also the next comma); empty if there is none. */
  word(inList: boolean): Result<Word, FilterError> {
    const at = this.at;
    if (this.text[at] !== '"') {
      const text = this.take(inList ? /[^\s,]*/y : /\S*/y)?.[0] ?? "";
      return ok({ text, at, end: this.at });
    }
    const quoted = this.take(/"((?:[^"\\]|\\.)*)"/sy);
    if (!quoted) return fail({ at, length: this.text.length - at, reason: "unclosed-quote" });
    return ok({ text: (quoted[1] ?? "").replace(/\\(.)/gs, "$1"), at, end: this.at });
  }

  /** Words between commas, without empty ones. */
  list(): Result<Word[], FilterError> {
    const words: Word[] = [];
    do {
      const word = this.word(true);
      if (!word.ok) return word;
      if (word.value.text !== "") words.push(word.value);
    } while (this.take(/,/y));
    return ok(words);
  }
}

/** The priorities that a comparison allows; at least one, because otherwise it is no filter. */
function readComparison(reader: FilterScanner, sign: string, not: boolean): Result<FilterTerm, FilterError> {
  const at = reader.at;
  const word = reader.word(false);
  if (!word.ok) return word;
  const { text, end } = word.value;
  if (text === "") return fail({ at, length: 0, reason: "empty-value" });
  const bound = parsePriority(text);
  const holds = (priority: Priority): boolean => {
    if (bound === undefined) return false;
    if (priority === bound) return sign.endsWith("=");
    return sign.startsWith(">") ? priority > bound : priority < bound;
  };
  const values = PRIORITIES.filter(holds);
  if (values.length === 0) return fail({ at, length: end - at, reason: bound ? "no-priority" : "bad-priority" });
  return ok({ not, kind: "priority", values });
}

function readField(
  reader: FilterScanner,
  field: FilterField,
  sign: string,
  not: boolean,
): Result<FilterTerm, FilterError> {
  const at = reader.at;
  const isList = field === "priority" || field === "tags" || PLACES.some((place) => place === field);
  const read = isList ? reader.list() : reader.word(false);
  if (!read.ok) return read;
  const words = [read.value].flat();
  const text = words[0]?.text ?? "";
  const wrong = (reason: FilterError["reason"], word = words[0]) =>
    fail({ at: word?.at ?? at, length: word ? word.end - word.at : 0, reason });
  if (text === "") return fail({ at, length: reader.at - at, reason: "empty-value" });
  switch (field) {
    case "priority": {
      const values: Priority[] = [];
      for (const word of words) {
        const priority = parsePriority(word.text);
        if (priority === undefined) return wrong("bad-priority", word);
        values.push(priority);
      }
      return ok({ not, kind: "priority", values });
    }
    case "tags":
    case "topic":
    case "server":
    case "group":
      return ok({ not, kind: field, values: words.map((word) => word.text) });
    case "title":
    case "message":
      return ok({ not, kind: sign === "=" ? "equals" : sign === "~" ? "like" : "contains", field, text });
    case "id":
      return ok({ not, kind: "equals", field, text });
    case "is": {
      const what = IS_VALUES.find((value) => value === text.toLowerCase());
      return what ? ok({ not, kind: "is", what }) : wrong("unknown-value");
    }
    case "has": {
      const word = text.toLowerCase();
      const what = HAS_VALUES.find((value) => value === word) ?? HAS_ALIASES.get(word);
      return what ? ok({ not, kind: "has", what }) : wrong("unknown-value");
    }
    case "after":
    case "before":
      // Only the form is checked here; the time is resolved when the filter is applied.
      return resolveWhen(text, { nowMs: 0 }) === undefined
        ? wrong("bad-date")
        : ok({ not, kind: field, written: text });
  }
}

/**
 * Reads a filter as typed (docs/design.md §6): `priority:high,urgent`, `priority>=4` · `tag:a,b` · `title:x`,
 * `message:x` contain · `title="x"`, `message="x"`, `id="x"` are whole values · `title~"x"`, `message~"x"` the same
 * whatever the numbers · `is:` · `has:` · `after:`, `before:` · `topic:a,b`, `server:`, `group:` · free text, in quotes if
 * it contains blanks (`\"` and `\\` inside) · `-` excludes. A name before a colon that is no field is text, as in
 * `error: disk` and `https://…`.
 */
export function parseFilter(text: string): Result<Filter, FilterError> {
  const reader = new FilterScanner(text);
  const terms: FilterTerm[] = [];
  for (;;) {
    reader.take(/\s*/y);
    if (reader.at >= text.length) return ok({ terms });
    const not = reader.take(/-(?=\S)/y) !== null;
    const [, comparison] = reader.take(COMPARISON) ?? [];
    if (comparison) {
      const term = readComparison(reader, comparison, not);
      if (!term.ok) return term;
      terms.push(term.value);
      continue;
    }
    const [, name, sign] = reader.take(FIELD_START) ?? [];
    if (name) {
      const field = FILTER_FIELDS[name.toLowerCase() as keyof typeof FILTER_FIELDS];
      const term = readField(reader, field, sign ?? ":", not);
      if (!term.ok) return term;
      terms.push(term.value);
    } else {
      const word = reader.word(false);
      if (!word.ok) return word;
      // Empty quotes are ignored: the user is still typing.
      if (word.value.text !== "") terms.push({ not, kind: "text", text: word.value.text });
    }
  }
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

/** Writes a value so that it is read back as one word. */
function formatWord(text: string): string {
  return text === "" || /^"|[\s,]/.test(text) ? quote(text) : text;
}

function formatTerm(term: FilterTerm): string {
  switch (term.kind) {
    case "priority":
      return `priority:${term.values.map((value) => PRIORITY_NAMES[value]).join(",")}`;
    case "tags":
      return `tag:${term.values.map(formatWord).join(",")}`;
    case "topic":
    case "server":
    case "group":
      return `${term.kind}:${term.values.map(formatWord).join(",")}`;
    case "contains":
      return `${term.field}:${formatWord(term.text)}`;
    case "equals":
      return `${term.field}=${quote(term.text)}`;
    case "like":
      return `${term.field}~${quote(term.text)}`;
    case "text":
      return /^-|^[\p{L}_-]+[:=~<>]/iu.test(term.text) ? quote(term.text) : formatWord(term.text);
    case "is":
    case "has":
      return `${term.kind}:${term.what}`;
    case "after":
    case "before":
      return `${term.kind}:${formatWord(term.written)}`;
  }
}

/** Writes a filter so that `parseFilter` reads the same back. */
export function formatFilter(filter: Filter): string {
  return filter.terms.map((term) => (term.not ? "-" : "") + formatTerm(term)).join(" ");
}

/** What a filter's dates are relative to. */
export interface FilterClock {
  /** Device clock, ms. */
  nowMs: number;
  /** Absent = the device's time zone. */
  offsetMinutes?: OffsetMinutes;
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400, w: 604_800 };

/**
 * The moment that `after:` and `before:` name, Unix seconds: `30m`, `2h`, `3d`, `1w` ago · `today`, `yesterday` (their
 * start) · `2026-11-20` (its start) · `2026-11-20T10:00` · the same with `Z`, for UTC. `undefined` = no date.
 */
export function resolveWhen(written: string, clock: FilterClock): number | undefined {
  const { nowMs, offsetMinutes = deviceOffset } = clock;
  const text = written.toLowerCase();
  const [, amount, unit = ""] = /^(\d{1,5})([mhdw])$/.exec(text) ?? [];
  if (amount !== undefined) return Math.floor(nowMs / 1_000) - Number(amount) * (UNIT_SECONDS[unit] ?? 0);
  if (text === "today" || text === "yesterday") {
    const wall = new Date(nowMs + offsetMinutes(nowMs) * 60_000);
    const day = wall.getUTCDate() - (text === "today" ? 0 : 1);
    return momentOf(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth(), day), offsetMinutes) / 1_000;
  }
  const [whole, date = "", time = "00:00", zone] =
    /^(\d{4}-\d\d-\d\d)(?:t(\d\d:\d\d(?::\d\d)?))?(z)?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const wallMs = Date.parse(`${date}T${time}Z`);
  // Date.parse turns 30 February into a day in March, so the result is compared with the input.
  if (Number.isNaN(wallMs) || !new Date(wallMs).toISOString().startsWith(date)) return undefined;
  return (zone ? wallMs : momentOf(wallMs, offsetMinutes)) / 1_000;
}
