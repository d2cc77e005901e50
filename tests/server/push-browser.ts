import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import type http from "node:http";

/** A push as a push service gets it. */
export interface ReceivedPush {
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

const POINT_BYTES = 65;
const TAG_BYTES = 16;

/** What a browser keeps of a subscription of its own: it alone can read what is pushed to it. */
export class Browser {
  readonly #curve = createECDH("prime256v1");
  readonly #publicKey = this.#curve.generateKeys();
  readonly #secret = randomBytes(16);

  /** The keys that go to the server. */
  get keys(): { auth: string; p256dh: string } {
    return { auth: this.#secret.toString("base64url"), p256dh: this.#publicKey.toString("base64url") };
  }

  /** Decrypts the body of a push (RFC 8188 and 8291). @throws Error if it is for another browser */
  read({ body }: ReceivedPush): unknown {
    const salt = body.subarray(0, 16);
    const keyEnd = 21 + POINT_BYTES;
    const sender = body.subarray(21, keyEnd);
    const derive = (key: Buffer, from: Buffer, info: string | Buffer, bytes: number) =>
      Buffer.from(hkdfSync("sha256", key, from, info, bytes));
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.#publicKey, sender]);
    const key = derive(this.#curve.computeSecret(sender), this.#secret, info, 32);
    const cipher = createDecipheriv(
      "aes-128-gcm",
      derive(key, salt, "Content-Encoding: aes128gcm\0", 16),
      derive(key, salt, "Content-Encoding: nonce\0", 12),
    );
    cipher.setAuthTag(body.subarray(-TAG_BYTES));
    const padded = Buffer.concat([cipher.update(body.subarray(keyEnd, -TAG_BYTES)), cipher.final()]);
    // The text ends at the mark of the last record, after which there are only zeros.
    return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString("utf8"));
  }
}
