// A device that receives pushes while its app is closed, with the worker of its registration.
import type { PushState, PushWorkerStrings, ShownNotification } from "../../src/contract";
import { changePush, receiveInBackground, receivePush, type PushWorker } from "../../src/hub";
import type { PushTarget, StorableEvent } from "../../src/protocol";
import { FakeLocks } from "./fake-locks";
import { errorAnswer, type SeenRequest } from "./fake-server";
import { World } from "./world";

export const KEY = Buffer.from([4, ...new Uint8Array(64).fill(7)]).toString("base64url");
export const DAY_MS = 86_400_000;
export const WORDS: PushWorkerStrings = {
  title: "{title} · {topic}",
  binary: "binary",
  unseen: "unseen",
  many: "{count} new",
  heldBack: "{count} quiet",
  changed: "changed",
};
export const SCOPE = "./push/abc-1/";

export const targetOf = (name: string): PushTarget => ({
  endpoint: `https://push.example/${name}`,
  auth: "A",
  p256dh: "B",
});

/** A device whose pushes are registered, with the list of topics that the server holds for each endpoint. */
export class Pushed {
  readonly held = new Map<string, string[]>();
  readonly onScreen: ShownNotification[] = [];
  readonly closed: string[] = [];
  isInSight = false;
  badge: number | undefined;
  isEnded = false;
  target: PushTarget | undefined = targetOf("one");
  /** Topics that may not be read. */
  forbidden: string[] = [];
  /** Only one page or worker at a time changes the registrations. */
  readonly #lock = new FakeLocks().manager;
  /** Answers registrations in place of the server. */
  refuses: (() => Response) | undefined;

  constructor(readonly world: World) {
    world.server.intercept = (request) => this.#answer(request);
  }

  #answer({ url, method, body }: SeenRequest): Response | undefined {
    if (url.pathname === "/v1/config") return Response.json({ enable_web_push: true, web_push_public_key: KEY });
    if (url.searchParams.get("since") === "none" && this.forbidden.some((topic) => url.pathname.includes(topic)))
      return errorAnswer(403, 40301);
    if (url.pathname !== "/v1/webpush") return undefined;
    const asked = JSON.parse(body ?? "") as { endpoint: string; topics: string[] };
    if (method === "DELETE") this.held.delete(asked.endpoint);
    else if (this.refuses) return this.refuses();
    else if (asked.topics.some((topic) => this.forbidden.includes(topic))) return errorAnswer(403, 40301);
    else this.held.set(asked.endpoint, asked.topics);
    return Response.json({ success: true });
  }

  /** How often the server was told of a registration. */
  get posts(): number {
    return this.world.server.requestsTo("/v1/webpush").filter(({ method }) => method === "POST").length;
  }

  get titles(): string[] {
    return this.onScreen.map(({ title }) => title);
  }

  async state(): Promise<PushState | undefined> {
    const pushes = await this.world.store.pushes();
    return pushes.ok ? pushes.value[0] : undefined;
  }

  /** What the worker of the registration runs in. */
  worker(more: Partial<PushWorker> = {}): PushWorker {
    const { world } = this;
    const { now, setTimer, clearTimer } = world.time;
    return {
      scope: SCOPE,
      store: world.store,
      channel: world.air.open(),
      emoji: new Map([["warning", "⚠️"]]),
      fetch: world.server.fetch,
      isBlocked: () => Promise.resolve(false),
      now,
      setTimer,
      clearTimer,
      show: (shown) => Promise.resolve(void this.onScreen.push(shown)),
      shown: (tag) =>
        Promise.resolve(this.onScreen.filter(({ options }) => options.tag === tag).map(({ options }) => options.data)),
      close: (tags, keeps) => {
        const isKept = (tag: string): boolean => {
          const shown = this.onScreen.findLast(({ options }) => options.tag === tag);
          return shown !== undefined && keeps?.(shown.options.data, tag) === true;
        };
        return Promise.resolve(void this.closed.push(...tags.filter((tag) => !isKept(tag))));
      },
      isInSight: () => Promise.resolve(this.isInSight),
      setBadge: (unread) => Promise.resolve(void (this.badge = unread)),
      target: () => Promise.resolve(this.target),
      end: () => Promise.resolve(void (this.isEnded = true)),
      alone: (work) => this.alone(work),
      ...more,
    };
  }

  alone<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#lock.request("", {}, work) as Promise<Value>;
  }

  /** A push comes; everything that it causes is done when this resolves. */
  async push(payload: unknown, more: Partial<PushWorker> = {}): Promise<void> {
    const text = typeof payload === "string" ? payload : JSON.stringify(payload);
    await this.#run(receivePush(this.worker(more), text));
  }

  /** Messages are pushed at once, as after the browser was offline. Resolves to how many of them made it look for more. */
  async messages(events: readonly StorableEvent[]): Promise<number> {
    const texts = events.map((message) => JSON.stringify({ event: "message", message }));
    const looked = await this.#run(Promise.all(texts.map((text) => receivePush(this.worker(), text))));
    return looked.filter((one) => one).length;
  }

  /** The browser's background sync wakes the worker. */
  sync(): Promise<void> {
    return this.#run(receiveInBackground(this.worker({ scope: "./sync/all/" }), WORDS));
  }

  /** The browser says that the registration is no more what it was. */
  changed(
    before: string | undefined,
    subscribe: (key: string) => Promise<void>,
    more: Partial<PushWorker> = {},
  ): Promise<void> {
    return this.#run(changePush(this.worker(more), before, subscribe));
  }

  async #run<Value>(work: Promise<Value>): Promise<Value> {
    const { time } = this.world;
    let isDone = false;
    const done = work.finally(() => (isDone = true));
    await time.settle();
    for (let seconds = 0; !isDone && seconds < 60; seconds++) await time.advance(1_000);
    return done;
  }

  /** A push of a message, in the server's form. */
  message(event: StorableEvent, more: Partial<PushWorker> = {}): Promise<void> {
    return this.push({ event: "message", subscription_id: "https://elsewhere.example/x", message: event }, more);
  }
}

/** A device with topics that are registered, its app closed. */
export async function closed(topics = ["alerts"]) {
  const world = await World.make();
  const pushed = new Pushed(world);
  const { hub, tab, subIds } = await world.subscribed(topics);
  await world.time.advance(15_000);
  const { serverId } = (await servers(world))[0]!;
  const parts = [{ scope: SCOPE, accountId: 0, topics, target: targetOf("one") }];
  const registered = await tab.send("registerPush", { serverId, key: KEY, words: WORDS, parts });
  if (!registered.ok) throw new Error(JSON.stringify(registered.error));
  return { world, pushed, hub, tab, subIds, serverId };
}

export async function servers(world: World) {
  const read = await world.store.servers();
  if (!read.ok) throw new Error(read.error.text);
  return read.value;
}
