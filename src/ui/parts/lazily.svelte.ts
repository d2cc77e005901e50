import { firstRows } from "../state/first-rows";
import { shellWanted } from "../state/shell-wanted";

/** Code that is loaded by itself once the first rows are drawn, and on a first visit once it is wanted; see `lazily`. */
export function deferred<Module>(load: () => Promise<Module>): () => Module | undefined {
  return lazily(async () => {
    await firstRows;
    await shellWanted;
    return load();
  });
}

/**
 * Code that comes when it is first asked for. The returned function answers it, or undefined until it came; asking starts
 * that. Once here, it is here at once.
 */
export function lazily<Module>(load: () => Promise<Module>): () => Module | undefined {
  let loaded = $state.raw<Module>();
  let isAsked = false;

  async function read(): Promise<void> {
    isAsked = true;
    try {
      loaded = await load();
    } catch {
      // Offline before the code was ever kept: whoever asks does without until there is a network again.
      addEventListener("online", () => void read(), { once: true });
    }
  }

  return () => {
    if (!isAsked) void read();
    return loaded;
  };
}
