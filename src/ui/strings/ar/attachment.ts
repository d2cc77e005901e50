import type { Translation } from "../catalogue";
import { bytes, count, duration, inOneUnit } from "../format";

/** Files that come with messages. Lengths of time in ms, sizes in bytes. */
export const attachment: Translation["attachment"] = {
  load: "تحميل الصورة",
  play: "تشغيل",
  show: "إظهار النص",
  hide: "إخفاء النص",
  from: (host) => `من ${host}`,
  on: (host) => `على ${host}`,
  expiresIn: (ms) => `على الخادم لمدة ${duration(inOneUnit(ms))} أخرى`,
  gone: "لم يعد على الخادم",
  file: "ملف",
  size: bytes,
  failed: {
    image: "يتعذر عرضه: غير موجود أو ليس صورة",
    audio: "يتعذر تشغيله: غير موجود أو بتنسيق لا يعرفه هذا المتصفح",
    video: "يتعذر تشغيله: غير موجود أو بتنسيق لا يعرفه هذا المتصفح",
  },
  tryAgain: "إعادة المحاولة",
  kept: "محفوظ على هذا الجهاز",
  notKept: {
    gone: "حذفه الخادم قبل أن يمكن حفظه",
    refused: "لم يُحفظ: طلب الخادم تسجيل الدخول",
    "too-large": "لم يُحفظ: أكبر من الحد المسموح للملفات",
    "no-room": "لم يُحفظ: نفدت المساحة المخصصة للملفات",
    "disk-full": "لم يُحفظ: لم تبقَ مساحة على هذا الجهاز",
    deleted: "لم يُحفظ: حذفتَ الملف المحفوظ",
    failed: "لم يُحفظ: لم يأتِ رد، أو أتى رد ليس هو الملف",
  },
  save: "حفظ",

  image: {
    enlarge: (name) => `تكبير ${name}`,
    zoomIn: "تكبير",
    zoomOut: "تصغير",
    fit: "ملاءمة",
    zoom: (percent) => `${count(percent)}%`,
    open: "فتح في علامة تبويب جديدة",
    previous: "الصورة السابقة",
    next: "الصورة التالية",
    save: "حفظ الصورة",
    share: "مشاركة الصورة",
    loading: "جارٍ التحميل…",
    view: "صورة؛ تحركها مفاتيح الأسهم، ويغيّر + و− حجمها",
  },

  text: {
    reading: "جارٍ القراءة…",
    first: (shown, total) => (total === undefined ? `أول ${bytes(shown)}` : `أول ${bytes(shown)} من ${bytes(total)}`),
    empty: "الملف فارغ",
    none: "هذا ليس نصًا",
    gone: "لم يعد على الخادم",
    failed: "تتعذر قراءته هنا: لم يأتِ رد، أو أن مضيفه لا يسمح لهذه الصفحة بقراءته",
  },
};
