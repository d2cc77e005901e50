import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SYNC_SCOPE, type PushState, type PushWorkerStrings, type RegisterPushInput } from "../../src/contract";
import { pushScope } from "../../src/protocol";
import type * as Registrations from "../../src/ui/alerts/push-registrations";
import type * as AppState from "../../src/ui/state/app.svelte";
import type * as Push from "../../src/ui/alerts/push.svelte";
import { ADDRESS, catalogue, FakeClient, server, subscription } from "./fake-client";
import { stubPage } from "./stub-page";

const KEY = Buffer.from([4, ...new Uint8Array(64).fill(7)]).toString("base64url");
const OTHER_KEY = Buffer.from([4, ...new Uint8Array(64).fill(8)]).toString("base64url");
const OTHER_ADDRESS = "https://other.example" as typeof ADDRESS;
const APP = "https://app.example/";
const SCOPE = pushScope(ADDRESS, 1);
const NOW_MS = 1_800_000_000_000;

/** What an older server's script says. */
let script: unknown;
vi.mock("../../src/ui/alerts/push-registrations", async (original) => ({
  ...(await original<typeof Registrations>()),
  readClientScript: () => Promise.resolve(script),
}));

/** What a browser has of service workers, pushes and their permission. */
class FakeBrowser {
  permission: NotificationPermission = "granted";
  /** The push service can't be reached. */
  isCutOff = false;
  /** Keys that were subscribed, and endpoints that were given up. */
  readonly subscribed: string[] = [];
  readonly givenUp: string[] = [];
  /** Scopes whose workers' new versions were looked for. */
  readonly updated: string[] = [];
  readonly #registrations = new Map<string, ServiceWorkerRegistration>();
  /** What each scope is subscribed with. */
  readonly #subscriptions = new Map<string, PushSubscription>();
  readonly #status = Object.assign(new EventTarget(), { state: "granted" });
  #turn: Promise<unknown> = Promise.resolve();

