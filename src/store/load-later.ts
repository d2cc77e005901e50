import type * as Later from "./later";
import { StoreFailure } from "./store-error";

/**
 * Loads what isn't needed to receive messages. If that fails, the work fails as if the database couldn't be written.
 */
export async function loadLater(): Promise<typeof Later> {
  try {
    return await import("./later");
  } catch (thrown) {
    throw new StoreFailure({ kind: "failed", text: String(thrown) });
  }
}
