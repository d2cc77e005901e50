import type { StringCatalogue } from "../catalogue";

/** Jumps within a feed. */
export const jump: StringCatalogue["jump"] = {
  heading: "Zu einem Tag springen",
  menu: "Zu einem Tag springen …",
  date: "Tag",
  go: "Springen",
  yesterday: "Gestern",
  unread: "Älteste ungelesene Nachricht",
  oldest: "Älteste Nachricht",
  newest: "Neueste Nachricht",
  toUnread: "Zur ältesten ungelesenen Nachricht springen",
  unreadFromHere: "Ab hier nach oben ungelesen",
};
