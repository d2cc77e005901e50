import type { Translation } from "../catalogue";
import { count, duration, inOneUnit } from "../format";
import { counted, formats } from "./formats";

/** The message page and its dialogs, and the text shown in place of messages. Durations in ms. */
export const message: Translation["message"] = {
  details: {
    tabs: "عن هذه الرسالة",
    details: "التفاصيل",
    versions: "الإصدارات السابقة",
    raw: "خام",
    steps: "رسائل أخرى",
    previous: "السابقة",
    next: "التالية",
    topic: "الموضوع",
    priority: "الأولوية",
    priorityValue: (n, name) => `${count(n)}، ${name}`,
    tags: "الوسوم",
    received: "الوصول",
    via: { stream: "مباشرةً", poll: "أثناء استدراك ما فات", push: "بإشعار دفع" },
    receivedValue: (at, via, after) => (after === undefined ? `${at}، ${via}` : `${at}، ${via} (${after})`),
    onServer: "على الخادم",
    until: (said) => `حتى ${said}`,
    goneSince: (said) => `أُزيلت منذ ${said}`,
    notKept: "غير مخزّنة هناك",
    due: "الموعد",
    noAlert: "بلا تنبيه",
    noAlertReasons: {
      unshown: "لم تتمكن أي علامة تبويب من عرض الإشعارات طوال 5 دقائق",
      history: "كانت على الخادم قبل جلب موضوعها أول مرة",
      superseded: "كان إصدار أحدث منها موجودًا هنا",
      read: "كانت قد قُرئت أو أُنجزت",
      muted: "كان موضوعها مكتومًا",
      priority: "كان موضوعها يشترط أولوية أعلى",
      "all-muted": "كان الكل مكتومًا",
      quiet: (until) => (until === undefined ? "ساعات هدوء بلا نهاية" : `ساعات هدوء حتى ${until}`),
    },
    link: "الرابط",
    id: "المعرّف",
    missing: "لم تعد هذه الرسالة مخزّنة",
    close: "إغلاق",
    copyJson: "نسخ JSON",
    curlCopied: "تم نسخ أمر curl",
  },

  repeats: {
    seen: (n, isPart, ms, days) => {
      const often = count(n, counted("مرة واحدة", "مرتين", "مرات", "مرة", "مرة"));
      const time = days > 0 ? count(days, formats.day) : duration(inOneUnit(Math.max(ms, 1000)));
      return `وردت ${isPart ? "على الأقل " : ""}${often} خلال ${time}`;
    },
    none: "لا رسالة أخرى مثلها مخزّنة.",
    chart: (first, last, most) =>
      `مخطط الأوقات: الأولى ${first}، والأخيرة ${last}، وأكثر ما في عمود واحد ${count(most)}`,
    show: "عرضها في قائمة",
    hide: "إخفاء القائمة",
  },

  request: {
    confirm: (label) => `«${label}» يرسل طلبًا`,
    confirmHint: "الرسالة تطلب ذلك. سيرى مشغّل العنوان عنوان شبكتك.",
    headers: "الترويسات",
    body: "المحتوى",
    send: "إرسال",
    remember: (topic) => `عدم السؤال مجددًا حين تطلب رسائل ${topic} هذا:`,
    preview: "هذا الزر يرسل طلبًا إلى",
    previews: "هذه الأزرار ترسل طلبات إلى",
  },

  json: {
    tree: "JSON",
    entries: (n) => count(n),
    more: (n) => `${count(n)} أخرى`,
    moreCharacters: (n) => `${count(n, counted("محرف آخر", "محرفان آخران", "محارف أخرى", "محرفًا آخر", "محرف آخر"))}`,
    value: "نسخ القيمة",
    valueCopied: "تم نسخ القيمة",
    path: "نسخ المسار",
    pathCopied: "تم نسخ المسار",
  },

  empty: {
    topic: "لا رسائل بعد",
    topicHint: "ما يُرسَل إلى هذا الموضوع يظهر هنا فورًا. من الطرفية:",
    everything: "لا رسائل بعد",
    everythingHint: "ما يُرسَل إلى مواضيعك يظهر هنا فورًا.",
    starred: "لا رسائل مميزة بنجمة",
    starredHint: "النجمة تُبقي الرسالة ما شئت. اضغط s على رسالة، أو استخدم قائمتها.",
    scheduled: "لا رسائل مجدولة",
    scheduledHint: "تُدرج هنا الرسائل التي ستُسلَّم لاحقًا مع مواعيدها.",
    done: "لا رسائل منجزة",
    doneHint: "الرسائل المعلّمة كمنجزة تغادر الموجز وتُدرج هنا.",
    snoozed: "لا رسائل مؤجلة",
    snoozedHint: "الرسالة المؤجلة تغادر الموجز وتعود في موعدها غير مقروءة. اضغط h على رسالة.",
    urgent: "لا شيء عاجل",
    urgentHint: "تُدرج هنا الرسائل ذات الأولوية العاجلة. ولذات الأولوية المرتفعة قائمة خاصة على بعد ضغطة.",
    example: "إنه يعمل",
  },

  snooze: {
    heading: "تأجيل حتى",
    times: { hour: "بعد ساعة", evening: "هذا المساء", tomorrow: "غدًا", monday: "الاثنين المقبل" },
    now: "إعادتها الآن",
    pick: "اختيار وقت",
    set: "تأجيل",
    past: "مضى ذلك الوقت.",
  },

  none: {
    heading: "لا شيء مطابق",
    hint: "لا رسالة مخزّنة مطابقة.",
    drop: "دون",
    wouldShow: (n, isAll) => `${count(n)}${isAll ? "" : "+"} مطابقة`,
    together: "لا يُعثر على شيء حتى عند الاستغناء عن أي واحد منها.",
    none: "لا يطابق أي من هذه الشروط شيئًا وحده.",
    everywhere: "البحث في كل المواضيع",
    nowhere: "لا رسالة مطابقة في المواضيع الأخرى أيضًا.",
    clear: "مسح التصفية",
  },

  preview: {
    heading: "معاينة",
    empty: "ليس لدى الخادم رسائل لهذا الموضوع حاليًا",
    none: "لا تطابق التصفيةَ أي من هذه الرسائل",
    more: (n) => `${count(n)} أقدم غير معروضة`,
  },
};
