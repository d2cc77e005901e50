// Encrypts and deflates without leaving JavaScript, so that virtual time has nothing to wait for: the keys and results are
// the platform's, which packets.test.ts has do the work itself.
import { createCipheriv, createDecipheriv, createHash, diffieHellman, hkdfSync, KeyObject } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { afterAll, vi } from "vitest";
import { settleWaitsFor } from "../virtual-time";

type Bytes = Uint8Array<ArrayBuffer>;
type Works = Readonly<Record<string, (...args: never[]) => unknown>>;

const TAG_BYTES = 16;

const bufferOf = (...parts: Uint8Array[]): ArrayBuffer => new Uint8Array(Buffer.concat(parts)).buffer;

const quick: Works = {
  digest: (_name: string, bytes: Bytes) => bufferOf(createHash("sha256").update(bytes).digest()),
  encrypt({ iv }: { iv: Bytes }, key: CryptoKey, bytes: ArrayBuffer) {
    const cipher = createCipheriv("aes-256-gcm", KeyObject.from(key), iv);
    return bufferOf(cipher.update(new Uint8Array(bytes)), cipher.final(), cipher.getAuthTag());
  },
  decrypt({ iv }: { iv: Bytes }, key: CryptoKey, bytes: Bytes) {
    const cipher = createDecipheriv("aes-256-gcm", KeyObject.from(key), iv);
    cipher.setAuthTag(bytes.slice(-TAG_BYTES));
    return bufferOf(cipher.update(bytes.slice(0, -TAG_BYTES)), cipher.final());
  },
  deriveBits(by: { name: string; salt: Bytes; info: Bytes; public: CryptoKey }, key: CryptoKey, bits: number) {
    if (by.name === "HKDF") return hkdfSync("sha256", KeyObject.from(key), by.salt, by.info, bits / 8);
    return bufferOf(diffieHellman({ privateKey: KeyObject.from(key), publicKey: KeyObject.from(by.public) }));
  },
};
const { subtle } = crypto;
const slow: Works = {
  generateKey: subtle.generateKey.bind(subtle),
  importKey: subtle.importKey.bind(subtle),
  exportKey: subtle.exportKey.bind(subtle),
};
/** What is deflated or inflated is there at once. */
const atOnce = (work: (bytes: Buffer) => Uint8Array) =>
  class extends TransformStream<Uint8Array, Uint8Array> {
    constructor() {
      const chunks: Uint8Array[] = [];
      super({
        transform: (chunk) => void chunks.push(chunk),
        flush: (controller) => controller.enqueue(work(Buffer.concat(chunks))),
      });
    }
  };

/** Does so for the tests of the file that calls it. */
export function workAtOnce(): void {
  for (const [name, work] of Object.entries({ ...quick, ...slow })) {
    const done = async (...args: never[]) => work(...args);
    const value = name in slow ? (...args: never[]) => settleWaitsFor(done(...args)) : done;
    Object.defineProperty(subtle, name, { value, configurable: true });
  }
  vi.stubGlobal("CompressionStream", atOnce(deflateRawSync));
  vi.stubGlobal(
    "DecompressionStream",
    atOnce((bytes) => inflateRawSync(bytes, { maxOutputLength: 4_000_000 })),
  );
  // Other tests of the same process have the platform's.
  afterAll(() => {
    for (const name of Object.keys({ ...quick, ...slow })) Reflect.deleteProperty(subtle, name);
  });
}
