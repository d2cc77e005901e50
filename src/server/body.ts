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

/** Reads a body to its end or the limit; the rest waits. @throws Refusal 40000 if the sender breaks off */
export function peekBody(body: Readable, limit: number): Promise<PeekedBody> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = () => {
      body.off("data", onData).off("end", finish).off("error", onBreak).off("close", onBreak);
      const peeked = wholeBody(Buffer.concat(chunks), limit);
      if (peeked.isWhole) return resolve(peeked);
      body.pause();
      resolve({ ...peeked, rest: body });
    };
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= limit) finish();
    };
    const onBreak = () => reject(new Refusal(40000, "the body broke off"));
    body.on("data", onData).on("end", finish).on("error", onBreak).on("close", onBreak);
  });
}

/** A whole body as text; undefined if it reaches the limit. The connection stays usable. */
export async function readText(body: Readable, limit: number): Promise<string | undefined> {
  const { head, isWhole } = await peekBody(body, limit).finally(() => body.resume());
  return isWhole ? head.toString("utf8") : undefined;
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
