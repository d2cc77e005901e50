// What a server says about accounts (docs/protocol.md §2).
import { as, count, type Guard, isJsonObject, number, text } from "./guards";
import { LATEST_TIME_S } from "./message";

const isCount = as<number>((value) => number(value) && value >= 0 && value <= LATEST_TIME_S);
const isList = as<unknown[]>(Array.isArray);

export interface AccountTopic {
  /** As the server writes it; absent = its own. */
  baseUrl?: string;
  topic: string;
  displayName?: string;
}

/** The part of `/v1/account` that an app can use. */
export interface AccountFacts {
  /** Absent = nobody is signed in. */
  user?: string;
  /** How long the server keeps messages, in seconds; 0 = not at all; absent = it doesn't say. */
  keepsS?: number;
  /** How many messages may still be published today; absent = it doesn't say. */
  messagesLeft?: number;
  /** How many messages may be published in a day; absent = it doesn't say. */
  messagesADay?: number;
  /** How large a file may be, in bytes; 0 = it takes none; absent = it doesn't say. */
  fileBytes?: number;
  topics: AccountTopic[];
  /** Topics reserved for this account. No server says what else the account may read. */
  reserved: string[];
  /** The account's tokens, each with its end in Unix seconds; 0 = never. */
  tokens: IssuedToken[];
}

/** A token as its server issued or extended it. */
export interface IssuedToken {
  token: string;
  /** Unix seconds; 0 = never. */
  expires: number;
}

/** Reads a response of `/v1/account`; undefined if it is something else. */
export function readAccount(answer: unknown): AccountFacts | undefined {
  const user = fieldOf(answer, "username", text);
  if (user === undefined) return undefined;
  const limits = fieldOf(answer, "limits", isJsonObject);
  const stats = fieldOf(answer, "stats", isJsonObject);
  const keepsS = fieldOf(limits, "messages_expiry_duration", isCount);
  const messagesADay = fieldOf(limits, "messages", isCount);
  const messagesLeft = fieldOf(stats, "messages_remaining", isCount);
  const fileBytes = fieldOf(limits, "attachment_file_size", isCount);
  const roomBytes = fieldOf(stats, "attachment_total_size_remaining", isCount) ?? Infinity;
  return {
    ...(user !== "*" && { user }),
    ...(keepsS !== undefined && { keepsS }),
    ...(messagesLeft !== undefined && { messagesLeft }),
    ...(messagesADay !== undefined && { messagesADay }),
    ...(fileBytes !== undefined && { fileBytes: Math.min(fileBytes, roomBytes) }),
    topics: (fieldOf(answer, "subscriptions", isList) ?? []).flatMap(topicOf),
    reserved: (fieldOf(answer, "reservations", isList) ?? []).flatMap((value) => fieldOf(value, "topic", text) ?? []),
    tokens: (fieldOf(answer, "tokens", isList) ?? []).flatMap((token) => readToken(token) ?? []),
  };
}

/** Reads a token that was issued or extended; undefined if the response names none. */
export function readToken(answer: unknown): IssuedToken | undefined {
  const token = fieldOf(answer, "token", text);
  // The token goes into a header, so it may only hold what fits there.
  if (token === undefined || !/^[A-Za-z0-9._~+/-]+=*$/.test(token)) return undefined;
  return { token, expires: fieldOf(answer, "expires", isCount) ?? 0 };
}

/** Longest topic name that is accepted, in characters. */
const LONGEST_NAME = 64;

function topicOf(value: unknown): AccountTopic[] {
  const topic = fieldOf(value, "topic", text);
  if (topic === undefined) return [];
  const baseUrl = fieldOf(value, "base_url", text);
  const displayName = fieldOf(value, "display_name", text)?.trim().slice(0, LONGEST_NAME);
  return [{ topic, ...(baseUrl && { baseUrl }), ...(displayName && { displayName }) }];
}

/** A field of an object; undefined if either isn't what it should be. */
function fieldOf<Value>(object: unknown, name: string, is: Guard<Value>): Value | undefined {
  const field = isJsonObject(object) ? object[name] : undefined;
  return is(field) ? field : undefined;
}

/** Reads from a server's counters how many messages were ever published; undefined if it is something else. */
export function publishedCount(body: unknown): number | undefined {
  return fieldOf(body, "messages", count);
}
