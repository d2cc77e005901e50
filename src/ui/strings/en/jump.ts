/** Jumps within a feed. */
export const jump = {
  heading: "Jump to a date",
  menu: "Jump to a date…",
  date: "Date",
  go: "Jump",
  yesterday: "Yesterday",
  unread: "Oldest unread message",
  oldest: "Oldest message",
  newest: "Newest message",
  toUnread: "Jump to the oldest unread message",
  /** A line below the oldest unread message. */
  unreadFromHere: "Unread from here up",
};
