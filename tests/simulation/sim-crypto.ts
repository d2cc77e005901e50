// The platform's cryptography and compression without its threads, so that virtual time has nothing to wait for, and
// with keys drawn from the run's own chance.
import { createCipheriv, createDecipheriv, createECDH, createHash, hkdfSync } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Random } from "./random";
import { SimAnswer } from "./sim-answer";

type Bytes = Uint8Array<ArrayBuffer>;

/** A key, as these functions hand it to each other. */
interface SimKey {
  bytes: Bytes;
}

const TAG_BYTES = 16;
const CURVE = "prime256v1";

const plain = (bytes: ArrayBuffer | Uint8Array): Bytes => new Uint8Array(bytes as ArrayBuffer);

function ecdhOf(secret: Bytes) {
  const ecdh = createECDH(CURVE);
  ecdh.setPrivateKey(secret);
  return ecdh;
}

const works = {
  importKey: (_format: string, bytes: Bytes): SimKey => ({ bytes }),
  exportKey: (_format: string, { bytes }: SimKey) => bytes.buffer,
  digest: (_name: string, bytes: Bytes) => plain(createHash("sha256").update(bytes).digest()).buffer,
  encrypt({ iv }: { iv: Bytes }, { bytes: key }: SimKey, bytes: ArrayBuffer) {
    const cipher = createCipheriv("aes-256-gcm", key, iv);
    return plain(Buffer.concat([cipher.update(plain(bytes)), cipher.final(), cipher.getAuthTag()])).buffer;
  },
  decrypt: ({ iv }: { iv: Bytes }, { bytes: key }: SimKey, bytes: Bytes) =>
    remembered("decrypt", [key, iv, bytes], () => {
      const cipher = createDecipheriv("aes-256-gcm", key, iv);
      cipher.setAuthTag(bytes.slice(-TAG_BYTES));
      return plain(Buffer.concat([cipher.update(bytes.slice(0, -TAG_BYTES)), cipher.final()])).buffer;
    }),
  deriveBits: (of: { name: string; info: Bytes; public: SimKey }, { bytes: key }: SimKey, bits: number) =>
    of.name === "HKDF"
      ? remembered(`derive ${bits}`, [key, of.info], () => hkdfSync("sha256", key, new Uint8Array(), of.info, bits / 8))
      : remembered("agree", [key, of.public.bytes], () => plain(ecdhOf(key).computeSecret(of.public.bytes)).buffer),
};

/** What came out, by what went in: each device opens each packet, and most of them several times. */
const known = new Map<string, ArrayBuffer>();

function remembered(work: string, given: readonly Bytes[], run: () => ArrayBuffer): ArrayBuffer {
  const name = [
    work,
    ...given.map((bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1")),
  ].join();
  let result = known.get(name);
  if (!result) known.set(name, (result = run()));
  return result;
}

const deflate = (bytes: Bytes): Bytes => plain(deflateRawSync(bytes));

const inflate = (bytes: Bytes): Bytes =>
  new Uint8Array(
    remembered("inflate", [bytes], () => plain(inflateRawSync(bytes, { maxOutputLength: 4_000_000 })).buffer),
  );

/** Takes the place of the platform's. */
export function simulateCrypto(random: Random): void {
  const generateKey = () => {
    const secret = Uint8Array.from({ length: 32 }, () => random.int(0, 255));
    // Every smaller number is a key of this curve.
    secret[0] = 1;
    return { privateKey: { bytes: secret }, publicKey: { bytes: plain(ecdhOf(secret).getPublicKey()) } };
  };
  for (const [name, work] of Object.entries({ ...works, generateKey })) {
    // What it throws, the platform's promise is rejected with; there all of it are DOMExceptions.
    const run = (...args: unknown[]): Promise<unknown> => {
      try {
        return Promise.resolve((work as (...args: unknown[]) => unknown)(...args));
      } catch (problem) {
        return Promise.reject(new DOMException(String(problem), "OperationError"));
      }
    };
    Object.defineProperty(crypto.subtle, name, { value: run, configurable: true });
  }
  known.clear();
  const stream = (work: (bytes: Bytes) => Bytes) =>
    class {
      readonly work = work;
    };
  Object.assign(globalThis, {
    Response: SimAnswer,
    CompressionStream: stream(deflate),
    DecompressionStream: stream(inflate),
  });
}
