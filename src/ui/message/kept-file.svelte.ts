import { keptCopy, type KeptCopy } from "../../client";
import { keyText, type MessageKey, type WhyNotKept } from "../../contract";
import type { App } from "../state/app.svelte";

/** What is known of a message's file on this device. */
export interface KeptFile {
  /** The device was asked: if `copy` is absent, no file is kept. */
  readonly isLooked: boolean;
  readonly copy: KeptCopy | undefined;
  /** Why it is not there; absent = nobody asked, or it was not tried. */
  readonly whyNot: WhyNotKept | undefined;
}

/**
 * Looks for a message's file on this device, and again whenever the hub says that it has changed. Call it while a component is
 * made.
 * @param asksWhy whether the caller needs to know why no file is kept
 */
export function keptFileOf(app: App, key: () => MessageKey | undefined, asksWhy: () => boolean): KeptFile {
  let isLooked = $state(key() === undefined);
  let copy = $state.raw<KeptCopy>();
  let whyNot = $state<WhyNotKept>();

  async function look(of: MessageKey): Promise<void> {
    copy = await keptCopy(of);
    isLooked = true;
    if (copy || !asksWhy()) return;
    const answer = await app.client.send("keptFile", { key: of });
    whyNot = answer.ok && answer.value?.kind === "not-kept" ? answer.value.why : undefined;
  }

  $effect(() => {
    const of = key();
    if (!of) return;
    void look(of);
    return app.client.listen((event) => {
      if (event.kind === "files" && event.keys.some((each) => keyText(each) === keyText(of))) void look(of);
    });
  });

  return {
    get isLooked() {
      return isLooked;
    },
    get copy() {
      return copy;
    },
    get whyNot() {
      return whyNot;
    },
  };
}
