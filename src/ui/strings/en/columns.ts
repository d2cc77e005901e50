/** Columns side by side, and the wall. */
export const columns = {
  add: "Add a column",
  addLabel: "What to show",
  choices: "What a column can show",
  noChoice: "Nothing is called that.",
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
  wall: "Show on a wall",
  none: "No columns yet.",
  notSubscribed: (names: string) => `Not subscribed to ${names}`,
  subscribe: "Open the question",
};

export const wall = {
  label: "Wall",
  leave: "Leave the wall",
  full: "Full screen",
  noFull: "The browser does not fill the screen with this page.",
  mayTurnOff: "This browser lets no page keep the screen on: the device decides when it turns off.",
  isRefused: "The device does not keep the screen on now, to save power, say.",
  empty: "Nothing here",
  stale: (said: string) => `No contact since ${said}: what stands here may be old.`,
  never: "No contact yet: what stands here may be old.",
};
