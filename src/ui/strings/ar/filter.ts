import { HAS_VALUES, IS_VALUES } from "../../../contract";
import { PRIORITY_NAMES } from "../../../protocol";
import type { Translation } from "../catalogue";
import { count, list } from "../format";
import { OF_MESSAGES, counted } from "./formats";

const examples: Readonly<Record<string, string>> = {
  priority: "priority:high",
  tag: "tag:backup",
  tags: "tags:backup,mail",
  title: "title:خطأ",
  message: "message:قرص",
  id: "id=sPs71M8A2T",
  is: "is:unread",
  has: "has:attachment",
  after: "after:today",
  before: "before:2026-11-20",
  topic: "topic:backups",
  server: "server:ntfy.sh",
  group: "group:البيت",
};

/** Chips and completion of the filter box, and its messages about faulty words. */
export const filter: Translation["filter"] = {
  found: (n) => count(n),
  of: (total) => ` من ${count(total)}`,
  counting: "جارٍ العدّ…",
  quick: "تصفية سريعة",
  unread: "غير المقروءة",
  important: "المرتفعة والعاجلة",
  starred: "المميزة بنجمة",
  attachments: "ذات المرفقات",
  not: "ليس",
  names: {
    priority: "الأولوية",
    tags: "الوسم",
    title: "العنوان",
    message: "النص",
    id: "المعرّف",
    is: "الحالة",
    has: "تحوي",
    after: "بعد",
    before: "قبل",
    topic: "الموضوع",
    server: "الخادم",
    group: "المجموعة",
  },
  remove: (term) => `إزالة ${term}`,
  suggestions: "اقتراحات",
  keywords: {
    "is:": "unread أو read أو starred أو done أو snoozed",
    "priority:": "واحدة أو أكثر: high,urgent",
    "tag:": "كل هذه الوسوم: backup,mail",
    "topic:": "واحد أو أكثر: backups,door",
    "server:": "بالاسم أو العنوان",
    "group:": "مواضيع مجموعة",
    "title:": "كلمات في العنوان",
    "message:": "كلمات في النص",
    "has:": "attachment أو actions أو click أو title أو icon",
    "after:": "من وقت معيّن فصاعدًا",
    "before:": "قبل وقت معيّن",
    "-": "يستبعد ما يليه",
  },
  is: {
    unread: "لم تُقرأ بعد",
    read: "قُرئت",
    starred: "مميزة بنجمة",
    done: "أُنجزت",
    snoozed: "تعود لاحقًا",
  },
  has: {
    attachment: "ملف أو صورة",
    actions: "أزرار",
    click: "رابط يُفتح",
    title: "عنوان خاص بها",
    icon: "أيقونة",
  },
  priorities: { 1: "الدنيا", 2: "منخفضة", 3: "أولوية معظم الرسائل", 4: "مرتفعة", 5: "العليا" },
  times: {
    "1h": "الساعة الأخيرة",
    today: "منذ منتصف الليل",
    yesterday: "منذ منتصف ليل أمس",
    "3d": "الأيام الثلاثة الأخيرة",
    "1w": "الأسبوع الأخير",
  },
  timesBefore: {
    "1h": "قبل أكثر من ساعة",
    today: "أمس وما قبله",
    yesterday: "قبل أمس",
    "3d": "قبل أكثر من ثلاثة أيام",
    "1w": "قبل أكثر من أسبوع",
  },
  tagged: (n) => `على ${count(n, OF_MESSAGES)}`,
  topic: (name) => `في ${name}`,
  topicHint: "هذا الموضوع فقط",
  topics: (n) => count(n, counted("موضوع واحد", "موضوعان", "مواضيع", "موضوعًا", "موضوع")),
  didYouMean: (field) => `هل تقصد «${field}:»؟`,
  write: (field) => `كتابة ${field}:`,
  asText: "البحث عنه كنص",
  wrong: {
    "empty-value": (word, field) => `تحتاج «${word}» إلى قيمة، مثل ${examples[field] ?? "كلمة"}.`,
    "unclosed-quote": () => 'تنقص علامة اقتباس. أنهِ العبارة بعلامة " أخرى.',
    "no-priority": () => "لا تبقى أي أولوية: الأولويات من 1 (min) إلى 5 (urgent).",
    "bad-priority": (word) => `«${word}» ليست أولوية. استخدم ${list(Object.values(PRIORITY_NAMES))}، أو من 1 إلى 5.`,
    "bad-date": (word) =>
      `«${word}» ليس وقتًا. استخدم 2026-11-20 أو 2026-11-20T10:00 أو today أو yesterday أو 2h أو 3d.`,
    "unknown-field": (word) => `«${word}» ليس حقلًا.`,
    "unknown-value": (word, field) =>
      field === "has"
        ? `«${word}» غير معروفة هنا. استخدم has:${list([...HAS_VALUES])}.`
        : `«${word}» غير معروفة هنا. استخدم is:${list([...IS_VALUES])}.`,
  },
};
