import type { Translation } from "../catalogue";
import { count, duration, momentWithTime, timeOfDay } from "../format";
import { MESSAGES, OF_MESSAGES } from "./formats";

/** What was done with some messages: "done: 5 messages", for any number of them. */
const some = (what: string, n: number) => (n === 1 ? what : `${what}: ${count(n, MESSAGES)}`);

/** Text around messages, actions on them, and the filter. Times and durations in ms. */
export const rows: Translation["rows"] = {
  newRows: (n) => `${count(n)} جديدة`,
  newRowsSome: "رسائل جديدة",
  showNew: "عرض الرسائل الجديدة",
  failed: "تتعذر قراءة الرسائل",
  gap: (offline, kept) =>
    kept === undefined
      ? "قد تكون رسائل ناقصة بين"
      : `انقطاع ${duration(offline)}؛ يحتفظ الخادم بالرسائل ${duration(kept)}. قد تكون رسائل ناقصة بين`,
  gapForgot: "فقد الخادم رسائل كان يحتفظ بها. قد تكون رسائل ناقصة بين",
  gapCut: "أكثر مما يرسله الخادم دفعة واحدة. قد تكون رسائل ناقصة بين",
  gapAnd: "و",
  gapAsk: "سؤال الخادم مجددًا",
  gapEnd: (topics) => (topics === undefined ? "." : ` في ${topics}.`),
  gapTime: (at, now) => momentWithTime(at, now, "within"),
  repeats: (n, lastMs, firstMs) => {
    const [last, first] = [timeOfDay(lastMs), timeOfDay(firstMs)];
    return `×${count(n)}، آخرها ${last}${first === last ? "" : `، وأولها ${first}`}`;
  },
  repeatsOpen: "عرض الكل",
  filter: {
    label: "البحث والتصفية",
    placeholder: (n) =>
      `البحث${n ? ` في ${count(n, OF_MESSAGES)}` : ""}، أو التصفية: priority:high tag:backup -nightly`,
    placeholderShort: (where) => `البحث في ${where}`,
    search: "بحث",
    clear: "مسح البحث والتصفية",
    looked: (n, total) => `${count(n)} من ${count(total)}`,
    slash: "اضغط / للبحث",
  },
  triage: {
    done: (n) => some("تم الإنجاز", n),
    notDone: (n) => some("عودة إلى الموجز", n),
    snoozed: (n, until, now) => `${some("تم التأجيل", n)}، حتى ${momentWithTime(until, now, "within")}`,
    woken: (n) => some("عودة إلى الموجز", n),
    deleted: (n) => some("تم الحذف", n),
    cancelled: (n) => (n === 1 ? "أُلغي التسليم" : `${count(n)} عمليات تسليم أُلغيت`),
    hiddenHere: "لا يستطيع هذا الخادم الإلغاء؛ أُخفيت هنا فقط.",
    sent: "أُرسلت الرسالة",
    sentTwice: "أُرسلت. لا يستطيع هذا الخادم الإلغاء، وسيسلّمها مرة أخرى في موعدها.",
  },

  message: {
    tools: "إجراءات الرسالة",
    more: "المزيد",
    markRead: "تعليم كمقروءة",
    markUnread: "تعليم كغير مقروءة",
    star: "إضافة نجمة",
    unstar: "إزالة النجمة",
    done: "إنجاز",
    notDone: "غير منجزة",
    snooze: "تأجيل…",
    delete: "حذف",
    copyText: "نسخ النص",
    copyLink: "نسخ الرابط",
    raw: "JSON خام",
    curl: "نسخ كأمر curl",
    open: "فتح",
    textCopied: "تم نسخ النص",
    linkCopied: "تم نسخ الرابط",
    jsonCopied: "تم نسخ JSON",
    valueCopied: "تم النسخ",
    copyByHand: "انسخ هذا",
    always: (topic) => `تحميل صور ${topic} دائمًا`,
    notAlways: (topic) => `السؤال قبل تحميل صور ${topic}`,
    filterTag: (tag) => `التصفية بالوسم ${tag}`,
    moreTags: (n) => `${count(n)} أخرى`,
    openLink: (host) => (host ? `فتح ${host}` : "فتح الرابط"),
    cannotOpen: (address) => `لا يمكن فتح روابط من هذا النوع هنا: ${address}`,
    cancelDelivery: "إلغاء التسليم",
    sendNow: "أرسل الآن",
    updated: "مُحدّثة",
    updatedLabel: "مُحدّثة: عرض الإصدارات السابقة",
    updatedTip: "عرض الإصدارات السابقة",
    back: "العودة إلى الرسائل",
    loadIcon: (host) => `تحميل الأيقونة من ${host}`,
    loadPicture: (host, alt) => (alt ? `تحميل الصورة «${alt}» من ${host}` : `تحميل الصورة من ${host}`),
  },
  action: {
    done: (label, status) => `${label}: تم (${String(status)})`,
    refused: (label, status) => `${label}: رد العنوان بخطأ (${String(status)})`,
    redirected: (label) => `${label}: يحيل العنوان إلى عنوان آخر، ولم يُتصل بذلك العنوان`,
    unanswered: (label) => `${label}: لا رد من العنوان`,
    failed: (label, why) => `${label}: ${why}`,
    broadcast: "لا يستطيع فعل هذا إلا تطبيق الخادم على Android",
    notStored: "لا ترسل الطلبات إلا رسائل المواضيع المشترك فيها",
    noTarget: "لا يمكن فتح روابط من هذا النوع هنا",
  },
};
