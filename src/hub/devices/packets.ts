// What devices of a group say to each other, each as the text of one message: JSON, deflated, encrypted, as base64url.
// Anybody may write to the topic, so nothing is trusted until it is decrypted, and its shape not even then.
import { decodeRegister, type Register } from "../../contract";
import { guards, isJsonObject } from "../../protocol";
import { type Bytes, IV_BYTES, jsonIn, PROOF_BYTES, sealed, unsealed } from "./keys";

/** By this tag other clients can leave them alone. */
export const PACKET_TAG = "earshot-devices";

/** The longest text, bytes: below the 4,096 of a message. */
export const MAX_PACKET_BYTES = 3_900;

/** What is left for the deflated JSON: base64 has four letters for three bytes. */
const MAX_DEFLATED = Math.floor((MAX_PACKET_BYTES * 3) / 4) - IV_BYTES - PROOF_BYTES;

/** Little text may be deflated from very much: more than this, bytes, isn't inflated. */
const MAX_INFLATED = 1_000_000;

const { text, stringMap } = guards;

const isCounter = guards.as<number>(
  (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32,
);

/** How far each device has been heard: the counter of its newest packet, by the device's id. */
export type Heard = Record<string, number>;

export type Statement =
  /**
   * `registers` may be none, which tells only how far others were heard. `asks`: something was missed since this server
   * time, Unix seconds. `isLast`: nothing more waits to be told, so that questions heard before are answered.
   */
  | { kind: "changes"; registers: Register[]; asks?: number; isLast?: true }
  /** A device is removed (`out`), and the group moves: topic and key, or that it is out, encrypted for each, by its id. */
  | { kind: "moved"; from: string; out: string; to: Record<string, string> }
  /** Of an invitation: a device asks to join, with its public key. */
  | { kind: "join"; name: string; publicKey: string }
  /** Of an invitation: the group, encrypted for the device that joined; without it, the device isn't let in. */
  | { kind: "welcome"; to: string; group?: string };

export interface Packet {
  deviceId: string;
  /** 1 for a device's first, one more for each. */
  counter: number;
  heard: Heard;
  said: Statement;
}

/**
 * Writes a packet. Of its registers, those from the first that fit are in it, and the others are returned as `left`;
 * then it isn't the last.
 */
export async function seal(
  key: CryptoKey,
  { deviceId, counter, heard, said }: Packet,
  iv: Bytes,
): Promise<{ text: string; left: Register[] }> {
  const all = "registers" in said ? said.registers : [];
  let count = all.length;
  for (;;) {
    const registers = all.slice(0, count).map(({ key, value, stamp }) => [key, value, stamp]);
    const part = { registers, ...(count < all.length && { isLast: undefined }) };
    const json = JSON.stringify({ ...said, ...("registers" in said && part), deviceId, counter, heard });
    const deflated = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(json));
    const size = deflated?.length ?? Infinity;
    if (deflated && (size <= MAX_DEFLATED || count === 0)) {
      // One that is too large alone would hold up all others.
      return { text: await sealed(key, deflated, iv), left: all.slice(count === 0 ? 1 : count) };
    }
    count = Math.min(count - 1, Math.floor((count * MAX_DEFLATED * 0.98) / size));
  }
}

/** Reads a packet; undefined if it is none, is another group's, or was changed. */
export async function open(key: CryptoKey, text: string): Promise<Packet | undefined> {
  if (text.length > MAX_PACKET_BYTES) return undefined;
  const deflated = await unsealed(key, text);
  const clear = deflated && (await through(new DecompressionStream("deflate-raw"), deflated));
  const json = clear && jsonIn(clear);
  const said = isJsonObject(json) ? saidBy(json) : undefined;
  if (!said) return undefined;
  const { deviceId, counter, heard } = json as Record<string, unknown>;
  return isId(deviceId) && isCounter(counter) ? { deviceId, counter, heard: heardBy(heard), said } : undefined;
}

const isId = guards.as<string>((value) => text(value) && /^[\w-]{1,40}$/.test(value));

function saidBy(json: Record<string, unknown>): Statement | undefined {
  const { kind, registers, asks, isLast, to, from, out, name, publicKey, group } = json;
  switch (kind) {
    case "changes":
      if (!Array.isArray(registers)) return undefined;
      return {
        kind,
        registers: registers.flatMap(registerIn),
        ...(typeof asks === "number" && { asks }),
        ...(isLast === true && { isLast }),
      };
    case "moved":
      return stringMap(to) && text(from) && text(out) ? { kind, from, out, to } : undefined;
    case "join":
      return text(name) && text(publicKey) ? { kind, name: name.slice(0, 60), publicKey } : undefined;
    case "welcome":
      return text(to) ? { kind, to, ...(text(group) && { group }) } : undefined;
    default:
      // A newer version may say more.
      return undefined;
  }
}

function registerIn(given: unknown): Register | [] {
  const [key, value, stamp] = Array.isArray(given) ? (given as unknown[]) : [];
  return decodeRegister({ key, value, stamp }) ?? [];
}

function heardBy(given: unknown): Heard {
  const entries = isJsonObject(given) ? Object.entries(given) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => isCounter(entry[1])));
}

/** Passes bytes through a stream; undefined if that fails, or too much comes out. */
async function through(stream: CompressionStream | DecompressionStream, bytes: Bytes): Promise<Bytes | undefined> {
  const writer = stream.writable.getWriter();
  // What fails here also fails below.
  for (const done of [writer.write(bytes), writer.close()]) void done.catch(() => undefined);
  const reader = (stream.readable as ReadableStream<Bytes>).getReader();
  const parts: number[] = [];
  for (;;) {
    const chunk = await reader.read().catch(() => undefined);
    if (!chunk) return undefined;
    if (chunk.done) return new Uint8Array(parts);
    for (const byte of chunk.value) parts.push(byte);
    if (parts.length <= MAX_INFLATED) continue;
    void reader.cancel().catch(() => undefined);
    return undefined;
  }
}
