/** Whether the screen stays on: `unsupported` without the API (plain http, for instance). */
export type Awake = "asking" | "on" | "refused" | "unsupported";

/** Keeps the screen on while the page is in sight. `stop` ends it. */
export class KeepAwake {
  state = $state<Awake>("asking");
  #lock: WakeLockSentinel | undefined;
  #stopped = false;

  constructor() {
    void this.#ask();
    document.addEventListener("visibilitychange", this.#seen);
  }

  stop(): void {
    this.#stopped = true;
    document.removeEventListener("visibilitychange", this.#seen);
    void this.#lock?.release();
  }

  /** The browser releases the lock whenever the page is hidden. */
  #seen = (): void => {
    if (document.visibilityState === "visible") void this.#ask();
  };

  async #ask(): Promise<void> {
    // Not there without a secure context, whatever the types say.
    const wakeLock = navigator.wakeLock as WakeLock | undefined;
    if (!wakeLock) {
      this.state = "unsupported";
      return;
    }
    try {
      const lock = await wakeLock.request("screen");
      if (this.#stopped) return void lock.release();
      this.#lock = lock;
      this.state = "on";
      lock.addEventListener("release", () => {
        if (this.#lock === lock && !this.#stopped) this.state = "refused";
      });
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      this.state = "refused";
    }
  }
}
