import webPush from "web-push";
import { type PollRequestEvent, type ProtocolEvent, encodeJson } from "../protocol";
import { addressed } from "./attachments";
import { nowS, type HostClock } from "./clock";
import type { PushKeys, PushSettings, ResolvedOptions } from "./options";
import { mayStillRead, type PushRegister, type PushRegistration } from "./push-register";
import { randomMessageId } from "./random-id";
import { Limiter, type Turns } from "./turns";

/** Maximum number of bytes that can be pushed: 4,096 with all that the encryption adds (docs/protocol.md §15). */
const MAX_PAYLOAD_BYTES = 3_993;
/** Requests to push services at once, each to another endpoint. */
const AT_ONCE = 16;
/** Pushes that may wait for one endpoint; further ones are dropped, and the browser polls for them. */
const MAX_WAITING = 50;
/** A push service that takes longer can't be reached. */
const ANSWER_WITHIN_MS = 30_000;
/** After how many seconds a push is retried if its service is unreachable or too busy. */
const TRY_AGAIN_AFTER_S = [5, 30, 120];

const ENCODING = "aes128gcm";

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

interface Push {
  payload: Buffer;
  /** Called when it was sent, or is given up. */
  ended?: (isSent: boolean) => void;
}

/** Pushes events to browsers by way of their push services (docs/protocol.md §15). */
export class WebPush {
  #keys: PushKeys = { publicKey: "", privateKey: "" };
  readonly #limiter = new Limiter(AT_ONCE);
  /** Pushes to each endpoint that has some: the first is being sent or waits to be tried again. */
  readonly #pushes = new Map<string, Push[]>();
  /** How many endpoints have a push that doesn't wait to be tried again. */
  #busy = 0;
  #settled: (() => void)[] = [];
  readonly #closing = new AbortController();
  /** Registrations whose warning has been sent or is on its way. */
  readonly #warned = new WeakSet<PushRegistration>();

  constructor(
    private readonly settings: ResolvedOptions & { webPush: PushSettings },
    readonly register: PushRegister,
    private readonly environment: PushEnvironment,
  ) {}

  /** Uses the operator's keys, else those of an earlier start, else new ones. */
  async open(): Promise<void> {
    const { publicKey, privateKey } = this.settings.webPush;
    if (publicKey !== undefined && privateKey !== undefined) this.#keys = { publicKey, privateKey };
    else {
      if (!this.register.keys) await this.register.makeKeys().catch(this.environment.report);
      this.#keys = this.register.keys ?? this.#keys;
    }
  }

