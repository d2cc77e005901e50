// Compares what a reference server answered (tests/vectors) with our own reading of parameters, starting points,
// filters and events.
import { describe, expect, it } from "vitest";
import {
  decodeEvent,
  ERROR_CODES,
  isCached,
  parseBoolean,
  parseErrorBody,
  parseMessageFilter,
  parseSince,
  passesFilter,
  parameterReader,
  type MessageEvent,
  type Since,
} from "../../src/protocol";
import { readRecordings, type Step } from "../vectors/vector";

const recordings = [...readRecordings()];

/** Seconds between messages, which recordings that need distinct times waited for. */
const FIRST_TIME = 1_760_000_000;

/** Replaces the placeholders: times by the message's number, ids of the right form, and text for the rest. */
function fill(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fill);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fill(entry)]));
  }
  if (typeof value !== "string") return value;
  const number = /^\{\{\w+?(\d*)\.(?:time|attachmentExpires)([+-]\d+)?\}\}$/.exec(value);
  if (number) return FIRST_TIME + Number(number[1]) + Number(number[2] ?? 0);
  return value.replace(/\{\{([^}]+)\}\}/g, (_, name: string) => {
    const part = /^(\w+?)(\d*)\.(\w+)(\+\d+)?$/.exec(name);
    if (part?.[3] === "time") return String(FIRST_TIME + Number(part[2]) + Number(part[4] ?? 0));
    return part?.[3] === "id" ? `${part[1]}${part[2]}`.padEnd(12, "0") : name;
  });
}

function objectsOf(step: Step): Record<string, unknown>[] {
  const own = "lines" in step ? (step.lines ?? []) : [];
  const answered = "answer" in step && "lines" in step.answer ? step.answer.lines : [];
  return [...own, ...answered]
    .filter((line): line is Record<string, unknown> => typeof line === "object" && line !== null)
    .map((line) => fill("data" in line ? line["data"] : line) as Record<string, unknown>);
}

/**
 * The messages that a poll selects, by topic and then merged, from messages in the order of their rows
 * (docs/protocol.md §4).
 */
function select(since: Since, topic: string, messages: MessageEvent[]): MessageEvent[] {
  const own = messages.filter((message) => message.topic === topic);
  switch (since.kind) {
    case "none":
      return [];
    case "all":
      return own;
    case "latest":
      return own.slice(-1);
    case "time":
      return own.filter(({ time }) => time >= since.time);
    case "id": {
      const marker = messages.findIndex(({ id }) => id === since.id);
      return own.filter((message) => messages.indexOf(message) > marker);
    }
  }
}

/** The ids of a poll's answer, or the code of its refusal. */
function poll(path: string, headers: Record<string, string>, messages: MessageEvent[]): string[] | number {
  const [topics = "", search = ""] = path.replace(/^\//, "").split(/\/json\??/);
  const query = new URLSearchParams(search);
  const read = parameterReader(headers, query);
  const since = parseSince(read("since"), { poll: parseBoolean(read("poll")), nowS: FIRST_TIME + 10 });
  if (!since) return ERROR_CODES.badSince;
  const filter = parseMessageFilter(read);
  if (!filter) return ERROR_CODES.badPriority;
  return topics
    .split(",")
    .flatMap((topic) => select(since, topic, messages))
    .sort((a, b) => a.time - b.time)
    .filter((message) => passesFilter(filter, message))
    .map(({ id }) => id);
}

describe("recorded answers of a reference server", () => {
  it.each(recordings)("%s: every event is one, and every error says so", (_, { vectors }) => {
    let seen = 0;
    for (const object of vectors.flatMap(({ steps }) => steps.flatMap(objectsOf))) {
      if ("event" in object) expect(decodeEvent(object)).toBe(object);
      else if ("code" in object) expect(parseErrorBody(JSON.stringify(object))?.code).toBe(object["code"]);
      else continue;
      seen++;
    }
    expect(seen).toBeGreaterThan(0);
  });

  const polls = recordings.flatMap(([file, { vectors }]) =>
    ["since.json", "filters.json"].includes(file) ? vectors : [],
  );
  it.each(polls.filter(({ conflict }) => !conflict).map((vector) => [vector.name, vector] as const))(
    "polls: %s",
    (_, { steps }) => {
      const messages: MessageEvent[] = [];
      let compared = 0;
      for (const step of steps) {
        if (!("request" in step) || "stream" in step) continue;
        const objects = objectsOf(step);
        const path = String(fill(step.request.path));
        if (step.request.method === "PUT") {
          messages.push(...(objects as unknown as MessageEvent[]).filter(isCached));
        } else if (path.includes("/json")) {
          const recorded = objects[0]?.["code"] ?? objects.map((object) => object["id"]);
          expect(poll(path, fill(step.request.headers ?? {}) as Record<string, string>, messages), path).toEqual(
            recorded,
          );
          compared++;
        }
      }
      expect(compared + Number(steps.some((step) => "stream" in step))).toBeGreaterThan(0);
    },
  );
});
