import { count, duration } from "../format";

/** What came while the user was away. Lengths of time in ms. */
export const away = {
  heading: (ms: number) => `While you were away · ${duration(ms)}`,
  putAway: "Dismiss",
  /** Used if there are too many to read: how many are unread, and how many of those are of high priority or urgent. */
  newest: (n: number, unread: number, urgent: number) =>
    `The ${count(n)} newest of ${count(unread)} unread${urgent > 0 ? `; ${count(urgent)} of all are high or urgent` : ""}`,
  urgent: (n: number) => `${count(n)} urgent`,
  high: (n: number) => `${count(n)} high`,
  others: (n: number) => count(n, { one: "other", other: "others" }),
  topic: (name: string, n: number) => `${name} ${count(n)}`,
  moreTopics: (n: number) => count(n, { one: "more topic", other: "more topics" }),
  show: "Show",
  markRead: "Mark read",
};
