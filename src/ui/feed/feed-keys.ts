/** What a key asks the feed to do. */
export type FeedCommand =
  | "next"
  | "previous"
  | "newest"
  | "open"
  | "read"
  | "star"
  | "done"
  | "snooze"
  | "delete"
  | "undo"
  | "search"
  | "leave";

/** Keys that mean something wherever the focus is, but where one types. */
const ANYWHERE: Readonly<Record<string, FeedCommand>> = {
  j: "next",
  k: "previous",
  o: "open",
  u: "read",
  s: "star",
  e: "done",
  h: "snooze",
  b: "snooze",
  z: "undo",
  "#": "delete",
  Delete: "delete",
  "/": "search",
  Escape: "leave",
};

/** Keys that have another meaning outside a message: they scroll, or press what is focused. */
const ON_MESSAGE: Readonly<Record<string, FeedCommand>> = {
  ArrowDown: "next",
  ArrowUp: "previous",
  PageDown: "next",
  PageUp: "previous",
  Home: "newest",
  Enter: "open",
};

/** Elements that use these keys themselves. */
const OWN_KEYS = "input, textarea, select, [contenteditable], [role=menu], [role=tablist], dialog";

interface Situation {
  /** A dialog is open: it has the keyboard. */
  hasDialog: boolean;
  isSelected: boolean;
}

/**
 * The command of a key, if it is one. Page keys go from message to message, as the pattern for feeds has it (WAI-ARIA
 * Authoring Practices, Feed).
 */
export function feedKeys(event: KeyboardEvent, situation: Situation): FeedCommand | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || situation.hasDialog) return undefined;
  const { target } = event;
  if (target instanceof Element && target.closest(OWN_KEYS)) return undefined;
  const command = ANYWHERE[event.key];
  // Escape has nothing to leave when nothing is selected, and may mean something to others.
  if (command) return command === "leave" && !situation.isSelected ? undefined : command;
  const isOnMessage = target instanceof Element && target.matches("article, body");
  return isOnMessage ? ON_MESSAGE[event.key] : undefined;
}
