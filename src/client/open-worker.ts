// This imports the address of the entry, not its code.
import workerUrl from "../worker/worker?worker&url";

/** The page's end of a connection to a worker. */
export interface WorkerPort {
  kind: "shared" | "dedicated";
  post(message: unknown): void;
  close(): void;
}

export interface WorkerPortEvents {
  message(data: unknown): void;
  /** The worker couldn't be loaded. */
  failed(): void;
}

/** Starts a worker, or joins the one with that name. */
export type OpenWorker = (kind: WorkerPort["kind"], name: string, events: WorkerPortEvents) => WorkerPort;

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
      return { kind, post: () => undefined, close: () => undefined };
    }
    worker.onerror = () => events.failed();
    worker.port.onmessage = hear;
    return { kind, post: (message) => worker.port.postMessage(message), close: () => worker.port.close() };
  }
  const worker = new Worker(trustedScriptUrl(workerUrl), { name, type: "module" });
  worker.onerror = () => events.failed();
  worker.onmessage = hear;
  return { kind, post: (message) => worker.postMessage(message), close: () => worker.terminate() };
};

/** Starts workers once `when` resolves, because starting one keeps a core busy while the first rows are drawn. */
export function openWhen(open: OpenWorker, when: Promise<void>): OpenWorker {
  return (kind, name, events) => {
    let port: WorkerPort | undefined;
    let isClosed = false;
    const early: unknown[] = [];
    void when.then(() => {
      if (isClosed) return;
      port = open(kind, name, events);
      for (const message of early.splice(0)) port.post(message);
    });
    return {
      kind,
      post: (message) => (port ? port.post(message) : void early.push(message)),
      close() {
        isClosed = true;
        port?.close();
      },
    };
  };
}

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
