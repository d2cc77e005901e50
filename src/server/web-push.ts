import fastq from "fastq";
import webPush from "web-push";
import { type PollRequestEvent, type ProtocolEvent, type PushTarget, encodeJson } from "../protocol";
import { mayDo } from "./access";
import { addressed } from "./attachments";
import { type HostEnvironment, nowS } from "./environment";
import type { PushKeys, PushSettings, ResolvedOptions } from "./options";
import { Refusal } from "./protocol-error";
import { randomId } from "./random-id";

/** Maximum number of endpoints that one visitor can register (docs/protocol.md §15). */
const MAX_ENDPOINTS_OF_VISITOR = 10;
/** Maximum number of endpoints in all, at most about 6 KiB each. */
const MAX_ENDPOINTS = 5_000;
/** Maximum number of bytes that can be pushed: 4,096 less what the encryption adds (docs/protocol.md §15). */
const MAX_PAYLOAD_BYTES = 3_993;
/** Requests to push services at once, each to a different endpoint. */
const AT_ONCE = 16;
/** Pushes that may wait for one endpoint; further ones are dropped, and the browser polls for them. */
const MAX_WAITING = 50;
/** A push service that takes longer counts as unreachable. */
const ANSWER_WITHIN_MS = 30_000;
/** After how many seconds a push is retried if its service is unreachable or too busy. */
const TRY_AGAIN_AFTER_S = [5, 30, 120];

const ENCODING = "aes128gcm";

/** Whom push services can write to if the operator names nobody; they refuse requests without any address. */
const NO_CONTACT = "mailto:nobody@example.com";

/** A browser that wants the messages of topics pushed to it (docs/protocol.md §15). */
export interface PushRegistration extends PushTarget {
  topics: string[];
  /** Key of the visitor who renewed it last. */
  visitor: string;
  /** Name of the user who renewed it last. */
  user?: string;
  /** Address of this server as the visitor wrote it, without final slash. */
  baseUrl: string;
  /** Unix seconds. */
  renewedAt: number;
  /** Unix seconds at which the browser was told that the registration will expire. */
  warnedAt?: number;
}

/** What is kept over a restart. */
export interface PushRegister {
  /** By endpoint. */
  registrations: Map<string, PushRegistration>;
  /** Keys that the server made for itself; absent if it has not made any yet. */
  keys?: PushKeys;
}

/** A change that is stored before it takes place. */
export interface StoredPushChange {
  push?: PushRegistration;
  /** Endpoint of the removed registration. */
  pushRemoved?: string;
  pushKeys?: PushKeys;
}

/** What pushes need of their server. */
interface PushHost {
  readonly host: HostEnvironment;
  readonly settings: ResolvedOptions;
  readonly pushRegister: PushRegister;
  /** @throws Refusal 50001 if the change can't be stored */
  keep(change: StoredPushChange): void;
  /** Stores it if possible. */
  note(change: StoredPushChange): boolean;
}

interface Push {
  endpoint: string;
  payload: Buffer;
  /** Called when it is given up. */
  failed?: () => void;
}

/** Pushes events to browsers by way of their push services (docs/protocol.md §15). */
export class WebPush {
  readonly #sending = fastq.promise((push: Push) => this.#send(push), AT_ONCE);
  /** Pushes to each endpoint that has some: the first is being sent or waits for another try. */
  readonly #pushes = new Map<string, Push[]>();
  readonly #closing = new AbortController();
  readonly #registrations: PushRegister["registrations"];

  constructor(
    private readonly core: PushHost,
    private readonly settings: PushSettings,
  ) {
    this.#registrations = core.pushRegister.registrations;
  }

  /** The operator's keys, else those of an earlier start, else new ones. */
  get keys(): PushKeys {
    const { publicKey, privateKey } = this.settings;
    if (publicKey !== undefined && privateKey !== undefined) return { publicKey, privateKey };
    const { pushRegister: register } = this.core;
    if (!register.keys) {
      register.keys = webPush.generateVAPIDKeys();
      this.core.note({ pushKeys: register.keys });
    }
    return register.keys;
  }

