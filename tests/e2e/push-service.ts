import type { CDPSession, Page } from "@playwright/test";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { Browser } from "../server/push-browser";
import { expect } from "./fixtures";

/** What a page of the test subscribes with: the browser's own way to a push service fails in headless Chromium. */
interface Subscribed {
  endpoint: string;
  keys: { auth: string; p256dh: string };
}

/**
 * A push service on loopback, for one browser: what a server sends here is decrypted and handed to the worker by the
 * developer protocol.
 */
export class PushService {
  readonly #browser = new Browser();
  readonly #registrations = new Map<string, string>();
  #session: CDPSession | undefined;
  /** Texts of all pushes that came. */
  readonly received: string[] = [];
  /** Hands what comes to the worker. */
  delivers = true;

  private constructor(private readonly server: http.Server) {}

  static async start(): Promise<PushService> {
    const server = http.createServer();
    const service = new PushService(server);
    server.on("request", (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        response.writeHead(201).end();
        const { url: path = "", headers } = request;
        const text = JSON.stringify(service.#browser.read({ path, headers, body: Buffer.concat(chunks) }));
        service.received.push(text);
        if (service.delivers) void service.deliver(text);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Makes pages of this context subscribe here, and hears of the workers that they register. */
  async attach(page: Page): Promise<void> {
    const { port } = this.server.address() as AddressInfo;
    const subscribed: Subscribed = { endpoint: `http://127.0.0.1:${port}/push/1`, keys: this.#browser.keys };
    await page.context().addInitScript((subscribed) => {
      const KEY = "test push";
      const stored = () => localStorage.getItem(KEY);
      const subscription = () => ({
        endpoint: subscribed.endpoint,
        options: { applicationServerKey: Uint8Array.from(JSON.parse(stored() ?? "[]") as number[]).buffer },
        toJSON: () => subscribed,
        unsubscribe: () => Promise.resolve(localStorage.removeItem(KEY)),
      });
      PushManager.prototype.getSubscription = () => Promise.resolve((stored() ? subscription() : null) as never);
      PushManager.prototype.subscribe = (options) => {
        if (localStorage.getItem("test push fails")) {
          return Promise.reject(new DOMException("push service error", "AbortError"));
        }
        const key = new Uint8Array(options?.applicationServerKey as ArrayBuffer);
        localStorage.setItem(KEY, JSON.stringify([...key]));
        return Promise.resolve(subscription() as never);
      };
    }, subscribed);
    this.#session = await page.context().newCDPSession(page);
    this.#session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      for (const { registrationId, scopeURL, isDeleted } of registrations) {
        if (isDeleted) this.#registrations.delete(scopeURL);
        else this.#registrations.set(scopeURL, registrationId);
      }
    });
    await this.#session.send("ServiceWorker.enable");
  }

  /** Scope of the registration for pushes. */
  get scope(): string | undefined {
    return [...this.#registrations.keys()].find((scope) => /\/push\/[^/]+\/$/.test(scope));
  }

  /** Hands a text to the worker as a push. */
  async deliver(data: string): Promise<void> {
    await expect.poll(() => this.scope).toBeDefined();
    const scope = this.scope ?? "";
    const registrationId = this.#registrations.get(scope) ?? "";
    await this.#session?.send("ServiceWorker.deliverPushMessage", {
      origin: new URL(scope).origin,
      registrationId,
      data,
    });
  }
}
