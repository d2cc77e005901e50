// Plays what a reference server answered against our own reading of parameters, starting points, filters and events. The
// recordings lie beside the repository; where they are missing, there is nothing to compare with.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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
  readParameter,
  type MessageEvent,
  type ParameterName,
  type Since,
} from "../../src/protocol";

const FOLDER = join(import.meta.dirname, "../../../shared/vectors");

interface Step {
  request?: { method: string; path: string; headers?: Record<string, string> };
  answer?: { status: number; lines?: unknown[] };
  lines?: unknown[];
  stream?: string;
}
interface Vector {
  name: string;
  profile: string;
  conflict?: unknown;
  steps: Step[];
}

const files = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith(".json")) : [];
const vectorsOf = (file: string) =>
  (JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as { vectors: Vector[] }).vectors;

/** Seconds between messages: recordings that need distinct times waited for them. */
const FIRST_TIME = 1_760_000_000;

/** Puts values in place of the placeholders: times by the message's number, ids of the right form, text for the rest. */
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
  return [...(step.lines ?? []), ...(step.answer?.lines ?? [])]
    .filter((line) => typeof line === "object" && line !== null)
    .map((line) => fill("data" in line ? line.data : line) as Record<string, unknown>);
}

/** What a poll selects, per topic and merged, from messages in the order of their rows (protocol, section 4). */
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
  const read = (name: ParameterName) => readParameter(name, headers, query);
  const since = parseSince(read("since"), { poll: parseBoolean(read("poll")), nowS: FIRST_TIME + 10 });
  if (!since.ok) return ERROR_CODES.badSince;
  const filter = parseMessageFilter({
    id: read("id"),
    message: read("message"),
    title: read("title"),
    priority: read("priority"),
    tags: read("tags"),
  });
  if (!filter.ok) return ERROR_CODES.badPriority;
  return topics
    .split(",")
    .flatMap((topic) => select(since.value, topic, messages))
    .sort((a, b) => a.time - b.time)
    .filter((message) => passesFilter(filter.value, message))
    .map(({ id }) => id);
}

describe.skipIf(files.length === 0)(
  "recorded answers of a reference server (skipped without ../shared/vectors)",
  () => {
    it("are there", () => {
      expect(files).toContain("since.json");
    });

    it.each(files)("%s: every event is one, and every error says so", (file) => {
      let seen = 0;
      for (const object of vectorsOf(file).flatMap(({ steps }) => steps.flatMap(objectsOf))) {
        if ("event" in object) expect(decodeEvent(object)).toEqual({ ok: true, value: object });
        else if ("code" in object) expect(parseErrorBody(JSON.stringify(object))?.code).toBe(object["code"]);
        else continue;
        seen++;
      }
      expect(seen + Number(file === "web-push.json")).toBeGreaterThan(0);
    });

    const polls = files.filter((file) => file === "since.json" || file === "filters.json").flatMap(vectorsOf);
    it.each(polls.filter(({ conflict }) => !conflict).map((vector) => [vector.name, vector] as const))(
      "polls: %s",
      (_, { steps }) => {
        const messages: MessageEvent[] = [];
        let compared = 0;
        for (const step of steps) {
          const { request, answer } = step;
          if (!request || !answer || step.stream) continue;
          const objects = objectsOf(step);
          const path = String(fill(request.path));
          if (request.method === "PUT") {
            messages.push(...(objects as unknown as MessageEvent[]).filter(isCached));
          } else if (path.includes("/json")) {
            const recorded = objects[0]?.["code"] ?? objects.map((object) => object["id"]);
            expect(poll(path, fill(request.headers ?? {}) as Record<string, string>, messages), path).toEqual(recorded);
            compared++;
          }
        }
        expect(compared + Number(steps.some(({ stream }) => stream !== undefined))).toBeGreaterThan(0);
      },
    );
  },
);