  readonly navigator = {
    onLine: true,
    locks: { request: (_name: string, run: () => unknown) => (this.#turn = this.#turn.then(run, run)) },
    permissions: { query: () => Promise.resolve(this.#status) },
    serviceWorker: {
      ready: Promise.resolve({}),
      register: (_url: string, { scope }: { scope: string }) => Promise.resolve(this.#register(scope)),
      getRegistrations: () => Promise.resolve([...this.#registrations.values()]),
    },
  };

  get endpoint(): string | undefined {
    return this.#subscriptions.get(SCOPE)?.endpoint;
  }

  async scopes(): Promise<string[]> {
    return (await this.navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope);
  }

  /** The user changes the permission in the browser's settings; with it a browser ends what is subscribed. */
  setPermission(permission: NotificationPermission): void {
    this.permission = permission;
    if (permission !== "granted") this.endAll();
    vi.stubGlobal("Notification", { permission, requestPermission: () => Promise.resolve(permission) });
    this.#status.dispatchEvent(new Event("change"));
  }

  /** The browser ends its registrations by itself. */
  endAll(): void {
    this.#subscriptions.clear();
  }

  #register(scope: string): ServiceWorkerRegistration {
    const { href } = new URL(scope, APP);
    const registration = this.#registrations.get(href) ?? this.#registration(scope, href);
    this.#registrations.set(href, registration);
    return registration;
  }

  #registration(scope: string, href: string): ServiceWorkerRegistration {
    return {
      scope: href,
      active: {},
      unregister: () => Promise.resolve(this.#registrations.delete(href)),
      update: () => Promise.resolve(void this.updated.push(scope)),
      pushManager: {
        getSubscription: () => Promise.resolve(this.#subscriptions.get(scope) ?? null),
        subscribe: ({ applicationServerKey }: { applicationServerKey: Uint8Array<ArrayBuffer> }) => {
          if (this.permission !== "granted") return Promise.reject(new DOMException("", "NotAllowedError"));
          if (this.isCutOff) return Promise.reject(new DOMException("", "AbortError"));
          this.subscribed.push(Buffer.from(applicationServerKey).toString("base64url"));
          const endpoint = `https://push.example/${this.subscribed.length}`;
          const subscription = {
            endpoint,
            options: { applicationServerKey: applicationServerKey.buffer },
            toJSON: () => ({ endpoint, keys: { auth: "A", p256dh: "B" } }),
            unsubscribe: () => {
              this.givenUp.push(endpoint);
              return Promise.resolve(this.#subscriptions.delete(scope));
            },
          } as unknown as PushSubscription;
          this.#subscriptions.set(scope, subscription);
          return Promise.resolve(subscription);
        },
      },
    } as unknown as ServiceWorkerRegistration;
  }
}

let browser: FakeBrowser;
let app: AppState.App;
let client: FakeClient;
/** What the hub has stored, and what its server holds: topics by endpoint. */
let stored: PushState | undefined;
let held: Map<string, string[]>;
let key: string;

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers({ now: NOW_MS });
  vi.stubEnv("PROD", true);
  stubPage(`${APP}#/`);
  browser = new FakeBrowser();
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: vi.fn() }));
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("navigator", browser.navigator);
  browser.setPermission("granted");
  stored = undefined;
  held = new Map();
  key = KEY;
  client = new FakeClient(catalogue({ servers: [server()], subscriptions: [subscription({ topic: "alerts" })] }));
  client.answers = {
    pushStates: () => ({ ok: true, value: stored ? [stored] : [] }),
    pushKey: () => ({ ok: true, value: key }),
    registerPush: (input) => ({ ok: true, value: register(input) }),
    endPush: () => {
      stored = undefined;
      held.clear();
      return { ok: true, value: null };
    },
    publish: () => ({ ok: true, value: { message: { id: "sentsentsent" } } as never }),
  };
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

function register({ parts, ...input }: RegisterPushInput): PushState {
  held.clear();
  for (const { target, topics } of parts) held.set(target.endpoint, topics);
  stored = {
    ...input,
    parts: parts.map(({ target, ...part }) => ({ ...part, endpoint: target.endpoint })),
    ...{ refused: [], sinceMs: stored?.sinceMs ?? Date.now(), postedAtMs: Date.now() },
  };
  return stored;
}

const registered = () => client.sent.filter(({ name }) => name === "registerPush").length;

/** Starts a page's part of pushes, as a page does that opens. */
async function start(): Promise<NonNullable<ReturnType<typeof Push.pushesOf>>> {
  vi.resetModules();
  const { App } = await import("../../src/ui/state/app.svelte");
  const { followPermission } = await import("../../src/ui/alerts/permission.svelte");
  const { pushesOf } = await import("../../src/ui/alerts/push.svelte");
  app = new App(client, client.tables, ADDRESS);
  app.start();
  const pushes = pushesOf(app);
  await followPermission();
  await vi.advanceTimersByTimeAsync(0);
  if (!pushes) throw new Error("no pushes here");
  return pushes;
}

/** Pushes that are on, on a page that was closed an hour ago. */
async function turnedOn(): Promise<void> {
  const pushes = await start();
  expect(await pushes.turnOn(1)).toMatchObject({ ok: true });
  await vi.advanceTimersByTimeAsync(3_600_000);
}

test("a start posts the registration again, as the server may have forgotten it", async () => {
  await turnedOn();
  held.clear();
  browser.updated.length = 0;
  await start();
  expect(held).toEqual(new Map([["https://push.example/1", ["alerts"]]]));
  expect(browser.updated, "each worker once").toEqual([SCOPE]);
  expect(browser.subscribed, "what the browser has stays").toEqual([KEY]);
  await start();
  expect(registered(), "another tab has just done so").toBe(2);
  browser.updated.length = 0;
  await start();
  expect(browser.updated, "a former version leaves the database alone that this one has migrated").toEqual([SCOPE]);
});

test("the worker that the browser wakes now and then is brought up to date at a start, too", async () => {
  await start();
  await app.setSettings({ alerts: true });
  vi.stubGlobal("caches", { open: () => Promise.resolve({ put: () => Promise.resolve() }) });
  const { startBackgroundSync } = await import("../../src/ui/alerts/background-sync");
  await startBackgroundSync(app);
  expect(browser.updated).toEqual([SYNC_SCOPE]);
});

test("a registration that the browser ended is made again at the start, though it was posted just before", async () => {
  await turnedOn();
  await start();
  browser.endAll();
  await start();
  expect(browser.endpoint).toBe("https://push.example/2");
  expect([...held.keys()]).toEqual(["https://push.example/2"]);
});

test("a server's new key takes the place of the old one", async () => {
  await turnedOn();
  key = OTHER_KEY;
  await start();
  expect(browser.subscribed).toEqual([KEY, OTHER_KEY]);
  expect(browser.givenUp).toEqual(["https://push.example/1"]);
  expect(stored?.key).toBe(OTHER_KEY);
});

test("a server that tells no key is asked by its script, then the host of the app is, and only then the user", async () => {
  client.answers.pushKey = () => ({ ok: false, error: { kind: "no-key", problem: "untold" } });
  const host = { config: { topics: [], settings: {}, locked: [], pushKeys: { [ADDRESS]: OTHER_KEY } } };
  const before = client.tables.settings;
  const withHost = { ...before, host: { ...host, problems: [], home: ADDRESS, applied: {} } };
  for (const [said, settings, used] of [
    [undefined, before, undefined],
    [{ web_push_public_key: "no key" }, before, undefined],
    [{ enable_web_push: false }, withHost, undefined],
    [{ web_push_public_key: KEY }, withHost, KEY],
    [undefined, withHost, OTHER_KEY],
    [{ web_push_public_key: "no key" }, withHost, OTHER_KEY],
  ] as const) {
    script = said;
    client.tables = { ...client.tables, settings };
    const pushes = await start();
    const turned = await pushes.turnOn(1);
    expect(turned.ok && turned.value.key, JSON.stringify(said)).toBe(used ?? false);
    if (turned.ok) await pushes.turnOff(1);
  }
});

test("with the permission revoked nothing is tried, and once it is given again the registration is made again", async () => {
  await turnedOn();
  const pushes = await start();
  const before = registered();
  browser.setPermission("denied");
  client.announce({ kind: "catalogue" });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(registered()).toBe(before);
  expect(pushes.state(1), "it stays on").toBeDefined();
  expect(browser.endpoint).toBeUndefined();
  browser.setPermission("granted");
  await vi.advanceTimersByTimeAsync(0);
  expect([...held.keys()]).toEqual([browser.endpoint]);
  expect(pushes.trouble(1)).toBeUndefined();
});

test("an unreachable push service is reported, tried again with the next change, and leaves what the server has", async () => {
  await turnedOn();
  browser.endAll();
  browser.isCutOff = true;
  const pushes = await start();
  expect(pushes.trouble(1)).toEqual({ kind: "unreachable" });
  expect([...held.keys()]).toEqual(["https://push.example/1"]);
  browser.isCutOff = false;
  client.announce({ kind: "catalogue" });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(pushes.trouble(1)).toBeUndefined();
  expect([...held.keys()]).toEqual([browser.endpoint]);
});

test("a push service that can't be reached turns nothing on", async () => {
  browser.isCutOff = true;
  const pushes = await start();
  expect(await pushes.turnOn(1)).toEqual({ ok: false, error: { kind: "unreachable" } });
  expect([registered(), pushes.state(1), pushes.trouble(1)]).toEqual([0, undefined, undefined]);
  expect(await browser.navigator.serviceWorker.getRegistrations()).toEqual([]);
});

test("a test whose push comes says how long it took, and one that is lost registers anew at another endpoint", async () => {
  await turnedOn();
  const pushes = await start();
  const lost = pushes.test(1, "alerts");
  await vi.advanceTimersByTimeAsync(29_000);
  client.announce({ kind: "pushed", id: "another" });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await lost).toMatchObject({ ok: true, value: { kind: "lost", anew: { ok: true } } });
  expect(browser.givenUp).toEqual(["https://push.example/1"]);
  expect([...held.keys()]).toEqual(["https://push.example/2"]);

  const heard = pushes.test(1, "alerts");
  await vi.advanceTimersByTimeAsync(2_000);
  client.announce({ kind: "pushed", id: "sentsentsent" });
  await vi.advanceTimersByTimeAsync(0);
  expect(await heard).toMatchObject({ ok: true, value: { kind: "arrived" } });
  expect(browser.givenUp).toHaveLength(1);

  browser.isCutOff = true;
  const cut = pushes.test(1, "alerts");
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await cut).toMatchObject({ ok: true, value: { anew: { error: { kind: "unreachable" } } } });
  expect(pushes.trouble(1)).toEqual({ kind: "unreachable" });
});

test("neither a clock that was a day ahead nor one that was behind keeps a start from posting", async () => {
  for (const offMs of [86_400_000, -86_400_000]) {
    await turnedOn();
    stored = stored && { ...stored, postedAtMs: Date.now() + offMs };
    const before = registered();
    await start();
    expect(registered()).toBe(before + 1);
  }
});

test("turned off, or with its last topic removed, nothing is left at browser and server", async () => {
  await turnedOn();
  const pushes = await start();
  await pushes.turnOff(1);
  expect([browser.endpoint, held.size, pushes.state(1)]).toEqual([undefined, 0, undefined]);
  await turnedOn();
  client.tables = catalogue({ servers: [server()] });
  await start();
  expect([browser.endpoint, held.size]).toEqual([undefined, 0]);
});

test("a server whose old address says nothing moves at once, and its pushes with it", async () => {
  await turnedOn();
  await start();
  client.answers.endPush = () => new Promise(() => undefined) as never;
  client.answers.patchServer = () => {
    stored = undefined;
    client.tables = { ...client.tables, servers: [server({ address: OTHER_ADDRESS })] };
    return { ok: true, value: null };
  };
  const { moveServer } = await import("../../src/ui/topics/server/move-server.svelte");
  const moving = moveServer(app, 1, { address: OTHER_ADDRESS, keepsSignIn: true });
  await vi.advanceTimersByTimeAsync(0);
  expect(client.sent.map(({ name }) => name)).toContain("patchServer");
  expect(await moving).toEqual({ ok: true, value: { lacksPushes: false } });
  expect(stored?.parts.map(({ scope }) => scope)).toEqual([pushScope(OTHER_ADDRESS, 1)]);
  expect(browser.givenUp, "at the old address").toEqual(["https://push.example/1"]);
});

test("each server has a registration with its own key, and another for topics beyond fifty", async () => {
  const many = Array.from({ length: 51 }, (_, at) => subscription({ subId: at + 1, topic: `topic${at}` }));
  const doors = subscription({ subId: 99, serverId: 2, topic: "doors" });
  client.tables = catalogue({
    servers: [server(), server({ serverId: 2, address: OTHER_ADDRESS })],
    subscriptions: [...many, doors],
  });
  client.answers.pushKey = ({ serverId }) => ({ ok: true, value: serverId === 1 ? KEY : OTHER_KEY });
  const pushes = await start();
  await pushes.turnOn(1);
  expect(stored?.parts.map(({ scope, topics }) => [scope, topics.length])).toEqual([
    [SCOPE, 50],
    [pushScope(ADDRESS, 2), 1],
  ]);
  await pushes.turnOn(2);
  expect(stored?.parts.map(({ scope }) => scope)).toEqual([pushScope(OTHER_ADDRESS, 1)]);
  expect(browser.subscribed).toEqual([KEY, KEY, OTHER_KEY]);
  expect(new Set(await browser.scopes()).size).toBe(3);
});

test("of two tabs that turn it on at once, one that the server refused leaves alone what the other one registered", async () => {
  const [one, other] = [await start(), await start()];
  const { registerPush } = client.answers;
  let asked = 0;
  client.answers.registerPush = (input) =>
    asked++ === 0 ? { ok: false, error: { kind: "too-many-devices" } } : registerPush!(input);
  const [refused, taken] = await Promise.all([one.turnOn(1), other.turnOn(1)]);
  expect([refused.ok, taken.ok]).toEqual([false, true]);
  expect(browser.endpoint).toBe(stored?.parts[0]?.endpoint);
});

test("two tabs that turn it on at once subscribe once", async () => {
  const tabs = [await start(), await start()];
  const turned = await Promise.all(tabs.map((pushes) => pushes.turnOn(1)));
  expect(turned.map(({ ok }) => ok)).toEqual([true, true]);
  expect(browser.subscribed).toEqual([KEY]);
  expect([...held.keys()]).toEqual([browser.endpoint]);
});

describe("where every push must show something", () => {
  beforeEach(() => vi.stubGlobal("navigator", { ...browser.navigator, standalone: true }));

  const topics = () => [...held.values()].flat();

  test("a topic that is muted for a while is left out, and comes back when that ends with the page still open", async () => {
    const [alerts, doors] = ["alerts", "doors"].map((topic, at) => subscription({ subId: at + 1, topic }));
    client.tables = catalogue({
      servers: [server()],
      subscriptions: [alerts!, { ...doors!, mutedUntilMs: NOW_MS + 2 * 3_600_000 }],
    });
    await turnedOn();
    expect(stored?.mustShow).toBe(true);
    expect(topics()).toEqual(["alerts"]);
    await start();
    await vi.advanceTimersByTimeAsync(3_500_000);
    expect(topics()).toEqual(["alerts"]);
    await vi.advanceTimersByTimeAsync(200_000);
    expect(topics()).toEqual(["alerts", "doors"]);
  });

  test("with notifications turned off nothing is pushed, and again once they are on", async () => {
    await turnedOn();
    await start();
    const { settings } = client.tables;
    client.tables = { ...client.tables, settings: { ...settings, alerts: false } };
    client.announce({ kind: "catalogue" });
    await vi.advanceTimersByTimeAsync(10_000);
    expect([topics(), browser.endpoint]).toEqual([[], undefined]);
    client.tables = { ...client.tables, settings };
    client.announce({ kind: "catalogue" });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(topics()).toEqual(["alerts"]);
  });
});

test("a server's last topic that is removed and brought back is pushed again", async () => {
  await turnedOn();
  const pushes = await start();
  const { subscriptions } = client.tables;
  client.tables = { ...client.tables, subscriptions: [] };
  client.announce({ kind: "catalogue" });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(pushes.state(1)).toBeUndefined();
  client.tables = { ...client.tables, subscriptions };
  client.announce({ kind: "catalogue" });
  await vi.advanceTimersByTimeAsync(5_000);
  expect([...held]).toEqual([[browser.endpoint, ["alerts"]]]);
  expect(pushes.state(1)).toBeDefined();
});

test("a registration of a server that is gone ends at the next start, but not where what is stored can't be read", async () => {
  await turnedOn();
  stored = undefined;
  client.tables = catalogue();
  const { pushStates } = client.answers;
  client.answers.pushStates = () => ({ ok: false, error: { kind: "storage", text: "closed" } });
  await start();
  expect(await browser.scopes()).toHaveLength(1);
  client.answers.pushStates = pushStates!;
  await start();
  expect(await browser.scopes()).toEqual([]);
  expect(browser.givenUp).toHaveLength(1);
});

test("registrations stay where the database can't be opened and everything is kept in memory", async () => {
  await turnedOn();
  const before = [browser.endpoint, await browser.scopes()];
  stored = undefined;
  client.environment = { ...client.environment, storage: "memory" };
  await start();
  expect([browser.endpoint, await browser.scopes()]).toEqual(before);
});

test("the words that the worker will say are those of the page, also once it speaks another language", async () => {
  await turnedOn();
  const pushes = await start();
  const words = (): PushWorkerStrings | undefined => stored?.words;
  expect(words()).toMatchObject({ title: "{title} · {topic}", many: "{count} new messages" });
  if (stored) stored = { ...stored, words: { ...stored.words, many: "{count} neue Nachrichten" } };
  for (let twice = 0; twice < 2; twice++) {
    pushes.renew();
    await vi.advanceTimersByTimeAsync(0);
    expect(words()?.many).toBe("{count} new messages");
  }
  expect(registered(), "once, though it had just been posted").toBe(3);
});

test("pushes that couldn't be turned off stay on, and the user is told", async () => {
  await turnedOn();
  const pushes = await start();
  client.answers.endPush = () => ({ ok: false, error: { kind: "storage", text: "QuotaExceededError" } });
  await pushes.turnOff(1);
  expect(browser.endpoint).toBe("https://push.example/1");
  expect(pushes.state(1)).toBeDefined();
});

test("a language that changes while a start still registers is spoken", async () => {
  await turnedOn();
  const words = (): PushWorkerStrings | undefined => stored?.words;
  const { registerPush } = client.answers;
  let calls = 0;
  // A slow server; the words of the first are of the language before.
  client.answers.registerPush = ((input: RegisterPushInput) => {
    const sent = calls++ === 0 ? { ...input, words: { ...input.words, many: "{count} neue Nachrichten" } } : input;
    return new Promise((resolve) => setTimeout(() => resolve(registerPush!(sent) as never), 1_000));
  }) as never;
  const pushes = await start();
  expect(calls).toBe(1);
  pushes.renew();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(words()?.many).toBe("{count} new messages");
});
