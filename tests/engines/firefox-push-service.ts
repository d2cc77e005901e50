import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";

/** What Firefox says of a push that its worker was given: https://mozilla-push-service.readthedocs.io/en/latest/design/ */
const DELIVERED = 100;

/** A push that came from a topic server. */
export interface Pushed {
  /** The registration of the browser that it is for. */
  channelID: string;
  version: string;
  /** What the browser said of it; 100 = its worker was given it, 101 = it couldn't be decrypted. */
  code?: number;
}

/** A message of the browser's half of the protocol, as far as it is read here. */
interface FromBrowser {
  messageType?: string;
  channelID?: string;
  /** Key of the server that may push there. */
  key?: string;
  updates?: { version: string; code: number }[];
}

/** A push service on loopback for one Firefox: topic servers post to it, and it hands on what they encrypted. */
export class FirefoxPushService {
  readonly #http: http.Server;
  readonly #sockets: WebSocketServer;
  #browser: WebSocket | undefined;
  /** Pushes that wait for the browser. */
  readonly #waiting: string[] = [];
  /** Keys of the registrations that are, by channel. */
  readonly keys = new Map<string, string>();
  readonly pushed: Pushed[] = [];

  private constructor(server: http.Server) {
    this.#http = server;
    server.on("request", (request, response) => void this.#take(request, response));
    this.#sockets = new WebSocketServer({ server, handleProtocols: () => "push-notification" });
    this.#sockets.on("connection", (socket) => {
      socket.on("message", (data: Buffer) => this.#answer(socket, JSON.parse(data.toString()) as FromBrowser));
    });
  }

  static async start(): Promise<FirefoxPushService> {
    const server = http.createServer();
    const service = new FirefoxPushService(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  async stop(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate();
    this.#http.closeAllConnections();
    await new Promise((resolve) => this.#http.close(resolve));
  }

  get host(): string {
    return `127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  /** How many pushes the browser's workers were given. */
  get delivered(): number {
    return this.pushed.filter(({ code }) => code === DELIVERED).length;
  }

  #answer(socket: WebSocket, message: FromBrowser): void {
    const { messageType, channelID = "", key = "", updates = [] } = message;
    const say = (answer: object): void => socket.send(JSON.stringify(answer));
    switch (messageType) {
      case undefined:
        return say({});
      case "hello":
        this.#browser = socket;
        say({ messageType, status: 200, uaid: randomUUID().replaceAll("-", ""), use_webpush: true, broadcasts: {} });
        for (const text of this.#waiting.splice(0)) socket.send(text);
        return;
      case "register":
        this.keys.set(channelID, key);
        return say({ messageType, channelID, status: 200, pushEndpoint: `http://${this.host}/push/${channelID}` });
      case "unregister":
        this.keys.delete(channelID);
        return say({ messageType, channelID, status: 200 });
      case "ack":
        for (const { version, code } of updates) {
          const push = this.pushed.find((one) => one.version === version);
          if (push) push.code = code;
        }
    }
  }

  async #take(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const channelID = (request.url ?? "").replace("/push/", "");
    if (!this.keys.has(channelID)) {
      response.writeHead(410).end();
      return;
    }
    response.writeHead(201).end();
    const version = randomUUID();
    this.pushed.push({ channelID, version });
    const text = JSON.stringify({
      ...{ messageType: "notification", channelID, version },
      data: Buffer.concat(chunks).toString("base64url"),
      headers: { encoding: request.headers["content-encoding"] },
    });
    if (this.#browser?.readyState === this.#browser?.OPEN) this.#browser?.send(text);
    else this.#waiting.push(text);
  }
}
