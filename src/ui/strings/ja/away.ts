import type { Translation } from "../catalogue";
import { count, duration } from "../format";

/** What came while the user was away. Lengths of time in ms. */
export const away: Translation["away"] = {
  heading: (ms) => `不在の間に · ${duration(ms)}`,
  putAway: "閉じる",
  newest: (n, unread, urgent) =>
    `未読 ${count(unread)} 件のうち最新 ${count(n)} 件${urgent > 0 ? `。全体のうち ${count(urgent)} 件が高または緊急` : ""}`,
  urgent: (n) => `緊急 ${count(n)} 件`,
  high: (n) => `高 ${count(n)} 件`,
  others: (n) => `その他 ${count(n)} 件`,
  topic: (name, n) => `${name} ${count(n)}`,
  moreTopics: (n) => `ほか ${count(n)} 件のトピック`,
  show: "表示",
  markRead: "既読にする",
};
