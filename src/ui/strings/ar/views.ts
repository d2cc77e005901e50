import type { Translation } from "../catalogue";
import { count } from "../format";

/** Saved views. */
export const views: Translation["views"] = {
  save: "حفظ هذا العرض",
  rename: "إعادة تسمية العرض",
  name: "الاسم",
  example: "نسخ احتياطية فاشلة",
  filter: (filter) => `يشمل التصفية ${filter}.`,
  noFilter: "يشمل المواضيع المعروضة، دون تصفية.",
  replaces: "يوجد عرض بهذا الاسم. سيُستبدل.",
  needsName: "أدخل اسمًا.",
  taken: "لعرض آخر هذا الاسم.",
  saved: (name) => `تم حفظ «${name}»`,
  replaced: (name) => `تم تغيير «${name}»`,
  moved: (name, place, all) => `العرض ${name}: ${count(place)} من ${count(all)}`,
  removed: (name) => `أُزيل «${name}»`,
};