  get publicKey(): string {
    return this.#keys.publicKey;
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
      this.#add(registration.endpoint, { payload });
    }
  }

  /** The job that warns browsers whose registration will expire, and removes what has expired. */
  lookAtAges(): void {
    const { warnAfter, expireAfter } = this.settings.webPush;
    const now = nowS(this.environment.clock);
    for (const registration of this.register.all()) {
      const age = now - registration.renewedAt;
      if (age >= expireAfter) this.#remove(registration.endpoint);
      else if (age >= warnAfter && registration.warnedAt === undefined) this.#warn(registration);
    }
  }

  /** Resolves when every push has been answered, or waits to be tried again. */
  settled(): Promise<void> {
    return this.#busy === 0 ? Promise.resolve() : new Promise((resolve) => this.#settled.push(resolve));
  }

  /** Gives up unsent pushes; no registration is lost by this. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.settled();
  }

  #warn(registration: PushRegistration): void {
    if (this.#warned.has(registration)) return;
    const { endpoint } = registration;
    const payload = Buffer.from(JSON.stringify({ event: "subscription_expiring" }));
    const ended = (isSent: boolean): void => {
      if (!isSent) this.#warned.delete(registration);
      else if (this.register.get(endpoint) === registration)
        this.register.markWarned(registration, nowS(this.environment.clock)).catch(this.environment.report);
    };
    // If too many pushes wait before it, the next clean-up tries again.
    if (this.#add(endpoint, { payload, ended })) this.#warned.add(registration);
  }

  #remove(endpoint: string): void {
    this.register.remove(endpoint).catch(this.environment.report);
  }

  /** Adds a push after the others to its endpoint; false if too many wait there. */
  #add(endpoint: string, push: Push): boolean {
    const pushes = this.#pushes.get(endpoint);
    // The first one doesn't wait.
    if (pushes && pushes.length > MAX_WAITING) return false;
    if (pushes) pushes.push(push);
    else void this.#sendAll(endpoint, [push]);
    return true;
  }

  async #sendAll(endpoint: string, pushes: Push[]): Promise<void> {
    this.#pushes.set(endpoint, pushes);
    this.#countBusy(1);
    for (let push = pushes[0]; push; push = pushes[0]) {
      await this.#deliver(endpoint, push).catch(this.environment.report);
      pushes.shift();
    }
    this.#pushes.delete(endpoint);
    this.#countBusy(-1);
  }

  async #deliver(endpoint: string, { payload, ended }: Push): Promise<void> {
    for (const againAfterS of [...TRY_AGAIN_AFTER_S, undefined]) {
      const outcome = await this.#limiter.run(() => this.#send(endpoint, payload));
      if (outcome !== "try again" || againAfterS === undefined) return ended?.(outcome === "sent");
      this.#countBusy(-1);
      await new Promise<void>((resolve) => {
        const stop = this.environment.clock.every(againAfterS, () => {
          stop();
          this.#countBusy(1);
          resolve();
        });
      });
    }
  }

  #countBusy(change: 1 | -1): void {
    this.#busy += change;
    if (this.#busy === 0) for (const resolve of this.#settled.splice(0)) resolve();
  }

  /** Sends a push, unless its registration has gone; one that can't be reached any more is removed. */
  async #send(endpoint: string, payload: Buffer): Promise<"sent" | "refused" | "try again"> {
    // Encrypting and signing block everything for 1.5 ms.
    await this.environment.turns.next();
    const registration = this.register.get(endpoint);
    if (!registration || this.#closing.signal.aborted) return "refused";
    const gone = (): "refused" => {
      if (this.register.get(endpoint) === registration) this.#remove(endpoint);
      return "refused";
    };
    let body: Buffer;
    try {
      body = webPush.encrypt(registration.p256dh, registration.auth, payload, ENCODING).cipherText;
    } catch {
      // Its keys are invalid.
      return gone();
    }
    const { publicKey, privateKey } = this.#keys;
    const { origin } = new URL(endpoint);
    const identity = webPush.getVapidHeaders(origin, contactOf(this.settings), publicKey, privateKey, ENCODING);
    try {
      const answer = await this.environment.fetch(endpoint, {
        method: "POST",
        headers: {
          ...identity,
          "Content-Type": "application/octet-stream",
          "Content-Encoding": ENCODING,
          TTL: String(Math.floor(this.settings.cache)),
          // iOS delivers nothing else reliably.
          Urgency: "high",
        },
        body: new Uint8Array(body),
        // A push service that redirects could lead the request anywhere.
        redirect: "manual",
        signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
      });
      await answer.body?.cancel();
      const { status } = answer;
      if (status === 404 || status === 410) return gone();
      if (status === 429 || status >= 500) return "try again";
      return answer.ok ? "sent" : "refused";
    } catch {
      return "try again";
    }
  }
}

/** A push of an event, or of a hint to poll for it if it is too long. */
function messagePayload(event: ProtocolEvent, baseUrl: string): Buffer {
  const { topic, time } = event;
  const envelope = (message: string) => {
    const id = JSON.stringify(`${baseUrl}/${topic}`);
    return Buffer.from(`{"event":"message","subscription_id":${id},"message":${message}}`);
  };
  const whole = envelope(encodeJson(addressed(event, baseUrl)).trimEnd());
  if (whole.length <= MAX_PAYLOAD_BYTES) return whole;
  const poll: PollRequestEvent = {
    ...{ id: randomMessageId(), time, event: "poll_request", topic },
    message: "New message",
    poll_id: event.id,
  };
  return envelope(encodeJson(poll).trimEnd());
}
