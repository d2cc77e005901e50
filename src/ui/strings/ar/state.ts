import type { Translation } from "../catalogue";
import { connectionTextFrom, type ConnectionStrings } from "../connection-text";
import { count, duration, roughlyAgo } from "../format";
import { OF_TOPICS } from "./formats";

const connectionStrings: ConnectionStrings = {
  idle: "غير متصل",
  connecting: "جارٍ الاتصال",
  live: "مباشر",
  inTurn: (topics) => `مباشر، ${count(topics, OF_TOPICS)} بالتناوب`,
  polled: (length, time) => `استعلام كل ${length}${time === undefined ? "" : ` · الأخير ${time}`}`,
  waiting: (length) => `المحاولة التالية بعد ${length}`,
  offline: "دون اتصال",
  refused: "مرفوض",
  noTopicServer: "لا خادم مواضيع",
  stopped: "متوقف",
};

/** Names of the states of servers and of the device. */
export const state: Translation["state"] = {
  ...connectionTextFrom(connectionStrings),
  transports: { json: "بث JSON", sse: "بث SSE", ws: "WebSocket", poll: "استعلام دوري" },
  automatic: "تلقائي",
  checking: "جارٍ التحقق",
  unknown: "جارٍ البدء",
  cacheless: "لا يخزّن شيئًا",
  cachelessHint: "هذا الخادم لا يخزّن الرسائل: ما يُرسَل أثناء غيابك يضيع.",
  lastContact: (ms) => `آخر اتصال ${roughlyAgo(ms, "للتو")}`,
  offline: "لا اتصال بالشبكة.",
  showingStored: "يُعرض ما هو مخزّن على هذا الجهاز.",
  nextTry: (ms) => `المحاولة التالية بعد ${duration(ms)}`,
  complete: (until, since) => (since ? `مكتمل من ${since} حتى ${until}` : `مكتمل حتى ${until}`),
  liveOf: (live, all) => `${count(live)} من ${count(all)} خوادم مباشرة`,
  notLive: "غير المباشرة:",
};
