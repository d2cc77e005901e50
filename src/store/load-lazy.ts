import type * as Lazy from "./lazy";
import { StoreFailure } from "./store-error";

/**
 * Loads what isn't needed to receive messages. If that fails, the work fails as if the database couldn't be written.
 */
export async function loadLazy(): Promise<typeof Lazy> {
  try {
    return await import("./lazy");
  } catch (thrown) {
    throw new StoreFailure({ kind: "failed", text: String(thrown) });
  }
}
