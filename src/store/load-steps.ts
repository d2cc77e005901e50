import type * as StepsCode from "./steps-code";
import { StoreFailure } from "./store-error";

/** Loads imports and the table of kept files; a failure is one of the store, as for `loadLazy`. */
export async function loadSteps(): Promise<typeof StepsCode> {
  try {
    return await import("./steps-code");
  } catch (thrown) {
    throw new StoreFailure({ kind: "failed", text: String(thrown) });
  }
}
