import type { Readable } from "node:stream";
import { type guards, isJsonObject } from "../protocol";
import { Refusal, type RefusalCode } from "./protocol-error";

/** The beginning of a request's body. */
export interface PeekedBody {
  /** At most the limit. */
  head: Buffer;
  /** Everything read so far, which may be more than `head`. */
  read: Buffer;
  /** Whether the body is below the limit, so that `head` is all of it. */
  isWhole: boolean;
  /** The part that has not been read yet. */
  rest?: Readable;
}

/** A body that has already been read. */
export function wholeBody(content: Buffer, limit: number): PeekedBody {
  return { head: content.subarray(0, limit), read: content, isWhole: content.length < limit };
}

/** The rest of a body. It isn't destroyed early, as the answer needs its socket. @throws Refusal 40000 if it breaks off */
export async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw body.readableAborted ? new Refusal(40000, "the body broke off") : error;
  }
}

/** Reads a body to its end or the limit; the rest waits. @throws Refusal 40000 if the sender breaks off */
export async function peekBody(body: Readable, limit: number): Promise<PeekedBody> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunksOf(body)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= limit) break;
  }
  const peeked = wholeBody(Buffer.concat(chunks), limit);
  return peeked.isWhole ? peeked : { ...peeked, rest: body };
}

/** A whole body as text. The connection stays usable. @throws Refusal `tooLarge` if it reaches the limit */
export async function readText(body: Readable, limit: number, tooLarge = new Refusal(41303)): Promise<string> {
  const { head, isWhole } = await peekBody(body, limit).finally(() => body.resume());
  if (!isWhole) throw tooLarge;
  return head.toString("utf8");
}

/** The fields of a JSON object; `null` has none. @throws Refusal if it isn't one */
export function parseFields(text: string, code: RefusalCode): Record<string, unknown> {
  const refusal = new Refusal(code, "it is no JSON object");
  let value: unknown;
  try {
    value = JSON.parse(text) ?? {};
  } catch {
    throw refusal;
  }
  if (!isJsonObject(value)) throw refusal;
  return fieldsInAnyCase(value);
}

/** A field of one type. @throws Refusal 40024 for any other type */
export function field<T>(object: Record<string, unknown>, key: string, is: guards.Guard<T>): T | undefined {
  const value = object[key];
  if (value !== undefined && !is(value)) throw new Refusal(40024, `"${key}" has the wrong type`);
  return value;
}

/** The fields of a parsed object by lower-case name; of equal names the last counts, and null fields are left out. */
export function fieldsInAnyCase(object: object): Record<string, unknown> {
  const given = Object.entries(object).filter(([, value]) => value !== null);
  return Object.fromEntries(given.map(([key, value]: [string, unknown]) => [key.toLowerCase(), value]));
}
