import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { WebSocket } from "ws";
import type { MessageEvent, ProtocolEvent } from "../../src/protocol";
import { startServer, type ServerOptions, type ServerEnvironment, type TopicServer } from "../../src/server";
import { ManualClock } from "./manual-clock";

/** An answer that was read to its end. */
export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  text: string;
}

export interface Question {
  method?: string;
  headers?: http.OutgoingHttpHeaders;
  body?: string | Buffer;
}

/** An open stream; tests can wait for what it receives. */
export class Stream {
  text = "";
  ended = false;
  readonly #lines: string[] = [];
  readonly #events: ProtocolEvent[] = [];
  /** The beginning of the line that has yet to end. */
  #rest = "";
  #wake: () => void = () => undefined;

  constructor(
    readonly headers: http.IncomingHttpHeaders,
    readonly close: () => void,
  ) {}

  add(text: string): void {
    this.text += text;
    const [first = "", ...more] = text.split("\n");
    this.#rest += first;
    for (const next of more) {
      this.#lines.push(this.#rest);
      this.#rest = next;
    }
    this.#wake();
  }

  end(): void {
    this.ended = true;
    this.#wake();
  }

  get lines(): string[] {
    return [...this.#lines];
  }

  /** Each line is read once, as streams grow long and are looked at after each piece. */
  get events(): ProtocolEvent[] {
    for (const line of this.#lines.slice(this.#events.length)) this.#events.push(JSON.parse(line) as ProtocolEvent);
    return [...this.#events];
  }

  /** Texts of the messages received so far. */
  get messages(): string[] {
    return this.events.flatMap((event) => (event.event === "message" ? event.message : []));
  }

  /** Resolves once a condition on what was received holds. */
  async until(holds: (stream: Stream) => boolean): Promise<void> {
    while (!holds(this)) {
      if (this.ended) throw new Error(`the stream has ended with ${JSON.stringify(this.text)}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  async untilEnded(): Promise<void> {
    while (!this.ended) await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}

/** So high that only the tests of limits meet a limit. */
const PLENTY = { requests: 100_000, streams: 10_000, messagesPerDay: 1_000_000, newTopics: 100_000 };

/** A server under test, with a clock that the test moves. */
export class TestServer {
  private constructor(
    readonly server: TopicServer,
    readonly clock: ManualClock,
    readonly reported: unknown[],
  ) {}

  static async start(options: ServerOptions = {}, environment: ServerEnvironment = {}): Promise<TestServer> {
    const clock = environment.clock instanceof ManualClock ? environment.clock : new ManualClock();
    const reported: unknown[] = [];
    const server = await startServer(
      { port: 0, attachments: {}, ...options, limits: { ...PLENTY, ...options.limits } },
      { report: (error) => reported.push(error), ...environment, clock },
    );
    return new TestServer(server, clock, reported);
  }

  get url(): string {
    return this.server.url;
  }

  /** Sends a request by Node's own client, which leaves paths and headers unchanged. */
  ask(path: string, { method = "GET", headers = {}, body }: Question = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const request = http.request({ host: "127.0.0.1", port: this.server.port, method, path, headers, agent: false });
      request.on("error", reject);
      request.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const content = Buffer.concat(chunks);
          const { statusCode: status = 0, headers: answered } = response;
          resolve({ status, headers: answered, body: content, text: content.toString("utf8") });
        });
      });
      // Sends bytes, as with text Node would write the headers in the encoding of the body.
      request.end(typeof body === "string" ? Buffer.from(body) : body);
    });
  }

  /** Code of an error answer; 0 if the answer is no error. */
  async code(path: string, question: Question = {}): Promise<number> {
    const { text } = await this.ask(path, question);
    return text.startsWith("{") ? ((JSON.parse(text) as { code?: number }).code ?? 0) : 0;
  }

  /** Publishes over HTTP. */
  async publish(
    topic: string,
    body: string | Buffer = "",
    headers: http.OutgoingHttpHeaders = {},
  ): Promise<MessageEvent> {
    const answer = await this.ask(`/${topic}`, { method: "PUT", headers, body });
    if (answer.status !== 200) throw new Error(answer.text);
    return JSON.parse(answer.text) as MessageEvent;
  }

  /** Events of a poll's answer. */
  async poll(pathAndQuery: string, headers: http.OutgoingHttpHeaders = {}): Promise<MessageEvent[]> {
    const [path = "", query = ""] = pathAndQuery.split("?");
    const { status, text } = await this.ask(`/${path}/json?poll=1&${query}`, { headers });
    if (status !== 200) throw new Error(text);
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as MessageEvent);
  }

  /** Texts of the messages in a poll's answer. */
  async texts(pathAndQuery: string, headers: http.OutgoingHttpHeaders = {}): Promise<string[]> {
    return (await this.poll(pathAndQuery, headers)).map(({ message }) => message);
  }

  /** Opens a stream and waits for its head. */
  open(path: string, headers: http.OutgoingHttpHeaders = {}): Promise<Stream> {
    return new Promise((resolve, reject) => {
      const request = http.get({ host: "127.0.0.1", port: this.server.port, path, headers, agent: false });
      request.on("error", reject);
      request.on("response", (response) => {
        const stream = new Stream(response.headers, () => request.destroy());
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => stream.add(chunk));
        // The stream has ended either way: a reset shows as an error, an orderly end doesn't.
        response.on("error", () => stream.end());
        response.on("close", () => stream.end());
        resolve(stream);
      });
    });
  }

  /** Opens a WebSocket; its frames are the lines of the stream. */
  openWebSocket(path: string, headers: http.OutgoingHttpHeaders = {}): Promise<Stream & { socket: WebSocket }> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`${this.url.replace("http", "ws")}${path}`, { headers });
      const stream = Object.assign(new Stream({}, () => socket.terminate()), { socket });
      socket.on("message", (frame: Buffer) => stream.add(frame.toString("utf8")));
      socket.on("close", () => stream.end());
      socket.on("open", () => resolve(stream));
      socket.on("error", reject);
    });
  }
}

const running: TopicServer[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

/** An empty folder that is removed after the test. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "earshot-test-"));
  folders.push(folder);
  return folder;
}

/** Starts a server that is stopped after the test. */
export async function start(options: ServerOptions = {}, environment: ServerEnvironment = {}): Promise<TestServer> {
  const started = await TestServer.start(options, environment);
  running.push(started.server);
  return started;
}
