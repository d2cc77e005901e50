// Talks to a server as the steps of a recording say: it sends their bytes and headers, and adds nothing.
import http from "node:http";
import { WebSocket } from "ws";
import type { Answer, Head, Request } from "./vector";

/** How long a step may wait for what the recorded server sent, ms. */
export const STEP_LIMIT_MS = 30_000;

/** Headers that a client relies on; others, such as the date, are a server's own. */
const HEADERS = [
  "content-type",
  "content-disposition",
  "access-control-allow-origin",
  "access-control-allow-methods",
  "access-control-allow-headers",
  "www-authenticate",
  "retry-after",
];

const headOf = ({ statusCode = 0, headers }: http.IncomingMessage): Head => ({
  status: statusCode,
  headers: Object.fromEntries(
    HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, String(value)]];
    }),
  ),
});

/**
 * A line in the form that recordings use: an object as it is, the data of a server-sent event as `{ data }`, everything
 * else as text.
 */
export function readLine(line: string): unknown {
  try {
    if (line.startsWith("{")) return JSON.parse(line);
    if (line.startsWith("data: {")) return { data: JSON.parse(line.slice("data: ".length)) };
  } catch (error) {
    // The line only looked like JSON.
    if (error instanceof SyntaxError) return line;
    throw error;
  }
  return line;
}

function send(server: string, { method, path, headers = {}, body, bodyBase64 }: Request): http.ClientRequest {
  const { hostname, port } = new URL(server);
  const request = http.request({ hostname, port, method, path, headers, agent: false });
  const bytes = bodyBase64 === undefined ? Buffer.from(body ?? "") : Buffer.from(bodyBase64, "base64");
  // Node sends no length by itself for methods that seldom have a body.
  if (bytes.length > 0) request.setHeader("Content-Length", bytes.length);
  request.end(bytes);
  return request;
}

const responseTo = (request: http.ClientRequest): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.setTimeout(STEP_LIMIT_MS, () => request.destroy(new Error("no answer in time")));
    request.on("error", reject);
    request.on("response", resolve);
  });

/** Sends a request and reads the answer to its end. */
export async function ask(server: string, request: Request): Promise<Answer> {
  const response = await responseTo(send(server, request));
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const lines = Buffer.concat(chunks).toString("utf8").split("\n");
  const rest = lines.pop() ?? "";
  return { ...headOf(response), lines: lines.map(readLine), ...(rest !== "" && { rest: readLine(rest) }) };
}

/** A stream that stays open, of lines or of frames. */
export class Channel {
  readonly #lines: unknown[] = [];
  #ending: string | undefined;
  #wake: () => void = () => undefined;

  constructor(
    readonly head: Head,
    readonly close: () => void,
  ) {}

  add(lines: readonly string[]): void {
    this.#lines.push(...lines.map(readLine));
    this.#wake();
  }

  end(how: string): void {
    this.#ending ??= how;
    this.#wake();
  }

  /** Takes the next lines; there are fewer if the stream ends or the time is over. */
  async take(count: number, withinMs: number): Promise<unknown[]> {
    await this.#until(() => this.#lines.length >= count || this.#ending !== undefined, withinMs);
    return this.#lines.splice(0, count);
  }

  /** Takes what comes within this time. @throws Error if the stream has ended, as its silence means nothing then */
  async listen(ms: number): Promise<unknown[]> {
    await this.#until(() => this.#lines.length > 0 || this.#ending !== undefined, ms);
    if (this.#ending !== undefined) throw new Error(`the stream that was to stay open has ended (${this.#ending})`);
    return this.#lines.splice(0);
  }

  /** How the stream ended: `end`, `cut`, or `close` with the code of a WebSocket; undefined if it hasn't. */
  async ending(): Promise<string | undefined> {
    await this.#until(() => this.#ending !== undefined, STEP_LIMIT_MS);
    return this.#ending;
  }

  async #until(holds: () => boolean, withinMs: number): Promise<void> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#wake();
    }, withinMs);
    while (!holds() && !isLate) await new Promise<void>((resolve) => (this.#wake = resolve));
    clearTimeout(timer);
  }
}

/** Opens a stream over HTTP. */
export async function openStream(server: string, request: Request): Promise<Channel> {
  const sent = send(server, request);
  const response = await responseTo(sent);
  sent.setTimeout(0);
  const channel = new Channel(headOf(response), () => sent.destroy());
  let rest = "";
  response.setEncoding("utf8");
  response.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    channel.add(lines);
  });
  response.on("end", () => channel.end("end"));
  response.on("error", () => channel.end("cut"));
  return channel;
}

/** The code that a WebSocket reports if the connection was cut without a close frame. */
const CLOSED_WITHOUT_A_FRAME = 1006;

/** Opens a WebSocket; a refused one yields the status, which a script in a browser never sees. */
export function openWebSocket(server: string, { path, headers = {} }: Request): Promise<Channel> {
  return new Promise((resolve, reject) => {
    const options = { headers, perMessageDeflate: false, handshakeTimeout: STEP_LIMIT_MS };
    const socket = new WebSocket(server.replace(/^http/, "ws") + path, options);
    const channel = (status: number) => new Channel({ status, headers: {} }, () => socket.terminate());
    const opened = channel(101);
    // Listens from the first moment, as a frame may come together with the answer to the handshake.
    socket.on("message", (frame: Buffer) => opened.add([frame.toString("utf8").trim()]));
    socket.on("close", (code) => opened.end(code === CLOSED_WITHOUT_A_FRAME ? "cut" : `close ${code}`));
    socket.on("open", () => resolve(opened));
    socket.on("error", reject);
    socket.on("unexpected-response", (request, response) => {
      response.destroy();
      request.destroy();
      resolve(channel(response.statusCode ?? 0));
    });
  });
}
