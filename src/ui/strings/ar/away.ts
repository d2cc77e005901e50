import type { Translation } from "../catalogue";
import { count, duration } from "../format";

/** What came while the user was away. Lengths of time in ms. */
export const away: Translation["away"] = {
  heading: (ms) => `أثناء غيابك · ${duration(ms)}`,
  putAway: "إخفاء",
  newest: (n, unread, urgent) =>
    `أحدث ${count(n)} من أصل ${count(unread)} غير مقروءة${urgent > 0 ? `؛ ${count(urgent)} منها مرتفعة أو عاجلة` : ""}`,
  urgent: (n) => `${count(n)} عاجلة`,
  high: (n) => `${count(n)} مرتفعة`,
  others: (n) => `${count(n)} أخرى`,
  topic: (name, n) => `${name} ${count(n)}`,
  moreTopics: (n) => `مواضيع أخرى: ${count(n)}`,
  show: "عرض",
  markRead: "تعليم كمقروءة",
};
