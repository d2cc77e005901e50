import type { Translation } from "../catalogue";
import { count } from "../format";

/** The check for messages that the server has and this device doesn't. */
export const missing: Translation["missing"] = {
  looking: "正在向服务器查询其全部消息…",
  none: "没有缺失",
  found: (n) => `缺失 ${count(n)} 条消息`,
  forgot: "服务器丢失了原本保留的消息，有些可能无法找回。",
  foundAndForgot: (n) => `缺失 ${count(n)} 条消息，服务器还丢失了其他消息。`,
  show: "查看",
  heading: (n) => `缺失 ${count(n)} 条消息`,
  text: "它们现已按顺序补入各自的主题。最新的几条：",
};
