import type { Translation } from "../catalogue";
import { bytes, count, duration, moment, momentWithTime } from "../format";
import { counted } from "./formats";

/** The feed and its messages, as they are first shown. Times in ms. */
export const feed: Translation["appStrings"]["feed"] = {
  label: "الرسائل",
  loading: "جارٍ التحميل…",
  searching: (backTo, now) => `جارٍ البحث، وصل حتى الآن إلى ${moment(backTo, now, "within")}`,
  end: "لا شيء أقدم مخزّن",
  message: {
    unread: "غير مقروءة",
    starred: "مميزة بنجمة",
    due: (left, at, now) => `بعد ${duration(left)} · ${momentWithTime(at, now, "within")}`,
    select: (title) => `تحديد ${title}`,
    showAll: "عرض الكل",
    showLess: "عرض أقل",
    binary: (sizeBytes) => `${bytes(sizeBytes)} من البيانات الثنائية`,
    unseen: (n) => `${count(n, counted("محرف واحد", "محرفان", "محارف", "محرفًا", "محرف"))}، لا يظهر منها شيء`,
  },
};
