import { firstRows } from "../state/first-rows";
import { shellWanted } from "../state/shell-wanted";

/** Code that comes when it is first asked for. */
interface Lazy<Module> {
  /** Answers it, or undefined until it came; asking starts that. Once here, it is here at once. */
  (): Module | undefined;
  /** Loads it; resolves once it is here, or can't be loaded now. */
  come(): Promise<void>;
}

/** Code that is loaded by itself once the first rows are drawn, and on a first visit once it is wanted; see `lazily`. */
export function deferred<Module>(load: () => Promise<Module>): Lazy<Module> {
  return lazily(async () => {
    await firstRows;
    await shellWanted;
    return load();
  });
}

/** Returns a function for code that comes when it is first asked for. */
export function lazily<Module>(load: () => Promise<Module>): Lazy<Module> {
  let loaded = $state.raw<Module>();
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    try {
      loaded = await load();
    } catch {
      // Offline before the code was ever kept: whoever asks does without until there is a network again.
      addEventListener("online", () => void read(), { once: true });
    }
  }

  const come = () => (reading ??= read());
  return Object.assign(() => (void come(), loaded), { come });
}
