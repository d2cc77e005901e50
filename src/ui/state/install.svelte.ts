/** A browser's offer to install the app; few make one, so the standard types lack it. */
interface InstallOffer extends Event {
  /** Asks the user; works once. */
  prompt(): Promise<{ outcome: "accepted" | "dismissed" }>;
}

let offer = $state.raw<InstallOffer>();

/** Keeps the browser's offer to install the app until the user asks for it. */
export function startInstallOffer(): void {
  addEventListener("beforeinstallprompt", (event) => {
    // Without this, the browser itself asks on a phone.
    event.preventDefault();
    offer = event as InstallOffer;
  });
  addEventListener("appinstalled", () => (offer = undefined));
}

export function canInstall(): boolean {
  return offer !== undefined;
}

/** Has the browser ask the user. Call it only after a press. */
export async function install(): Promise<void> {
  const asked = offer;
  offer = undefined;
  await asked?.prompt();
}
