// Lets virtual time wait for cryptography, and deflates without leaving JavaScript.
import { deflateRawSync, gunzipSync, gzipSync, inflateRawSync } from "node:zlib";
import { settleWaitsFor } from "../virtual-time";

const names = ["encrypt", "decrypt", "importKey", "exportKey", "deriveBits", "generateKey", "digest"] as const;
const { subtle } = crypto;
for (const name of names) {
  const work = subtle[name].bind(subtle) as (...args: unknown[]) => Promise<unknown>;
  Object.defineProperty(subtle, name, { value: (...args: unknown[]) => settleWaitsFor(work(...args)) });
}

type Work = (bytes: Buffer) => Uint8Array;

function atOnce(works: Readonly<Record<string, Work>>) {
  return class extends TransformStream<Uint8Array, Uint8Array> {
    constructor(format: string) {
      const chunks: Uint8Array[] = [];
      super({
        transform: (chunk) => void chunks.push(chunk),
        flush: (controller) => controller.enqueue(works[format]?.(Buffer.concat(chunks))),
      });
    }
  };
}

const limit = { maxOutputLength: 4_000_000 };
// Other tests of the same process have these too.
Object.assign(globalThis, {
  CompressionStream: atOnce({ "deflate-raw": (bytes) => deflateRawSync(bytes), gzip: (bytes) => gzipSync(bytes) }),
  DecompressionStream: atOnce({
    "deflate-raw": (bytes) => inflateRawSync(bytes, limit),
    gzip: (bytes) => gunzipSync(bytes, limit),
  }),
});
