// Lets virtual time wait for cryptography, and deflates without leaving JavaScript.
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { settleWaitsFor } from "../virtual-time";

const names = ["encrypt", "decrypt", "importKey", "exportKey", "deriveBits", "generateKey", "digest"] as const;
const { subtle } = crypto;
for (const name of names) {
  const work = subtle[name].bind(subtle) as (...args: unknown[]) => Promise<unknown>;
  Object.defineProperty(subtle, name, { value: (...args: unknown[]) => settleWaitsFor(work(...args)) });
}

function atOnce(work: (bytes: Buffer) => Uint8Array) {
  return class extends TransformStream<Uint8Array, Uint8Array> {
    constructor() {
      const chunks: Uint8Array[] = [];
      super({
        transform: (chunk) => void chunks.push(chunk),
        flush: (controller) => controller.enqueue(work(Buffer.concat(chunks))),
      });
    }
  };
}

Object.assign(globalThis, {
  CompressionStream: atOnce((bytes) => deflateRawSync(bytes)),
  DecompressionStream: atOnce((bytes) => inflateRawSync(bytes, { maxOutputLength: 4_000_000 })),
});
