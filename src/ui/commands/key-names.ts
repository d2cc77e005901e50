import { commandStrings } from "../strings";

/** Whether keyboards of this device have a Command key. */
function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** Keys for display: a list of strokes, each a list of keys held together. `Shift+j` becomes Shift and J. */
export function keyNames(keys: string, apple = isApple()): string[][] {
  const names: Readonly<Record<string, string | undefined>> = commandStrings.keys.names;
  return keys.split(" ").map((stroke) =>
    stroke.split(/\+(?=.)/).map((key) => {
      if (key === "Mod") return names[apple ? "ModApple" : "Mod"] ?? key;
      return names[key] ?? (stroke.length > 1 ? key.toUpperCase() : key);
    }),
  );
}
