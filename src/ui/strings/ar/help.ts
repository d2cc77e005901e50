import type { Translation } from "../catalogue";

/** Around the pages of the help, and where questions arise. */
export const help: Translation["help"] = {
  contents: "صفحات المساعدة",
  language: "المساعدة متاحة حاليًا بالإنجليزية فقط.",
  pages: {
    "first-steps": "الخطوات الأولى",
    filters: "البحث والتصفية",
    keyboard: "لوحة المفاتيح",
    phones: "الهواتف والتثبيت",
    troubleshooting: "إذا كان ثمة خلل",
  },
  links: {
    "first-steps": "كيف يعمل Earshot",
    filters: "كيف تعمل التصفية",
    keyboard: "المزيد عن لوحة المفاتيح",
    phones: "الإشعارات على الهواتف",
    troubleshooting: "إذا كان ثمة خلل",
  },
};
