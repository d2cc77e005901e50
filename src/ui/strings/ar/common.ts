import type { Translation } from "../catalogue";
import { count } from "../format";
import { MESSAGES, counted } from "./formats";

/** Strings that several screens share. */
export const common: Translation["appStrings"]["common"] = {
  appName: "Earshot",
  close: "إغلاق",
  cancel: "إلغاء",
  save: "حفظ",
  undo: "تراجع",
  copy: "نسخ",
  copied: "تم النسخ",
  details: "التفاصيل",
  more: "المزيد",
  tryAgain: "إعادة المحاولة",
  tryNow: "المحاولة الآن",
  signIn: "تسجيل الدخول",
  subscribe: "اشتراك",
  messages: (n) => count(n, MESSAGES),
  unread: (n) => `${count(n)} غير مقروءة`,
  urgentUnread: (n) => `${count(n)} عاجلة غير مقروءة`,
  highUnread: (n) => `${count(n)} مرتفعة غير مقروءة`,
  topics: (n) => count(n, counted("موضوع واحد", "موضوعان", "مواضيع", "موضوعًا", "موضوع")),
  servers: (n) => count(n, counted("خادم واحد", "خادمان", "خوادم", "خادمًا", "خادم")),
  noSuchMessage: "رسالة هذا الرابط غير مخزّنة على هذا الجهاز.",
  notLoaded: "تعذر تحميل هذا الجزء من التطبيق.",
  noStart: "تعذر تشغيل Earshot.",
};

/** Names of the priorities (docs/protocol.md §14). */
export const priority: Translation["appStrings"]["priority"] = {
  label: "الأولوية",
  names: { 1: "الدنيا", 2: "منخفضة", 3: "عادية", 4: "مرتفعة", 5: "عاجلة" },
};
