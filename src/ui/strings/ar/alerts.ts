import type { Translation } from "../catalogue";
import { count, duration, list } from "../format";
import { MESSAGES, OF_TOPICS } from "./formats";

/** Notifications, and the settings that are about them. */
export const alerts: Translation["alerts"] = {
  heading: "الإشعارات",
  states: {
    on: "مفعّلة. تصلك الإشعارات ما دام Earshot مفتوحًا.",
    off: "معطّلة",
    ask: "معطّلة. سيطلب المتصفح الإذن.",
    blocked:
      "محظورة لهذا الموقع. للسماح بها اضغط الرمز المجاور للعنوان ثم «الإشعارات»؛ وعلى الهاتف افتح إعدادات المتصفح لهذا الموقع.",
    plain: "غير متاحة عبر http العادي: لا تعرض المتصفحات الإشعارات إلا لصفحات حُمّلت عبر https.",
    install: "تصبح متاحة متى أُضيف Earshot إلى الشاشة الرئيسية: اضغط «مشاركة» ثم «إضافة إلى الشاشة الرئيسية».",
    unsupported: "هذا المتصفح لا يدعم إشعارات صفحات الويب.",
    failed: "غير متاحة الآن: لا يشغّل المتصفح عامل خدمة (Service Worker) لهذه الصفحة.",
  },
  turnOn: "تفعيل",
  turnOff: "تعطيل",
  test: "إرسال إشعار تجريبي",
  testSent: "أُرسل الإشعار التجريبي. إن لم يظهر شيء فالنظام يمنعه: راجع إعدادات إشعاراته ووضع «عدم الإزعاج».",
  testFailed: "لم يُظهر المتصفح أي إشعار.",
  testTitle: "الإشعارات تعمل",
  testBody: "هكذا تبدو.",
  topicHint: "يمكن كتم موضوع أو تحديد أدنى أولوية له في إعداداته.",

  buttons: { done: "إنجاز", snooze: "تأجيل ساعة" },
  title: (title, topic) => `${title} · ${topic}`,
  inOne: (n, topic) => `${topic}: ${count(n)} جديدة`,
  inSeveral: (n, topics) => `${count(n)} جديدة في ${count(topics, OF_TOPICS)}`,
  withUrgent: (said, n) => `${said}، منها ${count(n)} عاجلة`,
  arrived: (n, isPart, where) =>
    `رسائل جديدة: ${count(n)}${isPart ? " أو أكثر" : ""}، في ${
      typeof where === "number" ? count(where, OF_TOPICS) : list(where)
    }`,
  topicLine: (topic, n) => `${topic}: ${count(n, MESSAGES)}`,
  more: (n) => `ومواضيع أخرى: ${count(n)}`,

  stopped: (server) => `لا يصل شيء من ${server}`,
  refused: (topics) => `لا يصل شيء من ${list(topics)}`,
  away: (server) => `يتعذر الوصول إلى ${server}`,
  awaySince: (said) => `منذ ${said}. ما يُرسَل في هذه الأثناء يصل متى عاد، إن احتفظ به الخادم.`,
  back: (server) => `عاد ${server}`,
  wasAway: (ms) => `تعذر الوصول إليه لمدة ${duration(ms)}.`,
};
