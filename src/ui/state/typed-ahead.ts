import type { DialogRequest } from "./dialogs.svelte";

/** Most keys that are kept for one dialog: more than anyone types while its code loads. */
const MAX_KEYS = 200;

/** The keys that were pressed for a dialog before it was on the screen, in order. */
let kept: { dialog: DialogRequest; keys: string[] } | undefined;

/** Keeps a key for a dialog that is loading, if the key types, deletes or chooses. */
export function keepKey(dialog: DialogRequest, key: string): boolean {
  if ([...key].length !== 1 && key !== "Backspace" && key !== "Enter") return false;
  if (kept?.dialog !== dialog) kept = { dialog, keys: [] };
  if (kept.keys.length < MAX_KEYS) kept.keys.push(key);
  return true;
}

/** Types the kept keys into a dialog's first field, as if it had been there in time. What is no text field gets none. */
export function typeKept(field: HTMLElement | null): void {
  const keys = kept?.keys ?? [];
  kept = undefined;
  const isText = field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && field.type === "text");
  if (!isText) return;
  for (const key of keys) {
    if (key === "Enter") field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    else {
      field.value = key === "Backspace" ? [...field.value].slice(0, -1).join("") : field.value + key;
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
  }
}
