import { commandStrings } from "../strings/commands";

/** Whether keyboards of this device have a Command key. */
function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** Keys as one reads them, stroke by stroke: each as the keys that are held together. `Shift+j` is Shift and J. */
export function keyNames(keys: string, apple = isApple()): string[][] {
  const { names } = commandStrings.keys;
  return keys.split(" ").map((stroke) =>
    stroke.split(/\+(?=.)/).map((key) => {
      if (key === "Mod") return names[apple ? "ModApple" : "Mod"] ?? key;
      return names[key] ?? (stroke.length > 1 ? key.toUpperCase() : key);
    }),
  );
}

/** Keys as `aria-keyshortcuts` has them; strokes that follow one another can't be said there. */
export function ariaKeys(keys: string): string | undefined {
  return keys.includes(" ") ? undefined : keys.replace("Mod", isApple() ? "Meta" : "Control");
}
