import type { ErrorBody } from "../protocol";

/** Base address of the pages on which the protocol's first implementation explains errors. */
const DOCS = "https://ntfy.sh/docs";

/** Every refusal: status, text, and a page that explains it if there is one (docs/protocol.md §10 and 13). */
const REFUSALS = {
  40000: [400, "invalid request"],
  40002: [400, "a delayed message needs the cache"],
  40004: [400, "the delay can't be read", `${DOCS}/publish/#scheduled-delivery`],
  40005: [400, "the delay is too short", `${DOCS}/publish/#scheduled-delivery`],
  40006: [400, "the delay is too long", `${DOCS}/publish/#scheduled-delivery`],
  40007: [400, "the priority can't be read", `${DOCS}/publish/#message-priority`],
  40008: [400, "the starting point (since) can't be read", `${DOCS}/subscribe/api/#fetch-cached-messages`],
  40009: [400, "the topic is not valid"],
  40010: [400, "the topic name is reserved"],
  40011: [400, "the message is not UTF-8"],
  40013: [400, "the address of the attachment is not http or https", `${DOCS}/publish/#attachments`],
  40014: [400, "this server takes no attachments", `${DOCS}/config/#attachments`],
  40015: [400, "the attachment would expire before the message is delivered", `${DOCS}/publish/#scheduled-delivery`],
  40016: [400, "this path needs a WebSocket", `${DOCS}/subscribe/api/#websockets`],
  40018: [400, "the actions can't be read", `${DOCS}/publish/#action-buttons`],
  40021: [400, "the address of the icon is not http or https", `${DOCS}/publish/#icons`],
  40023: [400, "no token was named"],
  40024: [400, "the body is not the JSON that is expected here"],
  40038: [400, "the push registration can't be read"],
  40039: [400, "the endpoint is not at a push service that this server knows"],
  40040: [400, "the push registration names too many topics"],
  40049: [400, "the sequence id is not valid", `${DOCS}/publish/#updating-deleting-notifications`],
  40101: [401, "unauthorized", `${DOCS}/publish/#authentication`],
  40301: [403, "forbidden", `${DOCS}/publish/#authentication`],
  40401: [404, "not found"],
  40903: [409, "the account lists this topic already"],
  41301: [
    413,
    "the attachment is too large, or the space or traffic allowance is used up",
    `${DOCS}/publish/#limitations`,
  ],
  41303: [413, "the JSON is too large"],
  42901: [429, "too many requests", `${DOCS}/publish/#limitations`],
  42903: [429, "too many open subscriptions", `${DOCS}/publish/#limitations`],
  42904: [429, "the server has no room for another topic", `${DOCS}/publish/#limitations`],
  42905: [429, "the uploader's traffic allowance is used up", `${DOCS}/publish/#limitations`],
  42908: [429, "the daily number of messages is reached", `${DOCS}/publish/#limitations`],
  42909: [429, "too many failed logins", `${DOCS}/publish/#limitations`],
  42911: [429, "too many new topics", `${DOCS}/publish/#limitations`],
  50001: [500, "internal server error"],
} as const satisfies Record<number, readonly [http: number, text: string, link?: string]>;

export type RefusalCode = keyof typeof REFUSALS;

/** A request that the server refuses. It is thrown inside the server and becomes an answer at its edge. */
export class Refusal extends Error {
  /** @param detail adds to the code's text @param http a status that fits better than the code's own */
  constructor(
    readonly code: RefusalCode,
    readonly detail?: string,
    readonly http: number = REFUSALS[code][0],
  ) {
    super(`${code}: ${REFUSALS[code][1]}${detail ? `: ${detail}` : ""}`);
  }

  /** The body of the answer (docs/protocol.md §10), with its final line feed. */
  body(): string {
    const [, text, link] = REFUSALS[this.code];
    const body: ErrorBody & { link?: string } = {
      code: this.code,
      http: this.http,
      error: this.detail ? `${text}: ${this.detail}` : text,
      ...(link === undefined ? {} : { link }),
    };
    return `${JSON.stringify(body)}\n`;
  }
}

/** The system's code of an error, such as `ENOENT`. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
