/**
 * Whether notifications can be shown: `ask` until the user said something; `plain`: no secure context; `install`: only from
 * the home screen (iOS).
 */
export type Permission = "granted" | "ask" | "blocked" | "plain" | "install" | "unsupported";

/** Where the user forbids sites to store anything, Firefox has service workers and refuses each use of them. */
let isRefused = false;

/** What the browser says now. */
function read(): Permission {
  if (!isSecureContext) return "plain";
  if (!("Notification" in globalThis)) {
    // Safari on iOS has it in installed apps alone; nobody else knows this property.
    return "standalone" in navigator && navigator.standalone === false ? "install" : "unsupported";
  }
  if (isRefused || !("serviceWorker" in navigator)) return "unsupported";
  const { permission } = Notification;
  return permission === "default" ? "ask" : permission === "denied" ? "blocked" : "granted";
}

let current = $state(read());

/** What the browser says of notifications; renewed when that changes, in this tab or another. */
export function permission(): Permission {
  return current;
}

/** Asks the user. Only after a press: browsers refuse for good who asks unasked. */
export async function askPermission(): Promise<Permission> {
  if (read() === "ask") await Notification.requestPermission();
  current = read();
  return current;
}

/** Follows what is decided in other tabs and in the browser's settings. */
export async function followPermission(): Promise<void> {
  if (current === "plain" || current === "unsupported" || current === "install") return;
  navigator.serviceWorker.ready.catch((error: unknown) => {
    if (!(error instanceof DOMException)) throw error;
    isRefused = true;
    current = read();
  });
  try {
    const status = await navigator.permissions.query({ name: "notifications" });
    status.addEventListener("change", () => (current = read()));
    // It may have changed before anybody listened.
    current = read();
  } catch (error) {
    // A browser that does not tell: what is decided elsewhere is seen at the next start.
    if (!(error instanceof TypeError)) throw error;
  }
}
