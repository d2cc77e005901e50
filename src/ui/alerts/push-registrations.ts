// The browser's part of pushes: a registration for each scope, subscribed with the key of its server.
import type { PushPart, PushWorkerStrings } from "../../contract";
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
  serverUrl,
} from "../../protocol";
import { within } from "../state/after-next-paint";
import { alertStrings, pushStrings } from "../strings";
import { trustedScriptUrl } from "../../client";

/** A browser may wait for ever for an unreachable push service, so it gets this long, ms. */
const SUBSCRIBE_WITHIN_MS = 30_000;

export type SubscribeFault = { kind: "denied" } | { kind: "unreachable" };

/** Whether the browser has all that pushes need. */
export function hasPush(): boolean {
  return "serviceWorker" in navigator && "PushManager" in globalThis;
}

/**
 * Whether the browser withdraws the permission after pushes that show nothing, as Apple's do after three
 * (docs/design.md §11). Only Safari has either property.
 */
export function mustShowPushes(): boolean {
  return "standalone" in navigator || "safari" in globalThis;
}

/**
 * Subscribes the registration of a scope with a key.
 * @param anew replaces the present subscription, to which no push comes; otherwise it stays if it has this key
 */
export async function subscribePush(
  scope: string,
  key: string,
  anew = false,
): Promise<Result<PushTarget, SubscribeFault>> {
  const applicationServerKey = pushKeyBytes(key);
  if (!applicationServerKey) throw new TypeError("not a key");
  try {
    const registration = await registerPushWorker(scope);
    const before = await registration.pushManager.getSubscription();
    const isKept = before && !anew && isSameKey(before, applicationServerKey);
    // Another key on the same registration is refused.
    if (before && !isKept) await before.unsubscribe();
    const subscription =
      isKept === true
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

/** Whether the browser still has these registrations unchanged. It may end some, for instance after a block. */
export async function areSubscribed(parts: readonly Pick<PushPart, "scope" | "endpoint">[]): Promise<boolean> {
  const registrations = await navigator.serviceWorker.getRegistrations();
  for (const { scope, endpoint } of parts) {
    const { href } = new URL(scope, location.href);
    const registration = registrations.find((one) => one.scope === href);
    const subscription = await registration?.pushManager.getSubscription();
    if (subscription?.endpoint !== endpoint) return false;
  }
  return true;
}

/**
 * Ends the registrations that aren't kept, and resolves to the others.
 * @param keeps whether to keep a scope, relative to the app
 */
export async function endPushRegistrations(keeps: (scope: string) => boolean): Promise<ServiceWorkerRegistration[]> {
  const app = new URL("./", location.href).href;
  const kept: ServiceWorkerRegistration[] = [];
  for (const registration of await navigator.serviceWorker.getRegistrations()) {
    if (!registration.scope.startsWith(app)) continue;
    const scope = `./${registration.scope.slice(app.length)}`;
    if (!isPushScope(scope)) continue;
    if (keeps(scope)) kept.push(registration);
    else {
      await (await registration.pushManager.getSubscription())?.unsubscribe();
      await registration.unregister();
    }
  }
  return kept;
}

export function isScopeOf(address: ServerAddress, scope: string): boolean {
  const part = Number(/-(\d+)\/$/.exec(scope)?.[1]);
  return pushScope(address, part) === scope;
}

function isSameKey({ options }: PushSubscription, key: Uint8Array): boolean {
  const own = options.applicationServerKey && new Uint8Array(options.applicationServerKey);
  return own?.length === key.length && own.every((byte, at) => byte === key[at]);
}

/** The texts of the push worker, which knows no language. */
export function pushWorkerStrings(): PushWorkerStrings {
  const { title, buttons } = alertStrings;
  const { worker } = pushStrings;
  return {
    ...worker,
    many: worker.many({ count: "{count}" }),
    heldBack: worker.heldBack({ count: "{count}" }),
    title: title({ title: "{title}", topic: "{topic}" }),
    buttons,
  };
}

/**
 * Registers the worker that receives pushes, and what came in the background (src/sw/push-worker.ts). Resolves once it is active, as browsers take neither a subscription to pushes nor one to
 * background sync before.
 */
export async function registerPushWorker(scope: string): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(trustedScriptUrl("./push-sw.js"), { scope });
  const { active, waiting, installing } = registration;
  const worker = installing ?? waiting;
  if (active || !worker) return registration;
  await new Promise<void>((resolve) => {
    worker.addEventListener("statechange", () => {
      // A worker that can't be installed is redundant; then subscribing fails, and says so.
      if (worker.state === "activated" || worker.state === "redundant") resolve();
    });
  });
  return registration;
}

// Older servers tell their push key only in a script, which no other origin may read but any may run.

/** How long, ms, to wait for the script. */
const WITHIN_MS = 5_000;

/**
 * Runs a server's `/config.js` and resolves to what it says about pushes, unchecked; undefined = nothing in time. It
 * runs in a hidden sandboxed frame, `public/server-key.html`, which can't reach the app and goes with the answer. Call
 * only after a press.
 */
export function readClientScript(address: ServerAddress): Promise<unknown> {
  const frame = document.createElement("iframe");
  frame.hidden = true;
  frame.sandbox.add("allow-scripts");
  frame.referrerPolicy = "no-referrer";
  frame.src = "./server-key.html";
  // The answer comes by its own channel, so no other frame can give one.
  const { port1: answers, port2: toAnswer } = new MessageChannel();
  return new Promise<unknown>((resolve) => {
    setTimeout(resolve, WITHIN_MS);
    answers.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data);
    // A sandboxed frame has an opaque origin, which can't be a target.
    const ask = () => frame.contentWindow?.postMessage(serverUrl(address, "clientScript"), "*", [toAnswer]);
    frame.addEventListener("load", ask, { once: true });
    document.body.append(frame);
  }).finally(() => {
    frame.remove();
    answers.close();
  });
}
