import type { Translation } from "../catalogue";
import { count, duration, list } from "../format";

/** Notifications, and the settings that are about them. */
export const alerts: Translation["alerts"] = {
  heading: "通知",
  states: {
    on: "已开启。Earshot 打开期间会通知你。",
    off: "已关闭",
    ask: "已关闭。浏览器会请求权限。",
    blocked: "此网站的通知已被阻止。要允许通知，请点按地址旁的图标，再点按“通知”；在手机上请打开浏览器中此网站的设置。",
    plain: "通过普通 http 无法使用：浏览器只为通过 https 加载的页面显示通知。",
    install: "将 Earshot 添加到主屏幕后即可使用：点按“共享”，再点按“添加到主屏幕”。",
    unsupported: "此浏览器不支持网页通知。",
    failed: "暂不可用：浏览器没有为此页面运行 Service Worker。",
  },
  turnOn: "开启",
  turnOff: "关闭",
  test: "发送测试通知",
  testSent: "测试通知已发送。如果没有出现，说明被系统拦截：请检查系统的通知设置和勿扰模式。",
  testFailed: "浏览器没有显示通知。",
  testTitle: "通知正常",
  testBody: "通知就是这个样子。",
  topicHint: "可在主题的设置中将其静音，或设定最低优先级。",

  buttons: { done: "完成", snooze: "1 小时后提醒" },
  title: (title, topic) => `${title} · ${topic}`,
  inOne: (n, topic) => `${topic} 有 ${count(n)} 条新消息`,
  inSeveral: (n, topics) => `${count(topics)} 个主题有 ${count(n)} 条新消息`,
  withUrgent: (said, n) => `${said}，其中 ${count(n)} 条紧急`,
  arrived: (n, isPart, where) =>
    `${typeof where === "number" ? `${count(where)} 个主题` : list(where)}有 ${count(n)} 条${isPart ? "或更多" : ""}新消息`,
  topicLine: (topic, n) => `${topic}：${count(n)} 条消息`,
  more: (n) => `另有 ${count(n)} 个主题`,

  stopped: (server) => `收不到来自 ${server} 的消息`,
  refused: (topics) => `收不到来自 ${list(topics)} 的消息`,
  away: (server) => `无法访问 ${server}`,
  awaySince: (said) => `自 ${said} 起。其间发送的消息会在恢复后到达，前提是服务器保留了它们。`,
  back: (server) => `${server} 已恢复`,
  wasAway: (ms) => `它有 ${duration(ms)}无法访问。`,
};
