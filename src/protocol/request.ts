// Addresses and requests of every endpoint that a client uses (docs/protocol.md §2, 3 and 13).
import { type ServerAddress, webSocketAddress } from "./address";
import { encodeBase64 } from "./base64";
import { type Credentials, authorizationHeader, authParameter } from "./credentials";
import { sequenceOf } from "./event";
import { as, fields, flag, maybe, list, type RecordOf, text } from "./guards";
import { isPriority, type MessageEvent } from "./message";
import { encodeQuery } from "./parameters";
import { type Since, formatSince } from "./since";

/** What a message to publish says (docs/protocol.md §13). */
export const MESSAGE_DRAFT = {
  /** Empty = the server's own words with a file, else `triggered`. */
  message: text,
  title: maybe(text),
  priority: maybe(isPriority),
  tags: maybe(list(text)),
  markdown: maybe(flag),
  /** Seconds, a duration or a time, as the protocol writes it (docs/protocol.md §13). */
  delay: maybe(text),
  /** Sent as the body. */
  file: maybe(fields({ name: text, content: as<Blob>((value) => value instanceof Blob) })),
};
export interface MessageDraft extends RecordOf<typeof MESSAGE_DRAFT> {}

export interface PublishInput extends MessageDraft {
  address: ServerAddress;
  topic: string;
  credentials?: Credentials;
  /** Use the credentials of this account instead. */
  accountId?: number;
  /** Names the message, so that publishing it again replaces it (docs/protocol.md §17). */
  sequence?: string;
}

/** The four formats of a subscription (docs/protocol.md §2). */
export type StreamFormat = "json" | "sse" | "raw" | "ws";

export interface SubscribeRequest {
  address: ServerAddress;
  topics: readonly string[];
  format: StreamFormat;
  poll?: boolean;
  since?: Since;
  scheduled?: boolean;
}

/** What a server has besides its topics (docs/protocol.md §2, 13 and 15). */
const PATHS = {
  /** Answers `{"healthy":true}`. Neither this nor the counters are rate limited. */
  health: "/v1/health",
  stats: "/v1/stats",
  /** The account that the request signs in with; where its tokens are issued, extended and removed. */
  account: "/v1/account",
  accountToken: "/v1/account/token",
  /** Registrations for pushes. */
  webPush: "/v1/webpush",
  /** Tells clients on any origin about a server; older servers don't have it. */
  clientConfig: "/v1/config",
  /** A script that says the same on all servers, in a global `config`; other origins can't read it. */
  clientScript: "/config.js",
  /** Accepts messages in their JSON form. */
  publish: "/",
};

export function serverUrl(address: ServerAddress, what: keyof typeof PATHS): string {
  return address + PATHS[what];
}

const oneIf = (on: boolean | undefined) => (on ? "1" : undefined);

/**
 * The URL with credentials in its query, last, for requests whose headers can't hold them. It is then a secret: never
 * log, show or store it.
 */
export function withCredentials(url: string, credentials: Credentials): string {
  return `${url}${url.includes("?") ? "&" : "?"}auth=${authParameter(credentials)}`;
}

/** URL of a stream or poll. Query names are in lower case (docs/protocol.md §18, C2). */
export function subscribeUrl({ address, topics, format, poll, since, scheduled }: SubscribeRequest): string {
  const base = format === "ws" ? webSocketAddress(address) : address;
  const query = encodeQuery([
    ["poll", oneIf(poll)],
    ["since", since && formatSince(since)],
    ["scheduled", oneIf(scheduled)],
  ]);
  return `${base}/${topics.join(",")}/${format}${query && `?${query}`}`;
}

/** URL that tells whether all of the topics may be read (docs/protocol.md §2). */
export function authCheckUrl(address: ServerAddress, topics: readonly string[]): string {
  return `${address}/${topics.join(",")}/auth`;
}

/** Headers that carry the credentials; none without credentials. */
export function credentialHeaders(credentials: Credentials | undefined): Record<string, string> {
  return credentials ? { Authorization: authorizationHeader(credentials) } : {};
}

/** The request that publishes a message: as JSON, or with the file as the body and the rest in headers. */
export function publishRequest(input: Omit<PublishInput, "credentials" | "accountId">) {
  const { address, topic, message, title, priority, tags, markdown, delay, sequence, file } = input;
  const body = JSON.stringify({ topic, message, title, priority, tags, markdown, delay, sequence_id: sequence });
  if (!file) return { url: serverUrl(address, "publish"), body };
  const fields = {
    "X-Filename": file.name,
    "X-Message": message,
    "X-Title": title,
    "X-Priority": priority && String(priority),
    "X-Tags": tags?.join(","),
    "X-Markdown": oneIf(markdown),
    "X-Delay": delay,
    "X-Sequence-ID": sequence,
  };
  const headers = Object.entries(fields).flatMap(([name, value]) => (value ? [[name, headerText(value)]] : []));
  return {
    url: `${address}/${topic}`,
    body: file.content,
    headers: Object.fromEntries(headers) as Record<string, string>,
  };
}

/** A value as a header may hold it: an encoded word, unless it is plain (docs/protocol.md §3). */
function headerText(value: string): string {
  return /^[ -~]*$/.test(value) && !value.includes("=?") ? value : `=?UTF-8?B?${encodeBase64(value)}?=`;
}

/** URL of a sequence, or of a message by its id; DELETE takes it off the server, PUT to `/clear` below marks it read (docs/protocol.md §17). */
export function sequenceUrl(address: ServerAddress, topic: string, sequence: string): string {
  return `${address}/${topic}/${sequence}`;
}

/** Whether a received message can be published again: not if it holds bytes or an uploaded file. */
export function canRepublish({ encoding, attachment }: MessageEvent): boolean {
  return encoding === undefined && attachment?.expires === undefined;
}

/** Whether its body is Markdown; parameters such as `; charset=utf-8` don't change the type. */
export function isMarkdown({ content_type }: MessageEvent): boolean {
  return content_type?.split(";")[0]?.trim().toLowerCase() === "text/markdown";
}

/** The JSON body that publishes a message again, as the newest version of its sequence. */
export function republishBody(event: MessageEvent): string {
  const { topic, message, title, tags, priority, click, icon, actions, attachment } = event;
  return JSON.stringify({
    ...{ topic, message, title, tags, priority, click, icon, actions, sequence_id: sequenceOf(event) },
    ...(isMarkdown(event) && { markdown: true }),
    ...(attachment && { attach: attachment.url, filename: attachment.name }),
  });
}

/** The longest URL we request, in characters: proxies begin to refuse longer ones (docs/design.md §4). */
export const MAX_URL_LENGTH = 4_000;

/**
 * Splits topics into the fewest requests that keep each URL short enough, whatever the format and the starting point. A
 * topic named twice is asked for once, as it would be delivered twice. A topic that is too long gets its own request.
 */
export function splitTopicsByUrlLength(
  address: ServerAddress,
  topics: readonly string[],
  auth?: Credentials,
  maxLength = MAX_URL_LENGTH,
): string[][] {
  // The longest request that is made without filters.
  const since: Since = { kind: "time", time: Number.MAX_SAFE_INTEGER };
  const plain = subscribeUrl({ address, topics: [], format: "json", poll: true, since, scheduled: true });
  const empty = auth ? withCredentials(plain, auth) : plain;
  const groups: string[][] = [];
  let length = Infinity;
  for (const topic of new Set(topics)) {
    length += topic.length + 1;
    if (length > maxLength) {
      groups.push([]);
      length = empty.length + 1 + topic.length;
    }
    groups.at(-1)?.push(topic);
  }
  return groups;
}
