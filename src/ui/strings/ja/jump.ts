import type { Translation } from "../catalogue";

/** Jumps within a feed. */
export const jump: Translation["jump"] = {
  heading: "日付へ移動",
  menu: "日付へ移動…",
  date: "日付",
  yesterday: "昨日",
  go: "移動",
  unread: "最も古い未読メッセージ",
  oldest: "最も古いメッセージ",
  newest: "最新のメッセージ",
  toUnread: "最も古い未読メッセージへ移動",
  unreadFromHere: "ここから上は未読",
};
