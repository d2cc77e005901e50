/**
 * Whether notifications can be shown. `ask`: the user hasn't decided yet; `plain`: the context isn't secure; `install`:
 * only once installed on the home screen (iOS).
 */
export type Permission = "granted" | "ask" | "blocked" | "plain" | "install" | "unsupported";

/** If the user forbids sites to store anything, Firefox offers service workers but refuses every use of them. */
let isRefused = false;

/** The permission as the browser reports it now. */
function read(): Permission {
  // Undefined where the first screens are drawn for the build.
  if (!globalThis.isSecureContext) return "plain";
  if (!("Notification" in globalThis)) {
    // Safari on iOS has notifications only in installed apps; no other browser has `standalone`.
    return "standalone" in navigator && navigator.standalone === false ? "install" : "unsupported";
  }
  const { serviceWorker, locks }: Partial<Navigator> = navigator;
  if (isRefused || !serviceWorker || !locks) return "unsupported";
  const { permission } = Notification;
  return permission === "default" ? "ask" : permission === "denied" ? "blocked" : "granted";
}

let current = $state(read());

const listeners = new Set<() => void>();

function readAgain(): void {
  const before = current;
  current = read();
  if (current !== before) for (const listener of listeners) listener();
}

/** Calls a listener with each change of the permission, for the life of the page. */
export function onPermissionChange(listener: () => void): void {
  listeners.add(listener);
}

/** The permission for notifications; reactive, whether it changes in this tab or another. */
export function permission(): Permission {
  return current;
}

/** Asks the user. Call it only after a press: browsers block for good a site that asks by itself. */
export async function askPermission(): Promise<Permission> {
  if (read() === "ask") await Notification.requestPermission();
  readAgain();
  return current;
}

/** Follows changes to the permission made in other tabs or the browser's settings. */
export async function followPermission(): Promise<void> {
  if (current === "plain" || current === "unsupported" || current === "install") return;
  navigator.serviceWorker.ready.catch((error: unknown) => {
    if (!(error instanceof DOMException)) throw error;
    isRefused = true;
    readAgain();
  });
  // Not every browser reports a change, and users come back here from its settings.
  document.addEventListener("visibilitychange", readAgain);
  try {
    const status = await navigator.permissions.query({ name: "notifications" });
    status.addEventListener("change", readAgain);
    // It may have changed before the listener was added.
    readAgain();
  } catch (error) {
    // This browser doesn't report changes at all.
    if (!(error instanceof TypeError)) throw error;
  }
}
