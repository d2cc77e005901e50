import { type ErrorBody, readErrorBody } from "./error-body";
import type { ProtocolEvent } from "./message";
import { isPriority } from "./priority";
import { type Result, fail, ok } from "./result";

/**
 * Why something received isn't an event. All but `unknown-event` count as malformed; that one comes from a newer server
 * and is skipped silently. `error-object` is an error reported inside a stream before it ends (docs/protocol.md §7).
 */
export type DecodeError =
  | { kind: "not-json" }
  | { kind: "not-an-object" }
  | { kind: "unknown-event"; event: string }
  | { kind: "error-object"; body: ErrorBody }
  | { kind: "wrong-type"; field: string }
  | { kind: "too-deep" };

/** Real messages nest three levels. Deeper ones could overflow the stack when they are cloned for storage or a port. */
const MAX_DEPTH = 32;

/** Servers make ids of 12 characters and names of at most 64; longer ones only make keys expensive. */
const MAX_ID_LENGTH = 256;

/**
 * Whether a value can be an id, or the name of a sequence or topic: `encodeURIComponent` throws on a lone surrogate.
 */
export function isId(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_ID_LENGTH && !/\p{Surrogate}/u.test(value);
}

type Fields = Record<string, unknown>;

/** Returns the path of the first wrong field, below `path`; `undefined` = all are valid. */
type Check = (value: unknown, path: string) => string | undefined;

const checkString: Check = (value, path) => (typeof value === "string" ? undefined : path);
const checkId: Check = (value, path) => (isId(value) ? undefined : path);
const checkNumber: Check = (value, path) => (Number.isFinite(value) ? undefined : path);
const checkBoolean: Check = (value, path) => (typeof value === "boolean" ? undefined : path);
const checkPriority: Check = (value, path) => (isPriority(value) ? undefined : path);
/** The last second of the year 9999: a later one isn't a time but an attempt to break its display. */
export const LATEST_TIME_S = 253_402_300_799;
/** Times are parts of keys, so they must be exact. */
const checkTime: Check = (value, path) =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= LATEST_TIME_S ? undefined : path;

/** Whether a value is an object as JSON has them; what its fields hold has yet to be checked. */
export const isJsonObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A field that may be absent. */
const optional =
  (check: Check): Check =>
  (value, path) =>
    value === undefined ? undefined : check(value, path);

const list =
  (check: Check): Check =>
  (value, path) => {
    if (!Array.isArray(value)) return path;
    for (let index = 0; index < value.length; index++) {
      const wrong = check(value[index], `${path}[${index}]`);
      if (wrong) return wrong;
    }
    return undefined;
  };

const object =
  (shape: Readonly<Record<string, Check>>): Check =>
  (value, path) => {
    if (!isJsonObject(value)) return path;
    for (const field in shape) {
      const wrong = shape[field]?.(value[field], path === "" ? field : `${path}.${field}`);
      if (wrong) return wrong;
    }
    return undefined;
  };

const checkStringMap: Check = (value, path) =>
  isJsonObject(value) && Object.values(value).every((entry) => typeof entry === "string") ? undefined : path;

const optionalString = optional(checkString);

const EVENT = { id: checkId, time: checkTime, topic: checkId };
/** Its `topic` is the list from the URL, which has no bound. */
const OF_STREAM = object({ ...EVENT, topic: checkString });
const SEQUENCE_STEP = object({ ...EVENT, sequence_id: checkId, expires: optional(checkNumber) });

/** Types of the fields of each kind of event (docs/protocol.md §6 and 17). Other fields are kept unchecked. */
const EVENTS: Readonly<Record<ProtocolEvent["event"], Check>> = {
  open: OF_STREAM,
  keepalive: OF_STREAM,
  poll_request: object({ ...EVENT, message: optionalString, poll_id: optional(checkId) }),
  message_delete: SEQUENCE_STEP,
  message_clear: SEQUENCE_STEP,
  message: object({
    ...EVENT,
    message: checkString,
    expires: optional(checkNumber),
    title: optionalString,
    tags: optional(list(checkString)),
    priority: optional(checkPriority),
    click: optionalString,
    icon: optionalString,
    attachment: optional(
      object({
        name: checkString,
        url: checkString,
        type: optionalString,
        size: optional(checkNumber),
        expires: optional(checkNumber),
      }),
    ),
    content_type: optionalString,
    encoding: optionalString,
    sequence_id: (value, path) => (value === "" ? undefined : optional(checkId)(value, path)),
    // An action may be of a kind we don't know, so only the types of fields that are present are checked;
    // `knownActions` checks what a button needs.
    actions: optional(
      list((value, path) =>
        isJsonObject(value) && !["view", "http", "broadcast", "copy"].includes(String(value["action"]))
          ? checkString(value["action"], `${path}.action`)
          : object({
              id: optionalString,
              label: optionalString,
              clear: optional(checkBoolean),
              url: optionalString,
              method: optionalString,
              headers: optional(checkStringMap),
              body: optionalString,
              intent: optionalString,
              extras: optional(checkStringMap),
              value: optionalString,
            })(value, path),
      ),
    ),
  }),
};

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const entry of Object.values(value)) if (isDeeperThan(entry, levels - 1)) return true;
  return false;
}

/**
 * Checks that a value is an event (docs/protocol.md §6 and 17). The same object is returned, with unknown fields, so
 * that nothing a newer server says is lost.
 */
export function decodeEvent(value: unknown): Result<ProtocolEvent, DecodeError> {
  if (!isJsonObject(value)) return fail({ kind: "not-an-object" });
  const kind = value["event"];
  if (typeof kind !== "string") {
    const body = readErrorBody(value);
    return fail(body && kind === undefined ? { kind: "error-object", body } : { kind: "wrong-type", field: "event" });
  }
  if (!Object.hasOwn(EVENTS, kind)) return fail({ kind: "unknown-event", event: kind });
  const field = EVENTS[kind as ProtocolEvent["event"]](value, "");
  if (field) return fail({ kind: "wrong-type", field });
  return isDeeperThan(value, MAX_DEPTH) ? fail({ kind: "too-deep" }) : ok(value as unknown as ProtocolEvent);
}

/** Reads one line of a JSON stream, or the data of one server-sent event (docs/protocol.md §7). */
export function decodeLine(line: string): Result<ProtocolEvent, DecodeError> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return fail({ kind: "not-json" });
  }
  return decodeEvent(value);
}
