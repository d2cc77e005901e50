import type { HubLine } from "./hub-line";

/** Tells the hub what happens to the page: back in sight, thawed, online; put aside or frozen. Ends with the returned function. */
export function followPage(line: HubLine): () => void {
  const ends: (() => void)[] = [];
  const on = (target: EventTarget, name: string, react: (event: Event) => void): void => {
    target.addEventListener(name, react);
    ends.push(() => target.removeEventListener(name, react));
  };
  const resume = (reason: "visible" | "pageshow" | "resume" | "online"): void => void line.send("resume", { reason });
  // Freezing a page does not freeze a shared worker; a page's own stops with it and would keep the lead.
  const letGo = (): void => {
    if (line.kind === "dedicated") void line.send("freeze", {});
  };

  on(document, "visibilitychange", () => {
    const isVisible = document.visibilityState === "visible";
    line.setVisible(isVisible);
    if (isVisible) resume("visible");
  });
  on(document, "freeze", letGo);
  on(document, "resume", () => resume("resume"));
  on(window, "pagehide", letGo);
  on(window, "pageshow", (event) => {
    if ((event as PageTransitionEvent).persisted) resume("pageshow");
  });
  on(window, "online", () => void line.send("setOnline", { online: true }));
  on(window, "offline", () => void line.send("setOnline", { online: false }));
  if (!navigator.onLine) void line.send("setOnline", { online: false });
  if (document.visibilityState !== "visible") line.setVisible(false);
  return () => {
    for (const end of ends) end();
  };
}
