import { trustedScriptUrl } from "../../client";

/** The worker that receives pushes, and what came in the background; see src/sw/push-worker.ts. */
const WORKER = "./push-sw.js";

/**
 * Registers the worker for a scope. Resolves once it is active, as browsers take neither a subscription to pushes nor one to
 * background sync before.
 */
export async function registerPushWorker(scope: string): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(trustedScriptUrl(WORKER), { scope });
  const { active, waiting, installing } = registration;
  const worker = installing ?? waiting;
  if (active || !worker) return registration;
  await new Promise<void>((resolve) => {
    worker.addEventListener("statechange", () => {
      // A worker that can't be installed is redundant: then subscribing fails, and says so.
      if (worker.state === "activated" || worker.state === "redundant") resolve();
    });
  });
  return registration;
}
