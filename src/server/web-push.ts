import webPush from "web-push";
import type { ProtocolEvent } from "../protocol";
import { encodeJson } from "../protocol";
import { addressed } from "./addressed";
import { nowS, type HostClock } from "./clock";
import { KeyedQueue } from "./keyed-queue";
import type { PushSettings, ResolvedOptions } from "./options";
import type { PushKeys } from "./push-keys";
import { mayStillRead, type PushRegister, type PushRegistration } from "./push-register";
import type { Turns } from "./turns";

/** Maximum number of bytes that can be pushed: 4,096 with all that the encryption adds (docs/protocol.md §15). */
const MAX_PAYLOAD_BYTES = 3_993;
/** Requests to push services at once, each to another endpoint. */
const AT_ONCE = 16;
/** Pushes that may wait for one endpoint; further ones are dropped, and the browser polls for them. */
const MAX_WAITING = 50;
/** A push service that takes longer can't be reached. */
const ANSWER_WITHIN_MS = 30_000;
/** The answer of a push service to which too much was sent: the registration itself is fine. */
const TOO_MANY_REQUESTS = 429;

/** Whom push services can write to if the operator names nobody; they refuse requests without any address. */
const NO_CONTACT = "mailto:nobody@example.com";

function contactOf({ baseUrl, webPush: settings }: ResolvedOptions): string {
  if (settings?.contact !== undefined) return `mailto:${settings.contact}`;
  return baseUrl?.startsWith("https://") ? baseUrl : NO_CONTACT;
}

/** What Web Push needs of the server. */
export interface PushEnvironment {
  clock: HostClock;
  turns: Turns;
  fetch: typeof globalThis.fetch;
  report: (error: unknown) => void;
}

/** Pushes events to browsers by way of their push services (docs/protocol.md §15). */
export class WebPush {
  readonly #queue: KeyedQueue;
  readonly #closing = new AbortController();
  /** Registrations whose warning has been sent or is on its way. */
  readonly #warned = new WeakSet<PushRegistration>();

  constructor(
    private readonly settings: ResolvedOptions & { webPush: PushSettings },
    private readonly keys: PushKeys,
    readonly register: PushRegister,
    private readonly environment: PushEnvironment,
  ) {
    this.#queue = new KeyedQueue(AT_ONCE, MAX_WAITING, environment.report);
  }

  get publicKey(): string {
    return this.keys.publicKey;
  }

  /** Pushes an event to every browser that is registered for its topic. */
  publish(event: ProtocolEvent): void {
    const { access, baseUrl } = this.settings;
    /** By the address under which browsers know this server. */
    const payloads = new Map<string, Buffer>();
    for (const registration of this.register.of(event.topic)) {
      if (access && !mayStillRead(access, registration, event.topic)) continue;
      const base = baseUrl?.replace(/\/$/, "") ?? registration.baseUrl;
      const payload = payloads.get(base) ?? messagePayload(event, base);
      payloads.set(base, payload);
      this.#queue.add(registration.endpoint, async () => {
        await this.#push(registration.endpoint, payload);
      });
    }
  }

  /** The job that warns browsers whose registration will expire, and removes what has expired. */
  lookAtAges(): void {
    const { warnAfter, expireAfter } = this.settings.webPush;
    const now = nowS(this.environment.clock);
    for (const registration of this.register.all()) {
      const age = now - registration.renewedAt;
      if (age >= expireAfter) this.register.remove(registration.endpoint);
      else if (age >= warnAfter && registration.warnedAt === undefined) this.#warn(registration);
    }
  }

  /** Resolves when every push has been answered. */
  settled(): Promise<void> {
    return this.#queue.idle();
  }

  /** Gives up what has not been pushed yet; no registration is lost by this. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.settled();
  }

  #warn(registration: PushRegistration): void {
    if (this.#warned.has(registration)) return;
    const payload = Buffer.from(JSON.stringify({ event: "subscription_expiring" }));
    const isOnItsWay = this.#queue.add(registration.endpoint, async () => {
      const isSent = await this.#push(registration.endpoint, payload);
      const isCurrent = this.register.get(registration.endpoint) === registration;
      if (isSent && isCurrent) this.register.markWarned(registration, nowS(this.environment.clock));
    });
    // Where too many pushes wait before it, the next clean-up tries again.
    if (isOnItsWay) this.#warned.add(registration);
  }

  /** Pushes to an endpoint if it is still registered, and removes it if that fails. Returns whether it was sent. */
  async #push(endpoint: string, payload: Buffer): Promise<boolean> {
    // Encrypting and signing takes 1.5 ms, in which nothing else runs.
    await this.environment.turns.next();
    const registration = this.register.get(endpoint);
    if (!registration || this.#closing.signal.aborted) return false;
    if (payload.length <= MAX_PAYLOAD_BYTES && (await this.#send(registration, payload))) return true;
    const isCurrent = this.register.get(endpoint) === registration;
    if (isCurrent && !this.#closing.signal.aborted) this.register.remove(endpoint);
    return false;
  }

  /** Whether the push service took it, or would have but for the number of requests. */
  async #send(registration: PushRegistration, payload: Buffer): Promise<boolean> {
    const { endpoint, auth, p256dh } = registration;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
    try {
      const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { auth, p256dh } }, payload, {
        vapidDetails: { subject: contactOf(this.settings), ...this.keys },
        TTL: Math.floor(this.settings.cache),
        contentEncoding: "aes128gcm",
        // iOS delivers nothing else reliably.
        urgency: "high",
      });
      const given = Object.entries(headers).filter(([name]) => name !== "Content-Length");
      const response = await this.environment.fetch(endpoint, {
        method: "POST",
        headers: given.map(([name, value]): [string, string] => [name, String(value)]),
        body: body && new Uint8Array(body),
        // A push service that redirects could lead the request anywhere.
        redirect: "manual",
        signal,
      });
      await response.body?.cancel();
      return response.ok || response.status === TOO_MANY_REQUESTS;
    } catch {
      // Keys that are none, or a service that can't be reached: either way, the caller removes the registration.
      return false;
    }
  }
}

function messagePayload(event: ProtocolEvent, baseUrl: string): Buffer {
  const message = encodeJson(addressed(event, baseUrl)).trimEnd();
  const id = JSON.stringify(`${baseUrl}/${event.topic}`);
  return Buffer.from(`{"event":"message","subscription_id":${id},"message":${message}}`);
}
