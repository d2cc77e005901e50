import { keptCopy } from "../../../client";
import { keyText, type MessageKey, type WhyNotKept } from "../../../contract";
import type { App } from "../../state/app.svelte";

export interface KeptFile {
  /** Whether the device was asked. */
  isLooked: boolean;
  isKept: boolean;
  /** Its size; absent = not known yet. */
  bytes?: number | undefined;
  /** Why it isn't kept; absent = not asked or not tried. */
  whyNot?: WhyNotKept | undefined;
}

/**
 * Looks for a message's file on this device, and again whenever the hub reports a change. Call it while a component is
 * being created; the returned function is reactive.
 * @param asksMore whether the caller needs a kept file's size, or why none is kept
 */
export function keptFileOf(
  app: App,
  key: () => MessageKey | undefined,
  asksMore: (isKept: boolean) => boolean,
): () => KeptFile {
  let known = $state.raw<KeptFile>({ isLooked: key() === undefined, isKept: false });

  $effect(() => {
    const of = key();
    if (!of) return;
    /** The card is gone, or shows another message. */
    let isOver = false;
    const look = async (): Promise<void> => {
      const isKept = (await keptCopy(of)) !== undefined;
      if (isOver) return;
      // A card that shows kept files looks at once, so it doesn't ask for a press first.
      const answer = asksMore(isKept) ? await app.client.send("keptFile", { key: of }) : undefined;
      if (isOver) return;
      const state = answer?.ok ? answer.value : undefined;
      known = {
        isLooked: true,
        isKept,
        bytes: state?.kind === "kept" ? state.bytes : undefined,
        whyNot: !isKept && state?.kind === "not-kept" ? state.why : undefined,
      };
    };
    void look();
    const stop = app.client.listen((event) => {
      if (event.kind === "files" && event.keys.some((each) => keyText(each) === keyText(of))) void look();
    });
    return () => {
      isOver = true;
      stop();
    };
  });

  return () => known;
}
