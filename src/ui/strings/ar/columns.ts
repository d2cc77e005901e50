import type { Translation } from "../catalogue";
import { count, timeOfDay } from "../format";

/** Columns side by side, and the wall. */
export const columns: Translation["columns"] = {
  add: "إضافة عمود",
  addLabel: "ما يُعرض",
  choices: "ما يمكن لعمود أن يعرضه",
  noChoice: "لا شيء مطابق.",
  kinds: { view: "عرض محفوظ", server: "خادم" },
  menu: (title) => `إجراءات العمود ${title}`,
  filter: "تصفية هذا العمود",
  alone: "عرض وحده",
  before: "نقل نحو البداية",
  after: "نقل نحو النهاية",
  wider: "توسيع",
  narrower: "تضييق",
  remove: "إزالة العمود",
  removed: "أُزيل العمود",
  wall: "عرض كشاشة جدارية",
  none: "لا أعمدة بعد.",
  notSubscribed: (names) => `لا اشتراك في ${names}`,
  subscribe: "اشتراك…",
};

export const wall: Translation["wall"] = {
  label: "الشاشة الجدارية",
  leave: "مغادرة الشاشة الجدارية",
  full: "ملء الشاشة",
  noFull: "لا يستطيع المتصفح عرض هذه الصفحة بملء الشاشة.",
  mayTurnOff: "لا يستطيع هذا المتصفح إبقاء الشاشة مضاءة: الجهاز يقرر متى تنطفئ.",
  isRefused: "لا يُبقي الجهاز الشاشة مضاءة الآن، ربما لتوفير الطاقة.",
  empty: "لا شيء هنا",
  stale: (said) => `لا اتصال منذ ${said}. قد يكون هذا قديمًا.`,
  never: "لا اتصال بعد. قد يكون هذا قديمًا.",
  repeats: (n, firstMs) => `×${count(n)} منذ ${timeOfDay(firstMs)}`,
};
