import type { Catalogue } from "../catalogue";
import { count, duration } from "../format";

const part = (n: number, isPart: boolean) => `${count(n)}${isPart ? "+" : ""}`;

/** What came while one was away. Lengths of time in ms. */
export const away: Catalogue["away"] = {
  heading: (ms) => `Während du weg warst · ${duration(ms)}`,
  putAway: "Weglegen",
  urgent: (n, isPart) => `${part(n, isPart)} dringend`,
  high: (n, isPart) => `${part(n, isPart)} hoch`,
  others: (n, isPart) => `${part(n, isPart)} andere`,
  topic: (name, n) => `${name} ${count(n)}`,
  moreTopics: (n) => count(n, { one: "weiteres Thema", other: "weitere Themen" }),
  show: "Zeigen",
  markRead: "Gelesen",
};
