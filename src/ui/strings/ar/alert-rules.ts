import type { Translation } from "../catalogue";
import { count } from "../format";
import { counted } from "./formats";

/** The rules of alerts: quiet hours, muting everything, repeats. */
export const alertRules: Translation["alertRules"] = {
  muteAll: {
    heading: "كتم الكل",
    open: "كتم الكل…",
    hint: "تستمر الرسائل في الوصول وتُحسب غير مقروءة، ولا يصدر أي تنبيه، حتى للعاجلة منها.",
    muted: (said) => (said ? `الكل مكتوم حتى ${said}` : "الكل مكتوم"),
    end: "إلغاء الكتم",
    topics: "المواضيع المكتومة",
    endOf: (name) => `إلغاء كتم ${name}`,
    ended: "عادت التنبيهات للكل",
  },
  sounds: {
    heading: "الأصوات",
    hint: "أصوات Earshot الخاصة بدلًا من أصوات النظام، ما دام مفتوحًا والإشعارات مفعّلة. لا صوت للأولويات المنخفضة ولا للمواضيع المكتومة.",
    of: { urgent: "عاجلة", high: "مرتفعة", others: "غيرها" },
    ofTopic: "الصوت",
    everywhere: "كما في الإعدادات",
    none: "صوت النظام",
    names: { chime: "رنين", knock: "طرق", drop: "قطرة", bell: "جرس", siren: "صفارة" },
    play: "تشغيل",
    notAllowed: "يمنع المتصفح الصوت إلى أن تضغط شيئًا في هذه الصفحة.",
  },
  outage: {
    label: "حين يتعذر الوصول إلى خادم",
    hint: "ينبّه مرة، ثم مرة أخرى حين يعود. لا ينبّه إن لم يكن لهذا الجهاز نفسه شبكة.",
    off: "بلا تنبيه",
    after: (minutes) =>
      minutes === 60
        ? "التنبيه بعد ساعة"
        : `التنبيه بعد ${count(minutes, counted("دقيقة واحدة", "دقيقتين", "دقائق", "دقيقة", "دقيقة"))}`,
    pause: "إيقاف هذه التنبيهات مؤقتًا",
    pauseHint: "حتى ذلك الحين لا يُنبَّه إلى أي خادم يتعذر الوصول إليه.",
    notPaused: "غير موقفة",
    pausedUntil: (said) => `حتى ${said}`,
    pauses: { hour: "لمدة ساعة", eight: "لمدة 8 ساعات" },
  },
  repeat: {
    label: "تكرار تنبيهات الرسائل العاجلة حتى تُقرأ",
    hint: (minutes, times) =>
      `يتكرر تنبيه الرسائل العاجلة كل ${count(minutes, counted("دقيقة", "دقيقتين", "دقائق", "دقيقة", "دقيقة"))}، ${count(times, counted("مرة واحدة", "مرتين", "مرات", "مرة", "مرة"))} على الأكثر، ما دام Earshot مفتوحًا.`,
  },
  quiet: {
    heading: "ساعات الهدوء",
    keep: "تطبيق ساعات الهدوء",
    hint: "تستمر الرسائل في الوصول، ولا يصدر أي تنبيه في هذه الأوقات.",
    span: (n) => `وقت الهدوء ${count(n)}`,
    days: "الأيام",
    from: "من",
    to: "إلى",
    nextDay: (to) => `ينتهي عند ${to} من اليوم التالي.`,
    noTime: "أدخل وقتًا.",
    add: "إضافة وقت",
    remove: (n) => `إزالة وقت الهدوء ${count(n)}`,
    removed: "أُزيل وقت الهدوء",
    urgent: "الرسائل العاجلة تتجاوز الهدوء",
    now: (until, urgentAlerts) =>
      `${until === undefined ? "هدوء دائم" : `هدوء حتى ${until}`}${urgentAlerts ? "؛ العاجلة تتجاوزه" : ""}`,
    ahead: (from) => `لا هدوء الآن؛ يبدأ ${from}`,
    never: "لا هدوء أبدًا: لم يُحدَّد أي يوم",
    off: "معطّلة",
    push: "لا تسري ساعات الهدوء ولا الحد الأدنى للأولوية على إشعارات الدفع في هذا الجهاز: نظامه يُظهرها كلها.",
    ofTopic: { everywhere: "كما في الإعدادات", none: "بلا", own: "خاصة به" },
    everywhere: (said) => `في الإعدادات: ${said}`,
  },
};
