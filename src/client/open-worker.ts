// This imports the address of the entry, not its code.
import workerUrl from "../worker/worker?worker&url";

/** Whether all tabs have one worker, or each its own. */
export type WorkerKind = "shared" | "dedicated";

/** The page's end of a connection to a worker: the port of a shared one, or its own worker. */
export interface WorkerPort {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
  close(): void;
}

/** Starts a worker, or joins the one with that name. @param failed called if it couldn't be loaded */
export type OpenWorker = (kind: WorkerKind, name: string, failed: () => void) => WorkerPort;

export const openWorker: OpenWorker = (kind, name, failed) => {
  try {
    const worker = new (kind === "shared" ? SharedWorker : Worker)(trustedScriptUrl(workerUrl), {
      name,
      type: "module",
    });
    worker.onerror = failed;
    return "port" in worker ? worker.port : Object.assign(worker, { close: () => worker.terminate() });
  } catch {
    // Thrown for a shared one if the user forbids sites to store anything. The caller doesn't have the port yet, so this
    // is reported a moment later.
    queueMicrotask(failed);
    return { postMessage: () => undefined, onmessage: null, close: () => undefined };
  }
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
