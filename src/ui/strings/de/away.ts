import type { StringCatalogue } from "../catalogue";
import { count, duration } from "../format";

/** What came while the user was away. Lengths of time in ms. */
export const away: StringCatalogue["away"] = {
  heading: (ms) => `Während du weg warst · ${duration(ms)}`,
  putAway: "Ausblenden",
  newest: (n, unread, urgent) =>
    `Die ${count(n)} neuesten von ${count(unread)} ungelesenen${urgent > 0 ? `; ${count(urgent)} von allen sind hoch oder dringend` : ""}`,
  urgent: (n) => `${count(n)} dringend`,
  high: (n) => `${count(n)} hoch`,
  others: (n) => `${count(n)} andere`,
  topic: (name, n) => `${name} ${count(n)}`,
  moreTopics: (n) => count(n, { one: "weiteres Thema", other: "weitere Themen" }),
  show: "Anzeigen",
  markRead: "Als gelesen markieren",
};
