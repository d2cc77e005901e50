import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";

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

/** The claims by which a server says who it is (RFC 8292). @throws Error if the signature is not of that key */
export function readIdentity({ headers }: ReceivedPush, publicKey: string): { aud: string; sub: string } {
  const [, token = "", key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(headers.authorization ?? "") ?? [];
  if (key !== publicKey) throw new Error(`the push names another key: ${headers.authorization}`);
  const point = Buffer.from(publicKey, "base64url");
  const x = point.subarray(1, 33).toString("base64url");
  const y = point.subarray(33).toString("base64url");
  const jwk = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const signedEnd = token.lastIndexOf(".");
  const signed = Buffer.from(token.slice(0, signedEnd));
  const signature = Buffer.from(token.slice(signedEnd + 1), "base64url");
  if (!verify("sha256", signed, { key: jwk, dsaEncoding: "ieee-p1363" }, signature))
    throw new Error("the signature is wrong");
  const [, claims = ""] = token.split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString("utf8")) as { aud: string; sub: string };
}

/** A push service on this machine that takes everything, unless told to answer otherwise. */
export class PushEndpoint {
  readonly received: ReceivedPush[] = [];
  /** Status of the answers; "none" = cuts the connection, "hang" = never answers. */
  answer: number | "none" | "hang" = 201;
  #wake: () => void = () => undefined;

  private constructor(private readonly server: http.Server) {}

  static async start(): Promise<PushEndpoint> {
    const server = http.createServer();
    const endpoint = new PushEndpoint(server);
    server.on("request", (request, response) => endpoint.#take(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    started.push(endpoint);
    return endpoint;
  }

  #take(request: http.IncomingMessage, response: http.ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      this.received.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) });
      if (this.answer === "none") request.socket.destroy();
      else if (this.answer !== "hang") response.writeHead(this.answer, { Location: "/elsewhere" }).end("words");
      this.#wake();
    });
  }

  /** Origin without final slash. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Resolves once so many pushes have come. */
  async until(count: number): Promise<void> {
    while (this.received.length < count) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const started: PushEndpoint[] = [];
afterEach(async () => {
  for (const endpoint of started.splice(0)) await endpoint.close();
});
