import type { Priority } from "./message";

/** The priority of a message without one (docs/protocol.md §6). */
export const DEFAULT_PRIORITY: Priority = 3;

/** The name that we write for each priority (docs/protocol.md §5); `max` is read as another name for 5. */
export const PRIORITY_NAMES: Readonly<Record<Priority, string>> = {
  1: "min",
  2: "low",
  3: "default",
  4: "high",
  5: "urgent",
};

/** Whether a value from outside is a priority. */
export function isPriority(value: unknown): value is Priority {
  return value === 1 || value === 2 || value === 3 || value === 4 || value === 5;
}

/** Reads a priority's number or name, in any case and with blanks around it (docs/protocol.md §5). */
export function parsePriority(text: string): Priority | undefined {
  const written = text.trim().toLowerCase();
  if (written === "max") return 5;
  return ([1, 2, 3, 4, 5] as const).find((one) => written === String(one) || written === PRIORITY_NAMES[one]);
}
