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

export const openWorker: OpenWorker = (kind, name, events) => {
  let worker: SharedWorker | Worker;
  try {
    worker = new (kind === "shared" ? SharedWorker : Worker)(trustedScriptUrl(workerUrl), { name, type: "module" });
  } catch {
    // Thrown for a shared one if the user forbids sites to store anything. The caller doesn't have the port yet, so this
    // is reported a moment later.
    queueMicrotask(() => events.failed());
    return { post: () => undefined, close: () => undefined };
  }
  const port = "port" in worker ? worker.port : worker;
  worker.onerror = () => events.failed();
  port.onmessage = (event: MessageEvent) => events.message(event.data);
  return {
    post: (message) => port.postMessage(message),
    close: () => ("close" in port ? port.close() : port.terminate()),
  };
};

/** Named in the Content-Security-Policy. Created once, because a name can't be used twice. */
let policy: ScriptUrlPolicy | undefined;

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
