import { createPublicKey, verify } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";
import type { ReceivedPush } from "./push-browser";

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
