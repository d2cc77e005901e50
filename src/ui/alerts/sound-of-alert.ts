import { decodeSounds, soundOf, type StoredMessage } from "../../contract";
import type { Priority } from "../../protocol";
import type { App } from "../state/app.svelte";

/** After a sound only a message of higher priority is heard for this long, ms. */
const REST_MS = 2_000;

/** The sounds of this page. As each alert is handed to one tab alone, only one tab sounds. */
export class AlertSounds {
  readonly #app: App;
  #lastMs = -Infinity;
  #lastPriority: Priority = 1;
  #hasTold = false;

  constructor(app: App) {
    this.#app = app;
  }

  /** Plays the sound of messages whose alert is about to be shown. Resolves to whether the app makes it, not the system. */
  async play(rows: readonly StoredMessage[]): Promise<boolean> {
    const sound = soundOf(decodeSounds(this.#app.catalogue.settings.sounds), rows);
    if (!sound) return false;
    const nowMs = performance.now();
    if (nowMs - this.#lastMs < REST_MS && sound.priority <= this.#lastPriority) return true;
    // Without that code the system makes its own sound.
    const part = await import("./sounds").catch(() => undefined);
    const isHeard = (await part?.playSound(sound.name)) ?? false;
    if (isHeard) {
      this.#lastMs = nowMs;
      this.#lastPriority = sound.priority;
    } else await this.#tell();
    return isHeard;
  }

  /** Says once why nothing was heard. */
  async #tell(): Promise<void> {
    if (this.#hasTold) return;
    this.#hasTold = true;
    const { alertRuleStrings } = await import("../strings/alert-rules");
    this.#app.notices.show({ text: alertRuleStrings.sounds.notAllowed });
  }
}
