import type { Translation } from "../catalogue";
import { count } from "../format";
import { MESSAGES } from "./formats";

/** The check for messages that the server has and this device doesn't. */
export const missing: Translation["missing"] = {
  looking: "جارٍ سؤال الخادم عن كل ما لديه…",
  none: "لا شيء ناقص",
  found: (n) => `الناقص: ${count(n, MESSAGES)}`,
  forgot: "فقد الخادم رسائل كان يحتفظ بها، فقد يكون بعضها ضاع نهائيًا.",
  foundAndForgot: (n) => `الناقص: ${count(n, MESSAGES)}، وفقد الخادم غيرها.`,
  show: "عرض",
  heading: (n) => `الناقص: ${count(n, MESSAGES)}`,
  text: "هي الآن في مواضيعها، بالترتيب. الأحدث:",
};
