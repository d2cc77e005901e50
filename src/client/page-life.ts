import type { HubConnection } from "./hub-connection";

/** Tells the hub when the page is in sight, thawed, online, offline or frozen. Returns a function that stops this. */
export function followPage(hub: HubConnection): () => void {
  const over = new AbortController();
  const on = (target: EventTarget, name: string, react: (event: Event) => void): void =>
    target.addEventListener(name, react, { signal: over.signal });
  const cameBack = (): void => void hub.send("resume", {});
  const isVisible = (): boolean => document.visibilityState === "visible";

  on(document, "visibilitychange", () => {
    hub.setVisible(isVisible());
    if (isVisible()) cameBack();
  });
  on(document, "freeze", () => hub.putAside());
  on(document, "resume", () => {
    hub.comeBack();
    cameBack();
  });
  on(window, "pagehide", () => hub.putAside());
  on(window, "pageshow", (event) => {
    if (!(event as PageTransitionEvent).persisted) return;
    hub.comeBack();
    cameBack();
  });
  on(window, "online", () => void hub.send("setOnline", { online: true }));
  on(window, "offline", () => void hub.send("setOnline", { online: false }));
  if (!navigator.onLine) void hub.send("setOnline", { online: false });
  if (!isVisible()) hub.setVisible(false);
  return () => over.abort();
}
