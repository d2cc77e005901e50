import type { Translation } from "../catalogue";
import { count } from "../format";

/** Strings that several screens share. */
export const common: Translation["appStrings"]["common"] = {
  appName: "Earshot",
  close: "关闭",
  cancel: "取消",
  save: "保存",
  undo: "撤销",
  copy: "复制",
  copied: "已复制",
  details: "详情",
  more: "更多",
  tryAgain: "重试",
  tryNow: "立即重试",
  signIn: "登录",
  subscribe: "订阅",
  messages: (n) => `${count(n)} 条消息`,
  unread: (n) => `${count(n)} 条未读`,
  urgentUnread: (n) => `${count(n)} 条紧急未读`,
  highUnread: (n) => `${count(n)} 条高优先级未读`,
  topics: (n) => `${count(n)} 个主题`,
  servers: (n) => `${count(n)} 台服务器`,
  noSuchMessage: "此链接指向的消息未存储在本设备上。",
  notLoaded: "无法加载应用的这一部分。",
  noStart: "Earshot 无法启动。",
};

/** Names of the priorities (docs/protocol.md §14). */
export const priority: Translation["appStrings"]["priority"] = {
  label: "优先级",
  names: { 1: "最低", 2: "低", 3: "默认", 4: "高", 5: "紧急" },
};
