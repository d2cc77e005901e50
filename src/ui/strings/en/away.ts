import { count, duration } from "../format";

/** What came while one was away. Lengths of time in ms. */
export const away = {
  heading: (ms: number) => `While you were away · ${duration(ms)}`,
  putAway: "Dismiss",
  /** Too many to read them all: how many are unread in all, and of high priority or urgent among those. */
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
