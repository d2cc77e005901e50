import { commandStrings } from "../strings";

/** The part of a key event that commands need. */
export type Stroke = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "getModifierState"
>;

/**
 * A key as commands name it: `j`, `Shift+j`, `?`, `Mod+k`, `Shift+ArrowDown`. Signs are named by the character typed,
 * since keyboards differ; letters regardless of case, or by position if the keyboard types no Latin letters. Undefined
 * for a modifier alone, and for keys of the system or browser.
 */
export function strokeName(stroke: Stroke): string | undefined {
  const { key, code, shiftKey } = stroke;
  const isSign = key.length === 1 && !/[a-z]/i.test(key);
  // With AltGr some keyboards type `#` or `/`; Windows reports it as Ctrl and Alt.
  const isMod = (stroke.ctrlKey || stroke.metaKey) && !(isSign && stroke.getModifierState("AltGraph"));
  if (["Control", "Meta", "Alt", "Shift", "AltGraph", "CapsLock", "Dead", "Process", "Unidentified"].includes(key)) {
    return undefined;
  }
  // Apple's keyboards type some signs with Alt.
  if (stroke.altKey && (!isSign || isMod)) return undefined;
  const mod = isMod ? "Mod+" : "";
  const [, place] = /^Key([A-Z])$/.exec(code) ?? [];
  const letter = isSign && /\p{L}/u.test(key) ? place : /^[a-z]$/i.test(key) ? key : undefined;
  if (letter !== undefined) return `${mod}${shiftKey ? "Shift+" : ""}${letter.toLowerCase()}`;
  if (isSign) return `${mod}${key}`;
  return `${mod}${shiftKey ? "Shift+" : ""}${key}`;
}

/** Whether keys are only letters and signs, which speech input or a slip of a finger can trigger. */
export function isSingle(keys: string): boolean {
  return keys.split(" ").every((stroke) => [...stroke.replace("Shift+", "")].length === 1);
}

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
