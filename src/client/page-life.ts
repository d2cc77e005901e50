import type { Commands } from "../contract";
import type { HubConnection } from "./hub-connection";

/**
 * In sight, the page looks at the clock this often, ms. If it is this much further on than expected, ms, or has gone
 * back, then it was set or the device slept.
 */
const LOOK_EVERY_MS = 1_000;
const JUMP_MS = 3_000;

/**
 * Tells the hub what happens to the page: back in sight, thawed, online, offline, frozen. The returned function ends
 * this.
 */
export function followPage(hub: HubConnection): () => void {
  const ends: (() => void)[] = [];
  const on = (target: EventTarget, name: string, react: (event: Event) => void): void => {
    target.addEventListener(name, react);
    ends.push(() => target.removeEventListener(name, react));
  };
  const resume = (reason: Commands["resume"]["input"]["reason"]): void => void hub.send("resume", { reason });
  // No event tells that a device woke up if its page stayed in sight. Out of sight nobody waits, so the clock isn't
  // checked.
  let looking: ReturnType<typeof setInterval> | undefined;
  const look = (isVisible: boolean): void => {
    clearInterval(looking);
    let lookedAtMs = Date.now();
    let lateMs = 0;
    const jumped = (): void => {
      const sinceMs = Date.now() - lookedAtMs;
      // A timer about as late as the last time was slowed down to save power; the device didn't sleep.
      const hasJumped = sinceMs < 0 || sinceMs > LOOK_EVERY_MS + JUMP_MS + 2 * lateMs;
      lookedAtMs += sinceMs;
      lateMs = Math.max(0, sinceMs - LOOK_EVERY_MS);
      if (hasJumped) resume("clock");
    };
    if (isVisible) looking = setInterval(jumped, LOOK_EVERY_MS);
  };
  look(document.visibilityState === "visible");
  ends.push(() => clearInterval(looking));

  on(document, "visibilitychange", () => {
    const isVisible = document.visibilityState === "visible";
    look(isVisible);
    hub.setVisible(isVisible);
    if (isVisible) resume("visible");
  });
  on(document, "freeze", () => hub.putAside());
  on(document, "resume", () => {
    hub.comeBack();
    resume("resume");
  });
  on(window, "pagehide", () => hub.putAside());
  on(window, "pageshow", (event) => {
    if (!(event as PageTransitionEvent).persisted) return;
    hub.comeBack();
    resume("pageshow");
  });
  on(window, "online", () => void hub.send("setOnline", { online: true }));
  on(window, "offline", () => void hub.send("setOnline", { online: false }));
  if (!navigator.onLine) void hub.send("setOnline", { online: false });
  if (document.visibilityState !== "visible") hub.setVisible(false);
  return () => {
    for (const end of ends) end();
  };
}
