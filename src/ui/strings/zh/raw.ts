import type { Translation } from "../catalogue";
import { count, timeOfDay } from "../format";

/** The live tail of a topic as plain text. */
export const raw: Translation["raw"] = {
  heading: (topic) => `原始：${topic}`,
  what: "按发送原样显示的实时文本，每条消息一行；不存储任何内容。",
  back: "返回消息",
  label: "行",
  ask: (topic, host) => `不订阅而直接收听 ${host} 上的 ${topic}？`,
  start: "开始",
  states: {
    connecting: "正在连接",
    open: "实时",
    waiting: "连接已断开。正在重试。",
    stopped: "已停止",
  },
  lastSign: (said) => `上次收到 ${said}`,
  lines: (n) => `${count(n)} 行`,
  left: (n) => `省略 ${count(n)} 行`,
  waitingForLines: "暂无内容。每条新消息占一行。",
  ended: (atMs) => `连接断开 ${timeOfDay(atMs)}`,
  again: (atMs) => `重新连接 ${timeOfDay(atMs)}；期间发送的内容未显示`,
  pause: "暂停",
  follow: "跟随",
  fresh: (n) => `${count(n)} 行新内容`,
  copy: "复制",
  copyHeading: "复制这些行",
  copied: "已复制各行",
  clear: "清除",
};
