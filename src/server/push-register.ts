import { mayDo } from "./access";
import { makePushKeys, type AccessSettings, type PushKeys } from "./options";

/** Maximum number of endpoints that one visitor can register (docs/protocol.md §15). */
export const MAX_ENDPOINTS_OF_VISITOR = 10;
/** Maximum number of endpoints in all, some 6 KiB each at most. */
const MAX_ENDPOINTS = 5_000;

/** A browser that wants the messages of topics pushed to it (docs/protocol.md §15). */
export interface PushRegistration {
  /** Address at the browser's push service; whoever knows it can push to it. */
  endpoint: string;
  /** The browser's keys (RFC 8291), as unpadded URL-safe base64. They are not checked until something is sent. */
  auth: string;
  p256dh: string;
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

/** A change that is kept over a restart. */
export type RegisterChange = { push: PushRegistration } | { pushRemoved: string } | { pushKeys: PushKeys };

/** The server's keys for Web Push, and all registrations. Changes count at once, stored or not. */
export class PushRegister {
  readonly #byEndpoint = new Map<string, PushRegistration>();
  /** Keys that the server made for itself; undefined if it has not made any yet. */
  keys: PushKeys | undefined;

  constructor(private readonly keep: (change: RegisterChange) => Promise<void>) {}

  /** Makes the server's keys, which count at once. */
  async makeKeys(): Promise<void> {
    this.keys = makePushKeys();
    await this.keep({ pushKeys: this.keys });
  }

  /** Registers an endpoint, or replaces all that is known of it. */
  async put(registration: PushRegistration): Promise<void> {
    this.restore(registration);
    await this.keep({ push: registration });
  }

  /** Takes over a registration, as read from a file. */
  restore(registration: PushRegistration): void {
    this.#byEndpoint.set(registration.endpoint, registration);
  }

  /** Why an endpoint can't be registered; undefined if it can. A registered one always can. */
  whyNot(endpoint: string, visitor: string): "too many of the visitor" | "too many" | undefined {
    if (this.#byEndpoint.has(endpoint)) return undefined;
    let own = 0;
    for (const registration of this.#byEndpoint.values()) if (registration.visitor === visitor) own++;
    if (own >= MAX_ENDPOINTS_OF_VISITOR) return "too many of the visitor";
    return this.#byEndpoint.size >= MAX_ENDPOINTS ? "too many" : undefined;
  }

  get(endpoint: string): PushRegistration | undefined {
    return this.#byEndpoint.get(endpoint);
  }

  /** Registrations for a topic. */
  of(topic: string): PushRegistration[] {
    return [...this.#byEndpoint.values()].filter(({ topics }) => topics.includes(topic));
  }

  all(): Iterable<PushRegistration> {
    return this.#byEndpoint.values();
  }

  /** @param nowS Unix seconds */
  async markWarned(registration: PushRegistration, nowS: number): Promise<void> {
    registration.warnedAt = nowS;
    await this.keep({ push: registration });
  }

  async remove(endpoint: string): Promise<void> {
    if (this.forget(endpoint)) await this.keep({ pushRemoved: endpoint });
  }

  /** Removes a registration, as read from a file. Returns whether there was one. */
  forget(endpoint: string): boolean {
    return this.#byEndpoint.delete(endpoint);
  }
}

/** Whether a registration's user may still read a topic: rules can change between two starts of the server. */
export function mayStillRead(access: AccessSettings, { user }: PushRegistration, topic: string): boolean {
  return mayDo(
    access,
    access.users.find(({ name }) => name === user),
    "read",
    topic,
  );
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
