import type { Translation } from "../catalogue";
import { duration, list } from "../format";

export const push: Translation["push"] = {
  heading: "应用关闭时",
  receive: "应用关闭时仍然接收",
  hint: "服务器将消息加密后交给浏览器的推送服务，由它短暂唤醒 Earshot。",
  asking: "正在注册…",
  key: "公钥",
  keyHint: "在服务器的配置中名为 web-push-public-key，共 87 个字符。",
  notKey: "这不是推送密钥：推送密钥有 87 个字符，以 B 开头。",
  useKey: "使用此密钥",
  mustShow: "在此系统上每条推送都会显示通知，因此服务器不会为已静音的主题发送推送；它们的消息会在打开 Earshot 后显示。",
  refused: (topics) => `因无权读取而不推送：${list(topics)}。`,
  since: "注册时间",
  pushed: "上次推送",
  checked: "上次推送后的检查",
  never: "尚无",
  test: "测试推送",
  testHint: (topic) => `测试会向 ${topic} 发送一条消息并等待其推送。`,
  testMessage: "推送测试",
  testing: "正在等待推送…",
  arrived: (ms) => `推送在 ${duration(Math.max(ms, 1_000))}后到达。`,
  lost: (ms) => `${duration(ms)}内没有推送到达，且无法重新注册此设备。`,
  renewed: (ms) =>
    `${duration(ms)}内没有推送到达，因此已重新注册此设备。请再测试一次：如果仍未到达，说明推送服务较慢或无法连接。`,
  resumes: "此处已开启接收。允许通知后会自动恢复。",
  support: {
    plain: "通过普通 http 无法使用：浏览器只为通过 https 加载的页面接收推送。",
    install: "将 Earshot 添加到主屏幕后即可使用：点按“共享”，再点按“添加到主屏幕”。",
    unsupported: "此浏览器不为网页接收推送。",
    blocked: "此网站的通知已被阻止，推送也因此不可用。请在浏览器设置中允许。",
  },
  faults: {
    denied: "浏览器未允许通知，没有通知权限就无法接收推送。",
    unreachable: "无法连接到浏览器的推送服务。请稍后重试。",
    untold: "此服务器没有提供推送密钥。如果它发送推送，其运营者知道密钥：请在下方输入。",
    off: "此服务器不发送推送。",
    "no-key": "此服务器提供的推送密钥不是有效的密钥。",
    strange: "此服务器没有说明是否发送推送。",
    "service-refused": "此服务器不向你的浏览器的推送服务发送消息。",
    "too-many-devices": "服务器没有接受此设备。同一地址最多十台；请在不再使用的设备上关闭推送。",
    forbidden: "服务器不允许你读取其中任何主题。",
  },

  worker: {
    binary: "二进制数据",
    unseen: "没有可见文本",
    many: "{count} 条新消息",
    heldBack: "{count} 条消息到达时未提醒",
    changed: "消息有变动",
  },
};
