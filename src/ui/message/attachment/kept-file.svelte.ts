import { keptCopy, type KeptCopy } from "../../../client";
import { keyText, type MessageKey, type WhyNotKept } from "../../../contract";
import type { App } from "../../state/app.svelte";

/** What is known of a message's file on this device. */
export interface KeptFile {
  /** Whether the device was asked; if so and `copy` is absent, no file is kept. */
  readonly isLooked: boolean;
  readonly copy: KeptCopy | undefined;
  /** Its size; Infinity = not known yet. */
  readonly bytes: number;
  /** Why it isn't kept; absent = not asked or not tried. */
  readonly whyNot: WhyNotKept | undefined;
}

/**
 * Looks for a message's file on this device, and again whenever the hub reports a change. Call it while a component is
 * made.
 * @param asksMore whether the caller needs a kept file's size, or why none is kept
 */
export function keptFileOf(
  app: App,
  key: () => MessageKey | undefined,
  asksMore: (isKept: boolean) => boolean,
): KeptFile {
  let isLooked = $state(key() === undefined);
  let copy = $state.raw<KeptCopy>();
  let bytes = $state(Infinity);
  let whyNot = $state<WhyNotKept>();

  /** @param isOver the card is gone, or shows another message */
  async function look(of: MessageKey, isOver: () => boolean): Promise<void> {
    const found = await keptCopy(of);
    if (isOver()) return;
    // A card that shows kept files looks at once, so it doesn't ask for a press first.
    const answer = asksMore(found !== undefined) ? await app.client.send("keptFile", { key: of }) : undefined;
    if (isOver()) return;
    const state = answer?.ok ? answer.value : undefined;
    copy = found;
    bytes = state?.kind === "kept" ? state.bytes : Infinity;
    whyNot = !found && state?.kind === "not-kept" ? state.why : undefined;
    isLooked = true;
  }

  $effect(() => {
    const of = key();
    if (!of) return;
    let hasEnded = false;
    const isOver = (): boolean => hasEnded;
    void look(of, isOver);
    const stop = app.client.listen((event) => {
      if (event.kind === "files" && event.keys.some((each) => keyText(each) === keyText(of))) void look(of, isOver);
    });
    return () => {
      hasEnded = true;
      stop();
    };
  });

  return {
    get isLooked() {
      return isLooked;
    },
    get copy() {
      return copy;
    },
    get bytes() {
      return bytes;
    },
    get whyNot() {
      return whyNot;
    },
  };
}
