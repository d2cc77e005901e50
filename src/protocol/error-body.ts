import type { Failure } from "./contract";

/** Body of an error answer (docs/protocol.md §10). */
export interface ErrorBody {
  code?: number;
  http: number;
  error: string;
}

/** Codes that decide what happens next (docs/protocol.md §10). */
export const ERROR_CODES = {
  badPriority: 40007,
  badSince: 40008,
  badTopic: 40009,
  unauthorized: 40101,
  forbidden: 40301,
  notFound: 40401,
  tooManyRequests: 42901,
  tooManyStreams: 42903,
  tooManyFailedLogins: 42909,
} as const;

/** Enough for the details of a connection; proxies send whole pages. */
const MAX_ERROR_TEXT = 200;

/** The error inside a parsed object; `undefined` if it is none. */
export function readErrorBody(value: unknown): ErrorBody | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { code, http, error } = value as Record<string, unknown>;
  if (typeof http !== "number" || typeof error !== "string") return undefined;
  const body = { http, error: error.slice(0, MAX_ERROR_TEXT) };
  return Number.isSafeInteger(code) ? { ...body, code: code as number } : body;
}

/** The error inside an answer's body; `undefined` if it is none. */
export function parseErrorBody(text: string): ErrorBody | undefined {
  try {
    return readErrorBody(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * What an answer other than the expected one means (docs/design.md §4, "Answers"). Only a JSON error with a code can
 * stop anything: a page of a proxy, whatever its status, is an outage (`http`), as is a 200 of something that is no
 * stream (`malformed`: the sign-in page of a guest network). Decided by code, never by text.
 */
export function classifyAnswer(status: number, contentType: string | null, bodyText: string): Failure {
  const body = /^application\/([a-z.-]+\+)?json\b/i.test(contentType ?? "") ? parseErrorBody(bodyText) : undefined;
  if (!body && status >= 200 && status < 300) return { kind: "malformed", text: contentType ?? "" };
  const code = body?.code;
  if (!body || code === undefined) return body ? { kind: "http", status, text: body.error } : { kind: "http", status };
  if (code === ERROR_CODES.notFound) return { kind: "no-topic-server" };
  // The first three digits of a code are the status that it belongs to.
  switch (Math.floor(code / 100)) {
    case 401:
      return { kind: "unauthorized", code };
    case 403:
      return { kind: "forbidden", code, topics: [] };
    case 429:
      return { kind: "busy", code };
    default:
      return { kind: "http", status, code, text: body.error };
  }
}
