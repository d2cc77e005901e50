import type { Translation } from "../catalogue";
import { count, timeOfDay } from "../format";
import { counted } from "./formats";

const lines = counted("سطر واحد", "سطران", "أسطر", "سطرًا", "سطر");

/** The live tail of a topic as plain text. */
export const raw: Translation["raw"] = {
  heading: (topic) => `البث الخام: ${topic}`,
  what: "نص مباشر كما أُرسل، سطر لكل رسالة؛ لا يُخزَّن شيء.",
  back: "العودة إلى الرسائل",
  label: "الأسطر",
  ask: (topic, host) => `الاستماع إلى ${topic} على ${host} دون اشتراك؟`,
  start: "بدء",
  states: {
    connecting: "جارٍ الاتصال",
    open: "مباشر",
    waiting: "انتهى الاتصال. تجري إعادة المحاولة.",
    stopped: "متوقف",
  },
  lastSign: (said) => `آخر إشارة ${said}`,
  lines: (n) => count(n, lines),
  left: (n) => `لم يُعرض ${count(n, lines)}`,
  waitingForLines: "لا شيء بعد. كل رسالة جديدة سطر.",
  ended: (atMs) => `انتهى الاتصال ${timeOfDay(atMs)}`,
  again: (atMs) => `عاد الاتصال ${timeOfDay(atMs)}؛ ما أُرسل بينهما غير معروض`,
  pause: "إيقاف مؤقت",
  follow: "متابعة",
  fresh: (n) => `${count(n)} جديدة`,
  copy: "نسخ",
  copyHeading: "انسخ هذه الأسطر",
  copied: "تم نسخ الأسطر",
  clear: "مسح",
};
