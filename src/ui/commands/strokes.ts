/** What a key event tells, as far as commands go. */
export interface Stroke {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  /** The third level of a keyboard, by which some write `#` or `/`. */
  altGraph: boolean;
}

/**
 * A key as commands name it: `j`, `Shift+j`, `?`, `Mod+k`, `Shift+ArrowDown`. Signs are named by what they write, as they lie
 * elsewhere on every keyboard; letters by their letter in capitals or not, and where the keyboard writes no Latin letters,
 * by their place. Undefined for a modifier alone, and for what belongs to system or browser.
 */
export function strokeName(stroke: Stroke): string | undefined {
  const { key, code, altGraph, shiftKey } = stroke;
  const isSign = key.length === 1 && !/[a-z]/i.test(key);
  // Windows reports the third level as Ctrl and Alt.
  const isMod = (stroke.ctrlKey || stroke.metaKey) && !(altGraph && isSign);
  if (["Control", "Meta", "Alt", "Shift", "AltGraph", "CapsLock", "Dead", "Process", "Unidentified"].includes(key)) {
    return undefined;
  }
  // Apple's keyboards write some signs with Alt.
  if (stroke.altKey && (!isSign || isMod)) return undefined;
  const mod = isMod ? "Mod+" : "";
  const [, place] = /^Key([A-Z])$/.exec(code) ?? [];
  const letter = isSign && /\p{L}/u.test(key) ? place : /^[a-z]$/i.test(key) ? key : undefined;
  if (letter !== undefined) return `${mod}${shiftKey ? "Shift+" : ""}${letter.toLowerCase()}`;
  if (isSign) return `${mod}${key}`;
  return `${mod}${shiftKey ? "Shift+" : ""}${key}`;
}

/** Whether a key of a command is nothing but letters and signs, so that speech or a slip of a finger can press it. */
export function isSingle(keys: string): boolean {
  return keys.split(" ").every((stroke) => [...stroke.replace("Shift+", "")].length === 1);
}
