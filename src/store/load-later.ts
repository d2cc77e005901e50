import type * as Later from "./later";
import { StoreFailure } from "./store-error";

/** Fetches what is not needed to receive messages. Without it the work fails as where the database can't be written. */
export async function loadLater(): Promise<typeof Later> {
  try {
    return await import("./later");
  } catch (thrown) {
    throw new StoreFailure({ kind: "failed", text: String(thrown) });
  }
}
