import { count, duration } from "../format";

const part = (n: number, isPart: boolean) => `${count(n)}${isPart ? "+" : ""}`;

/** What came while one was away. Lengths of time in ms. */
export const away = {
  heading: (ms: number) => `While you were away · ${duration(ms)}`,
  putAway: "Put away",
  urgent: (n: number, isPart: boolean) => `${part(n, isPart)} urgent`,
  high: (n: number, isPart: boolean) => `${part(n, isPart)} high`,
  others: (n: number, isPart: boolean) => `${part(n, isPart)} ${n === 1 && !isPart ? "other" : "others"}`,
  topic: (name: string, n: number) => `${name} ${count(n)}`,
  moreTopics: (n: number) => count(n, { one: "more topic", other: "more topics" }),
  show: "Show",
  markRead: "Mark read",
};
