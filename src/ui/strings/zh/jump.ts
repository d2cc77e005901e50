import type { Translation } from "../catalogue";

/** Jumps within a feed. */
export const jump: Translation["jump"] = {
  heading: "跳转到日期",
  menu: "跳转到日期…",
  date: "日期",
  yesterday: "昨天",
  go: "跳转",
  unread: "最早的未读消息",
  oldest: "最早的消息",
  newest: "最新的消息",
  toUnread: "跳转到最早的未读消息",
  unreadFromHere: "由此往上为未读",
};
