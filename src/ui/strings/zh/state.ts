import type { Translation } from "../catalogue";
import { connectionTextFrom, type ConnectionStrings } from "../connection-text";
import { count, duration, roughlyAgo } from "../format";

const connectionStrings: ConnectionStrings = {
  idle: "未连接",
  connecting: "正在连接",
  live: "实时",
  inTurn: (topics) => `实时，${count(topics)} 个主题轮流获取`,
  polled: (length, time) => `每 ${length}轮询一次${time === undefined ? "" : ` · 上次 ${time}`}`,
  waiting: (length) => `${length}后重试`,
  offline: "离线",
  refused: "被拒绝",
  noTopicServer: "没有主题服务器",
  stopped: "已停止",
};

/** Names of the states of servers and of the device. */
export const state: Translation["state"] = {
  ...connectionTextFrom(connectionStrings),
  transports: { json: "JSON 流", sse: "SSE 流", ws: "WebSocket", poll: "轮询" },
  automatic: "自动",
  checking: "正在检查",
  unknown: "正在启动",
  cacheless: "不存储消息",
  cachelessHint: "此服务器不存储消息：你离开期间发送的消息会丢失。",
  lastContact: (ms) => `上次联系：${roughlyAgo(ms, "刚刚")}`,
  offline: "离线。",
  showingStored: "显示的是此设备上存储的内容。",
  nextTry: (ms) => `${duration(ms)}后重试`,
  complete: (until, since) => (since ? `${since} 至 ${until} 完整` : `截至 ${until} 完整`),
  liveOf: (live, all) => `${count(all)} 台服务器中 ${count(live)} 台实时`,
  notLive: "非实时：",
};