  /** Registers an endpoint, or replaces all that is known of it. @throws Refusal 50001 if it is one too many */
  register(registration: PushRegistration): void {
    const { endpoint, visitor } = registration;
    if (!this.#registrations.has(endpoint)) {
      const own = [...this.#registrations.values()].filter((other) => other.visitor === visitor);
      if (own.length >= MAX_ENDPOINTS_OF_VISITOR)
        throw new Refusal(50001, `${MAX_ENDPOINTS_OF_VISITOR} push registrations came from this address already`);
      if (this.#registrations.size >= MAX_ENDPOINTS)
        throw new Refusal(50001, "the server has no room for another push registration");
    }
    // The keys that it was made with may not be stored yet.
    const { keys } = this.core.pushRegister;
    this.core.keep({ push: registration, ...(keys && { pushKeys: keys }) });
    this.#registrations.set(endpoint, registration);
  }

  /** Removes a registration at its browser's request. */
  remove(endpoint: string): void {
    if (!this.#registrations.has(endpoint)) return;
    this.core.keep({ pushRemoved: endpoint });
    this.#registrations.delete(endpoint);
  }

  /** Removes a registration that is no longer of use. */
  #drop(endpoint: string): void {
    this.#registrations.delete(endpoint);
    this.core.note({ pushRemoved: endpoint });
  }

  /** Pushes an event to every browser that is registered for its topic. */
  publish(event: ProtocolEvent): void {
    const { access, baseUrl } = this.core.settings;
    /** By the address under which browsers know this server. */
    const payloads = new Map<string, Buffer>();
    for (const registration of this.#registrations.values()) {
      if (!registration.topics.includes(event.topic)) continue;
      // Rules can have changed since it was registered.
      const user = access?.users.find(({ name }) => name === registration.user);
      if (access && !mayDo(access, user, "read", event.topic)) continue;
      const base = baseUrl ?? registration.baseUrl;
      const payload = payloads.get(base) ?? messagePayload(event, base);
      payloads.set(base, payload);
      this.#add({ endpoint: registration.endpoint, payload });
    }
  }

  /** The job that warns browsers whose registration will expire, and removes what has expired. */
  lookAtAges(): void {
    const { warnAfter, expireAfter } = this.settings;
    const now = nowS(this.core.host.clock);
    for (const registration of this.#registrations.values()) {
      const age = now - registration.renewedAt;
      if (age >= expireAfter) this.#drop(registration.endpoint);
      if (age < warnAfter || age >= expireAfter || registration.warnedAt !== undefined) continue;
      registration.warnedAt = now;
      // If that fails, or too many pushes are ahead of it, the next clean-up tries again.
      const failed = () => delete registration.warnedAt;
      const payload = Buffer.from(JSON.stringify({ event: "subscription_expiring" }));
      if (!this.#add({ endpoint: registration.endpoint, payload, failed })) failed();
    }
  }

  /** Resolves when every push has been answered, or waits to be tried again. */
  async settled(): Promise<void> {
    do {
      await this.#sending.drained();
      // Now the next push to an endpoint begins, if there is one.
      await new Promise(setImmediate);
    } while (!this.#sending.idle());
  }

  /** Gives up unsent pushes; no registration is lost by this. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.settled();
  }

  /** Adds a push after the others to its endpoint; false if too many wait there. */
  #add(push: Push): boolean {
    const pushes = this.#pushes.get(push.endpoint);
    // The first one doesn't wait.
    if (pushes && pushes.length > MAX_WAITING) return false;
    if (pushes) pushes.push(push);
    else void this.#sendAll([push]);
    return true;
  }

  /** Sends pushes to one endpoint, and those that are added meanwhile. */
  async #sendAll(pushes: [Push, ...Push[]]): Promise<void> {
    const [{ endpoint }] = pushes;
    this.#pushes.set(endpoint, pushes);
    for (let push: Push | undefined = pushes[0]; push; push = pushes[0]) {
      await this.#deliver(push).catch(this.core.host.report);
      pushes.shift();
    }
    this.#pushes.delete(endpoint);
  }

  async #deliver(push: Push): Promise<void> {
    for (const againAfterS of [...TRY_AGAIN_AFTER_S, undefined]) {
      const outcome = await this.#sending.push(push);
      if (outcome === "sent") return;
      if (outcome === "refused" || againAfterS === undefined) return push.failed?.();
      await new Promise<void>((resolve) => {
        const stop = this.core.host.clock.every(againAfterS, () => {
          stop();
          resolve();
        });
      });
    }
  }

  /** Sends a push. Does nothing if its registration is gone; removes one that can't be reached any more. */
  async #send({ endpoint, payload }: Push): Promise<"sent" | "refused" | "try again"> {
    // Encrypting and signing block everything for 1.5 ms.
    await new Promise(setImmediate);
    const registration = this.#registrations.get(endpoint);
    if (!registration || this.#closing.signal.aborted) return "refused";
    const gone = (): "refused" => {
      if (this.#registrations.get(endpoint) === registration) this.#drop(endpoint);
      return "refused";
    };
    let body: Buffer;
    try {
      body = webPush.encrypt(registration.p256dh, registration.auth, payload, ENCODING).cipherText;
    } catch {
      // Its keys are invalid.
      return gone();
    }
    const { publicKey, privateKey } = this.keys;
    const { cache, baseUrl } = this.core.settings;
    const contact = this.settings.contact === undefined ? undefined : `mailto:${this.settings.contact}`;
    const subject = contact ?? (baseUrl?.startsWith("https://") ? baseUrl : NO_CONTACT);
    try {
      const answer = await this.core.host.fetch(endpoint, {
        method: "POST",
        headers: {
          ...webPush.getVapidHeaders(new URL(endpoint).origin, subject, publicKey, privateKey, ENCODING),
          "Content-Type": "application/octet-stream",
          "Content-Encoding": ENCODING,
          TTL: String(Math.floor(cache)),
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
    ...{ id: randomId(12), time, event: "poll_request", topic },
    message: "New message",
    poll_id: event.id,
  };
  return envelope(encodeJson(poll).trimEnd());
}

/** Hosts of the push services of browsers (docs/protocol.md §15). */
const SERVICES = ["fcm.googleapis.com", "jmt17.google.com", "updates.push.services.mozilla.com", "web.push.apple.com"];
/** Domains of services whose hosts differ in their first label. */
const SERVICES_BY_REGION = /^[^.]+\.(?:mozaws\.net|notify\.windows\.com)$/;
const LOOPBACK = ["127.0.0.1", "[::1]", "localhost"];

/**
 * Whether an endpoint is at a known push service. The host itself is compared, or anybody could have the server send
 * requests to any address, such as one in its own network.
 * @param allowLoopback also accepts http endpoints on this machine, for tests
 */
export function isAtPushService(endpoint: string, allowLoopback: boolean): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, port, username, password } = new URL(endpoint);
  if (username !== "" || password !== "") return false;
  if (allowLoopback && protocol === "http:" && LOOPBACK.includes(hostname)) return true;
  return protocol === "https:" && port === "" && (SERVICES.includes(hostname) || SERVICES_BY_REGION.test(hostname));
}
