import { isJsonObject } from "./guards";

/** Why an attempt failed; the page has a text for each (docs/protocol.md §10). */
export type Failure =
  | { kind: "network" }
  | { kind: "silent" }
  | { kind: "ended" }
  | { kind: "http"; status: number; code?: number; text?: string }
  | { kind: "busy"; code: number }
  | { kind: "unauthorized"; code: number }
  /** `isSignedIn`: the credentials are right, but not for these topics. */
  | { kind: "forbidden"; code: number; topics: string[]; isSignedIn?: true }
  | { kind: "no-topic-server" }
  | { kind: "not-allowed-by-browser" }
  | { kind: "malformed"; text: string };

/** Body of an error response (docs/protocol.md §10). */
export interface ErrorBody {
  code?: number;
  http: number;
  error: string;
}

/** Codes that determine what happens next (docs/protocol.md §10). */
export const ERROR_CODES = {
  delayTooShort: 40005,
  delayTooLong: 40006,
  badPriority: 40007,
  badSince: 40008,
  badTopic: 40009,
  topicNotAllowed: 40010,
  unauthorized: 40101,
  forbidden: 40301,
  fileTooLarge: 41301,
  notFound: 40401,
  tooManyRequests: 42901,
  tooManyStreams: 42903,
  noRoomForTopics: 42904,
  tooMuchTraffic: 42905,
  noMessageLeft: 42908,
  tooManyFailedLogins: 42909,
  tooManyNewTopics: 42911,
} as const;

/** Whether the server accepts no topic of such a name, whoever asks. */
export function isTopicCode(code: number | undefined): boolean {
  return code === ERROR_CODES.badTopic || code === ERROR_CODES.topicNotAllowed;
}

/** Whether the server delivers nothing at such a time: it is too near, or too far away. */
export function isDelayCode(code: number | undefined): boolean {
  return code === ERROR_CODES.delayTooShort || code === ERROR_CODES.delayTooLong;
}

/** How much of an error's text the connection details keep, in characters; proxies send whole pages. */
const MAX_ERROR_TEXT = 200;

/** The error in a parsed object, if there is one. */
export function readErrorBody(value: unknown): ErrorBody | undefined {
  const { code, http, error } = isJsonObject(value) ? value : {};
  if (typeof http !== "number" || typeof error !== "string") return undefined;
  const body = { http, error: error.slice(0, MAX_ERROR_TEXT) };
  return Number.isSafeInteger(code) ? { ...body, code: code as number } : body;
}

/** The error in a response body, if there is one. */
export function parseErrorBody(text: string): ErrorBody | undefined {
  try {
    return readErrorBody(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * What an unexpected response means (docs/design.md §4, "Answers"). Only a JSON error with a code can stop anything. A
 * proxy's page, whatever its status, is an outage (`http`), and so is a 200 that isn't a stream (`malformed`: the
 * sign-in page of a guest network).
 */
export function classifyAnswer(status: number, contentType: string | null, bodyText: string): Failure {
  const body = /^application\/([a-z.-]+\+)?json\b/i.test(contentType ?? "") ? parseErrorBody(bodyText) : undefined;
  if (!body && status >= 200 && status < 300) return { kind: "malformed", text: contentType ?? "" };
  return body ? failureOf(body, status) : { kind: "http", status };
}

/** What an error means, in a response of its own or as a line of a body. The code decides, never the text. */
export function failureOf({ code, http, error: text }: ErrorBody, status = http): Failure {
  if (code === undefined) return { kind: "http", status, text };
  if (code === ERROR_CODES.notFound) return { kind: "no-topic-server" };
  // The first three digits of a code are its HTTP status.
  switch (Math.floor(code / 100)) {
    case 401:
      return { kind: "unauthorized", code };
    case 403:
      return { kind: "forbidden", code, topics: [] };
    case 429:
      return { kind: "busy", code };
    default:
      return { kind: "http", status, code, text };
  }
}
