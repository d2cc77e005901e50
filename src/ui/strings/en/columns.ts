import { count, timeOfDay } from "../format";

/** Columns side by side, and the wall. */
export const columns = {
  add: "Add a column",
  addLabel: "What to show",
  choices: "What a column can show",
  noChoice: "Nothing matches.",
  kinds: { view: "Saved view", server: "Server" },
  menu: (title: string) => `Actions for the column ${title}`,
  filter: "Filter this column",
  alone: "Show alone",
  before: "Move towards the start",
  after: "Move towards the end",
  wider: "Wider",
  narrower: "Narrower",
  remove: "Remove column",
  removed: "Column removed",
  wall: "Show as a wall",
  none: "No columns yet.",
  notSubscribed: (names: string) => `Not subscribed to ${names}`,
  subscribe: "Subscribe…",
};

export const wall = {
  label: "Wall",
  leave: "Leave the wall",
  full: "Full screen",
  noFull: "The browser can't show this page full screen.",
  mayTurnOff: "This browser can't keep the screen on: the device decides when it turns off.",
  isRefused: "The device won't keep the screen on now, perhaps to save power.",
  empty: "Nothing here",
  stale: (said: string) => `No contact since ${said}. This may be out of date.`,
  never: "No contact yet. This may be out of date.",
  /** Messages of one day that repeat each other in a row, of which the newest is shown. */
  repeats: (n: number, firstMs: number) => `×${count(n)} since ${timeOfDay(firstMs)}`,
};
