// The keys of a group of devices, all by the browser's own cryptography, which it has over https alone: pages offer
// nothing that needs it elsewhere. Random bytes are passed in.
import { decodeBase64Url, encodeBase64Url } from "../../protocol";
import type { GroupRecord } from "../../store";

export type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes of a group's key, of an invitation's secret, of a topic's name and of an initialisation vector. */
export const KEY_BYTES = 32;
export const SECRET_BYTES = 16;
export const TOPIC_BYTES = 20;
export const IV_BYTES = 12;

/** Bytes of a device's id. */
const ID_BYTES = 8;

const CURVE = { name: "ECDH", namedCurve: "P-256" };

/** None for what is damaged. */
export const bytesIn = (text: string): Bytes => decodeBase64Url(text) ?? new Uint8Array();

/** Bytes for one purpose, from which neither the secret nor those for another purpose can be told. */
export async function derive(secret: Bytes, purpose: string, bytes: number): Promise<Bytes> {
  const material = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const info = new TextEncoder().encode(`earshot devices 1 ${purpose}`);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, material, bytes * 8));
}

/** A key that encrypts, derived from a secret. */
export async function encryptingKey(secret: Bytes, purpose: string): Promise<CryptoKey> {
  const key = await derive(secret, purpose, KEY_BYTES);
  return crypto.subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]);
}

/** The key of a group's packets. */
export const keyOf = ({ key }: { key: string }): Promise<CryptoKey> => encryptingKey(bytesIn(key), "group");

/** Encrypts JSON as text, deflated. @param iv never told twice with one key */
export async function sealed(key: CryptoKey, value: unknown, iv: Bytes): Promise<string> {
  const deflated = await through(new CompressionStream("deflate-raw"), JSON.stringify(value));
  const secret = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, deflated);
  return encodeBase64Url(new Uint8Array([...iv, ...new Uint8Array(secret)]));
}

/** Undefined if it was made with another key, or changed since. A packet inflates to 3 MB at most. */
export async function unsealed(key: CryptoKey, text: string): Promise<unknown> {
  const bytes = bytesIn(text);
  const algorithm = { name: "AES-GCM", iv: bytes.slice(0, IV_BYTES) };
  try {
    const deflated = await crypto.subtle.decrypt(algorithm, key, bytes.slice(IV_BYTES));
    const clear = await through(new DecompressionStream("deflate-raw"), deflated);
    return JSON.parse(new TextDecoder().decode(clear)) as unknown;
  } catch {
    return undefined;
  }
}

const through = (stream: CompressionStream | DecompressionStream, given: ArrayBuffer | string): Promise<ArrayBuffer> =>
  new Response(new Response(given).body?.pipeThrough(stream)).arrayBuffer();

/** What a device proves itself with. Its id follows from its public key, so that nobody can take another's place. */
export type Identity = Pick<GroupRecord, "deviceId" | "publicKey" | "privateKey">;

export async function makeIdentity(): Promise<Identity> {
  const pair = await crypto.subtle.generateKey(CURVE, true, ["deriveBits"]);
  const publicKey = encodeBase64Url(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)));
  const privateKey = encodeBase64Url(new Uint8Array(await crypto.subtle.exportKey("pkcs8", pair.privateKey)));
  return { deviceId: await idOf(publicKey), publicKey, privateKey };
}

export async function idOf(publicKey: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", bytesIn(publicKey));
  return encodeBase64Url(new Uint8Array(hash).slice(0, ID_BYTES));
}

/** Encrypts JSON for the device with this public key alone; undefined if it is no key. */
export async function wrap(value: unknown, from: Identity, publicKey: string, iv: Bytes): Promise<string | undefined> {
  const secret = await sharedSecret(from, publicKey);
  return secret && sealed(await encryptingKey(secret, "wrap"), value, iv);
}

/** Undefined unless it was encrypted for this device by the one with this public key. */
export async function unwrapFor(to: Identity, publicKey: string, wrapped: string): Promise<unknown> {
  const secret = await sharedSecret(to, publicKey);
  return secret && unsealed(await encryptingKey(secret, "wrap"), wrapped);
}

/** Six digits that two devices show to compare, which nobody but these two can compute; undefined if it is no key. */
export async function digitsOf(own: Identity, publicKey: string): Promise<string | undefined> {
  const secret = await sharedSecret(own, publicKey);
  if (!secret) return undefined;
  const [number = 0] = new Uint32Array((await derive(secret, "digits", 4)).buffer);
  return String(number % 1_000_000).padStart(6, "0");
}

async function sharedSecret({ privateKey }: Identity, publicKey: string): Promise<Bytes | undefined> {
  const mine = await crypto.subtle.importKey("pkcs8", bytesIn(privateKey), CURVE, false, ["deriveBits"]);
  // It may be no point of the curve.
  const theirs = await crypto.subtle.importKey("raw", bytesIn(publicKey), CURVE, false, []).catch(() => undefined);
  return (
    theirs && new Uint8Array(await crypto.subtle.deriveBits({ name: "ECDH", public: theirs }, mine, KEY_BYTES * 8))
  );
}
