import { randomBytes } from "node:crypto";
import { createServer, request as requestOf, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test as base } from "./fixtures";

export { expect, subscribe } from "./fixtures";

/** A request that the server received. */
export interface Asked {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Answers a request; returns false to leave it to the server's default. */
type Answer = (asked: Asked, response: ServerResponse) => boolean;

/** The smallest possible picture: one transparent pixel. */
export const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
  "Access-Control-Allow-Headers": "*, Authorization",
};

/**
 * A host that answers as the test says: a topic server that sends anything, or a foreign host that counts requests. By
 * default it is a well-behaved topic server without messages.
 */
export class ScriptedServer {
  readonly requests: Asked[] = [];
  /** The answer to every poll. */
  polled: string | Buffer = "";
  /** Content type that streams and polls declare in place of the right one. */
  contentType: string | undefined;
  answer: Answer = () => false;
  /** CORS answers don't allow the browser to send the header with the credentials. */
  refusesSignIn = false;
  readonly #streams = new Set<{ response: ServerResponse; isSse: boolean }>();
  readonly #server: Server = createServer((request, response) => void this.#handle(request, response));

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Host and port. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Address without final slash. */
  get url(): string {
    return `http://${this.host}`;
  }

  /** Streams that are open now. */
  get streams(): number {
    return this.#streams.size;
  }

  /** Writes exactly these bytes to every open stream. */
  write(bytes: string | Uint8Array): void {
    for (const { response } of this.#streams) response.write(bytes);
  }

  /** Sends objects, or malformed lines, over every open stream in its format. */
  send(...lines: (object | string)[]): void {
    for (const line of lines) {
      const text = typeof line === "string" ? line : JSON.stringify(line);
      for (const { response, isSse } of this.#streams) response.write(isSse ? `data: ${text}\n\n` : `${text}\n`);
    }
  }

  /** Ends every open stream in good order. */
  endStreams(): void {
    for (const { response } of this.#streams) response.end();
  }

  /** How many requests had a matching path and query. */
  asked(pattern: RegExp): number {
    return this.requests.filter(({ url }) => pattern.test(url)).length;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { method = "GET", url = "/", headers } = request;
    for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value);
    if (
      method === "OPTIONS" &&
      this.refusesSignIn &&
      /authorization/i.test(headers["access-control-request-headers"] ?? "")
    ) {
      response.removeHeader("Access-Control-Allow-Headers");
      response.writeHead(403).end();
      return;
    }
    if (method === "OPTIONS") {
      response.writeHead(204).end();
      return;
    }
    const asked = { method, url, headers, body };
    this.requests.push(asked);
    if (this.answer(asked, response)) return;
    const { pathname, searchParams } = new URL(url, this.url);
    const [, topics = "", format = ""] = pathname.split("/");
    if (pathname === "/v1/health") json(response, 200, { healthy: true });
    else if (pathname === "/v1/stats") json(response, 200, { messages: 0, messages_rate: 0 });
    else if (pathname.endsWith(".png")) response.writeHead(200, { "Content-Type": "image/png" }).end(PICTURE);
    else if (format === "auth") json(response, 200, { success: true });
    else if (format === "json" && searchParams.get("poll") === "1") {
      response.writeHead(200, { "Content-Type": this.contentType ?? "application/x-ndjson; charset=utf-8" });
      response.end(this.polled);
    } else if (format === "json" || format === "sse") this.#stream(response, topics, format === "sse");
    else response.writeHead(200, { "Content-Type": "text/plain" }).end("answered");
  }

  #stream(response: ServerResponse, topics: string, isSse: boolean): void {
    const stream = { response, isSse };
    this.#streams.add(stream);
    response.on("close", () => this.#streams.delete(stream));
    const honest = `${isSse ? "text/event-stream" : "application/x-ndjson"}; charset=utf-8`;
    response.writeHead(200, { "Content-Type": this.contentType ?? honest });
    const open = JSON.stringify({ id: randomId(), time: nowS(), event: "open", topic: decodeURIComponent(topics) });
    response.write(isSse ? `event: open\ndata: ${open}\n\n` : `${open}\n`);
  }
}

/** Answers with JSON. */
export function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

/** Answers with what another server answers to the same request, as a proxy does. */
export function forwardTo(host: string): Answer {
  return ({ method, url, headers, body }, response) => {
    const onward = requestOf(`http://${host}${url}`, { method, headers: { ...headers, host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    onward.end(body);
    return true;
  };
}

/** Unix seconds. */
export function nowS(): number {
  return Math.floor(Date.now() / 1000);
}

function randomId(): string {
  return randomBytes(9).toString("base64url").replace(/[-_]/g, "x");
}

/** A message as a server sends it, with whatever fields a test wants it to have. */
export function messageEvent(topic: string, message: string, more: object = {}): Record<string, unknown> {
  const time = nowS();
  return { id: randomId(), time, expires: time + 43_200, event: "message", topic, message, ...more };
}

/** Objects as a poll answers them. */
export function lines(...objects: object[]): string {
  return objects.map((object) => `${JSON.stringify(object)}\n`).join("");
}

export const test = base.extend<{
  /** Starts a scripted server, which the app may contact. */
  scripted: ScriptedServer;
}>({
  scripted: async ({ watch }, use) => {
    const scripted = new ScriptedServer();
    await scripted.start();
    watch.allow(scripted.host);
    await use(scripted);
    await scripted.stop();
  },
});
