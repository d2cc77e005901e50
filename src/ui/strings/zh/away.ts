import type { Translation } from "../catalogue";
import { count, duration } from "../format";

/** What came while the user was away. Lengths of time in ms. */
export const away: Translation["away"] = {
  heading: (ms) => `你离开期间 · ${duration(ms)}`,
  putAway: "关闭",
  newest: (n, unread, urgent) =>
    `${count(unread)} 条未读中最新的 ${count(n)} 条${urgent > 0 ? `；全部未读中有 ${count(urgent)} 条为高或紧急` : ""}`,
  urgent: (n) => `${count(n)} 条紧急`,
  high: (n) => `${count(n)} 条高优先级`,
  others: (n) => `${count(n)} 条其他`,
  topic: (name, n) => `${name} ${count(n)}`,
  moreTopics: (n) => `另有 ${count(n)} 个主题`,
  show: "查看",
  markRead: "标为已读",
};
