// This imports the address of the entry, not its code.
import workerUrl from "../worker/worker?worker&url";

/** Whether all tabs have one worker, or each its own. */
export type WorkerKind = "shared" | "dedicated";

/** The page's end of a connection to a worker. */
export interface WorkerPort {
  post(message: unknown): void;
  close(): void;
}

export interface WorkerPortEvents {
  message(data: unknown): void;
  /** The worker couldn't be loaded. */
  failed(): void;
}

/** Starts a worker, or joins the one with that name. */
export type OpenWorker = (kind: WorkerKind, name: string, events: WorkerPortEvents) => WorkerPort;

/** Whether this browser has workers that tabs share; Chrome for Android has them from 148 on. */
export function hasSharedWorkers(): boolean {
  return "SharedWorker" in globalThis;
}

export const openWorker: OpenWorker = (kind, name, events) => {
  const hear = (event: MessageEvent): void => events.message(event.data);
  if (kind === "shared") {
    let worker: SharedWorker;
    try {
      worker = new SharedWorker(trustedScriptUrl(workerUrl), { name, type: "module" });
    } catch {
      // Thrown if the user forbids sites to store anything. The caller doesn't have the port yet, so this is reported a
      // moment later.
      queueMicrotask(() => events.failed());
      return { post: () => undefined, close: () => undefined };
    }
    worker.onerror = () => events.failed();
    worker.port.onmessage = hear;
    return { post: (message) => worker.port.postMessage(message), close: () => worker.port.close() };
  }
  const worker = new Worker(trustedScriptUrl(workerUrl), { name, type: "module" });
  worker.onerror = () => events.failed();
  worker.onmessage = hear;
  return { post: (message) => worker.postMessage(message), close: () => worker.terminate() };
};

/** Named in the Content-Security-Policy. Created once, because a name can't be used twice. */
let policy: TrustedScriptUrlPolicy | undefined;

function createScriptURL(url: string): string {
  if (new URL(url, location.href).origin !== location.origin) throw new TypeError("A script of another origin.");
  return url;
}

/** Allows an address of the app's own origin for a worker. Its type is a string, because APIs expect that. */
export function trustedScriptUrl(url: string): string {
  if (typeof trustedTypes === "undefined") return createScriptURL(url);
  policy ??= trustedTypes.createPolicy("earshot-script-url", { createScriptURL });
  return policy.createScriptURL(url) as string;
}
