import type { Priority } from "../../../protocol";
import { count } from "../format";
import { start } from "./start";

/** Strings that several screens share. */
export const common = {
  ...start,
  appName: "Earshot",
  more: "More",
  close: "Close",
  cancel: "Cancel",
  save: "Save",
  undo: "Undo",
  copy: "Copy",
  copied: "Copied",
  details: "Details",
  tryNow: "Try now",
  signIn: "Sign in",
  subscribe: "Subscribe",
  messages: (n: number) => count(n, { one: "message", other: "messages" }),
  unread: (n: number) => `${count(n)} unread`,
  urgentUnread: (n: number) => `${count(n)} urgent unread`,
  highUnread: (n: number) => `${count(n)} high unread`,
  topics: (n: number) => count(n, { one: "topic", other: "topics" }),
  servers: (n: number) => count(n, { one: "server", other: "servers" }),
  noSuchMessage: "The message of this link isn't stored on this device.",
  notLoaded: "This part of the app couldn't be loaded.",
  broken: {
    page: "The app can't be shown",
    feed: "These messages can't be shown",
    row: "This message can't be shown",
    dialog: "This dialog can't be shown",
  },
  brokenHint: "This is a fault of the app. Your messages are still stored.",
};

/** Names of the priorities (docs/protocol.md §14). */
export const priority = {
  label: "Priority",
  names: { 1: "Min", 2: "Low", 3: "Default", 4: "High", 5: "Urgent" } satisfies Record<Priority, string>,
};
