// The browser's part of pushes: a registration for each scope, subscribed with the key of its server.
import { trustedScriptUrl } from "../../client";
import {
  fail,
  isPushScope,
  ok,
  pushKeyBytes,
  pushScope,
  type PushTarget,
  readPushTarget,
  type Result,
  type ServerAddress,
} from "../../protocol";

/** The worker that receives pushes; see src/sw/push-worker.ts. */
const WORKER = "./push-sw.js";

/** A browser whose push service can't be reached may wait for ever, so it is given this long, ms. */
const SUBSCRIBE_WITHIN_MS = 30_000;

/** Why the browser didn't subscribe. */
export type SubscribeFault = { kind: "denied" } | { kind: "unreachable" };

/** Whether the browser has all that pushes need. */
export function hasPush(): boolean {
  return "serviceWorker" in navigator && "PushManager" in globalThis;
}

/**
 * Whether the browser takes the permission away from pushes that show nothing: those of Apple do, after three
 * (docs/design.md §11). Only they have one of these.
 */
export function mustShowPushes(): boolean {
  return "standalone" in navigator || "safari" in globalThis;
}

/** Subscribes the registration of a scope with a key; what is subscribed with it already stays. */
export async function subscribePush(scope: string, key: string): Promise<Result<PushTarget, SubscribeFault>> {
  const applicationServerKey = pushKeyBytes(key);
  if (!applicationServerKey) throw new TypeError("not a key");
  try {
    const registration = await navigator.serviceWorker.register(trustedScriptUrl(WORKER), { scope });
    await activated(registration);
    const before = await registration.pushManager.getSubscription();
    const isSame = before && isSameKey(before, applicationServerKey);
    // Another key on the same registration is refused.
    if (before && !isSame) await before.unsubscribe();
    const subscription =
      isSame === true
        ? before
        : await within(
            registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }),
            SUBSCRIBE_WITHIN_MS,
          );
    const target = subscription && readPushTarget(subscription.toJSON());
    return target ? ok(target) : fail({ kind: "unreachable" });
  } catch (error) {
    if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
    return fail({ kind: error.name === "NotAllowedError" ? "denied" : "unreachable" });
  }
}

/** Ends the registrations that aren't kept. @param keeps whether a scope, relative to the app, is */
export async function endPushRegistrations(keeps: (scope: string) => boolean): Promise<void> {
  const app = new URL("./", location.href).href;
  for (const registration of await navigator.serviceWorker.getRegistrations()) {
    if (!registration.scope.startsWith(app)) continue;
    const scope = `./${registration.scope.slice(app.length)}`;
    if (!isPushScope(scope) || keeps(scope)) continue;
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    await registration.unregister();
  }
}

/** Whether a scope is one of a server's. */
export function isScopeOf(address: ServerAddress, scope: string): boolean {
  const part = Number(/-(\d+)\/$/.exec(scope)?.[1]);
  return pushScope(address, part) === scope;
}

/** A registration can be subscribed once its worker is active. */
async function activated({ active, waiting, installing }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting;
  if (active || !worker) return;
  await new Promise<void>((resolve) => {
    worker.addEventListener("statechange", () => {
      // A worker that can't be installed is redundant: then subscribing fails, and says so.
      if (worker.state === "activated" || worker.state === "redundant") resolve();
    });
  });
}

function isSameKey({ options }: PushSubscription, key: Uint8Array): boolean {
  const own = options.applicationServerKey && new Uint8Array(options.applicationServerKey);
  return own?.length === key.length && own.every((byte, at) => byte === key[at]);
}

async function within<Value>(work: Promise<Value>, ms: number): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
