import type { Translation } from "../catalogue";

/** Jumps within a feed. */
export const jump: Translation["jump"] = {
  heading: "الانتقال إلى تاريخ",
  menu: "الانتقال إلى تاريخ…",
  date: "التاريخ",
  yesterday: "أمس",
  go: "انتقال",
  unread: "أقدم رسالة غير مقروءة",
  oldest: "أقدم رسالة",
  newest: "أحدث رسالة",
  toUnread: "الانتقال إلى أقدم رسالة غير مقروءة",
  unreadFromHere: "غير مقروءة من هنا إلى أعلى",
};
