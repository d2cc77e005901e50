import type { Translation } from "../catalogue";
import { count } from "../format";
import { hostProblemTextFrom, type HostProblemStrings } from "../host-problem-text";
import { counted } from "./formats";

const problemStrings: HostProblemStrings = {
  wanted: {
    object: "كائنًا: { … }",
    list: "قائمة: [ … ]",
    name: "نصًا من 1 إلى 40 محرفًا",
    address: 'عنوان خادم، مثل "https://ntfy.example.com"',
    colour: 'لونًا، مثل "#0b7a75"',
    topic: 'موضوعًا، مثل "backups" أو "ntfy.example.com/backups"',
    "push-key": "مفتاح للدفع: 87 محرفًا تبدأ بـ B",
    language: 'رمز لغة، مثل "ar"، أو "system"',
    boolean: "true أو false",
    count: "عددًا صحيحًا، 0 أو أكثر",
    setting: "اسم إعداد يجوز للمستضيف تحديده",
    fewer: "50 عنصرًا على الأكثر",
  },
  oneOf: (values) => `إحدى هذه القيم: ${values}`,
  tooLong: "الملف أطول من 64 كيلوبايت ولم يُقرأ.",
  notJson: (text) => `الملف ليس JSON: ${text}`,
  unknown: (at) => `${at}: اسم غير معروف`,
  wrong: (at = "الملف", wanted, found) => `${at}: يجب أن يكون ${wanted}؛ وهو ${found}`,
  notAllowed: (at) => `${at}: على خادم لا يشمله allowedServers.`,
};

/** What the host of the app has set. */
export const host: Translation["host"] = {
  heading: "من المستضيف",
  hint: "حدد مستضيف هذا التطبيق هذا في ملفه config.json.",
  name: "الاسم",
  server: "الخادم الافتراضي",
  allowed: "يمكن إضافة المواضيع على",
  fixed: "إعدادات ثابتة",
  locked: "حدده مستضيف هذا التطبيق. لا يمكن تغييره هنا.",
  problems: (n) => `${count(n, counted("خطأ واحد", "خطآن", "أخطاء", "خطأً", "خطأ"))} في config.json`,
  problemsHint: "تُتجاهل المدخلات التي بها أخطاء، وتسري البقية.",
  problem: hostProblemTextFrom(problemStrings),
};
