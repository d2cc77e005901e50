import type { Translation } from "../catalogue";
import { failureTextFrom, type FailureStrings } from "../failure-text";

const failureStrings: FailureStrings = {
  theServer: "الخادم",
  network: (server) => `يتعذر الوصول إلى ${server}.`,
  silent: (server) => `توقف ${server} عن الرد.`,
  ended: (server) => `أغلق ${server} الاتصال.`,
  http: (server, status) => `رد ${server} بخطأ (${status}).`,
  lockedOut: (server) => `محاولات دخول فاشلة كثيرة من هذه الشبكة. يرفضها ${server} كلها لبضع دقائق.`,
  busy: (server) => `${server} يحدّ من عدد الطلبات.`,
  unauthorized: (server) => `رفض ${server} كلمة المرور أو رمز الوصول.`,
  mayNotRead: (topics = "هذا الموضوع") => `لا يُسمح لهذا المستخدم بقراءة ${topics}.`,
  needsSignIn: (server, topics) => `يطلب ${server} تسجيل الدخول${topics === undefined ? "" : ` لقراءة ${topics}`}.`,
  noTopicServer: "لا يوجد خادم مواضيع على هذا العنوان.",
  notAllowedByBrowser: "لا يسمح المتصفح لهذه الصفحة بالوصول إلى ذلك العنوان.",
  malformed: (server = "الخادم") => `شيء آخر يرد بدلًا من ${server}. ربما تطلب هذه الشبكة تسجيل الدخول أولًا.`,
  notAllowedByHost: "لا يسمح مستضيف هذا التطبيق بهذا الخادم.",
  fixedByHost: "ثبّت مستضيف هذا التطبيق هذا الإعداد.",
  duplicate: "لديك اشتراك في هذا الموضوع.",
  notFound: "لم يعد موجودًا.",
  quota: "التخزين ممتلئ.",
  storage: (text) => `عطل في التخزين: ${text}`,
};

/** What is said of attempts and commands that failed. */
export const errors = {
  ...failureTextFrom(failureStrings),
  noClipboard: "لا يسمح المتصفح لهذه الصفحة باستخدام الحافظة.",
} satisfies Translation["errors"];
