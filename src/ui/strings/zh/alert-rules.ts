import type { StringCatalogue } from "../catalogue";
import { count } from "../format";

/** The rules of alerts: quiet hours, muting everything, repeats. */
export const alertRules: StringCatalogue["alertRules"] = {
  muteAll: {
    heading: "全部静音",
    open: "全部静音…",
    hint: "消息照常到达并计为未读，但不会有任何提醒，紧急消息也不例外。",
    muted: (said) => (said ? `全部静音至 ${said}` : "已全部静音"),
    end: "取消静音",
    topics: "已静音的主题",
    endOf: (name) => `取消静音 ${name}`,
    ended: "已恢复全部提醒",
  },
  sounds: {
    heading: "声音",
    hint: "Earshot 打开且通知已开启时，使用它自己的声音代替系统声音。低优先级的消息和已静音的主题不发声。",
    of: { urgent: "紧急", high: "高", others: "其他" },
    ofTopic: "声音",
    everywhere: "与设置相同",
    none: "系统声音",
    names: { chime: "风铃", knock: "敲击", drop: "水滴", bell: "铃铛", siren: "警笛" },
    play: "播放",
    notAllowed: "在你点按此页面上的任意内容之前，浏览器会阻止声音。",
  },
  outage: {
    label: "服务器无法访问时",
    hint: "提醒一次，恢复时再提醒一次。此设备自身没有网络时不提醒。",
    off: "不提醒",
    after: (minutes) => (minutes === 60 ? "1 小时后提醒" : `${count(minutes)} 分钟后提醒`),
    pause: "暂停这些提醒",
    pauseHint: "在此之前，服务器无法连接时不会提醒。",
    notPaused: "未暂停",
    pausedUntil: (said) => `至 ${said}`,
    pauses: { hour: "1 小时", eight: "8 小时", morning: "至明天 08:00" },
  },
  repeat: {
    label: "重复提醒紧急消息，直到已读",
    hint: (minutes, times) =>
      `Earshot 打开期间，优先级 5 的消息每 ${count(minutes)} 分钟再次提醒，最多 ${count(times)} 次。`,
  },
  quiet: {
    heading: "免打扰时段",
    keep: "启用免打扰时段",
    hint: "消息照常到达，但在这些时段不会有任何提醒。",
    span: (n) => `免打扰时段 ${count(n)}`,
    days: "日期",
    from: "从",
    to: "到",
    nextDay: (to) => `次日 ${to} 结束。`,
    noTime: "请输入时间。",
    add: "添加时段",
    remove: (n) => `移除免打扰时段 ${count(n)}`,
    removed: "已移除免打扰时段",
    urgent: "优先级 5 不受限制",
    now: (until, urgentAlerts) =>
      `${until === undefined ? "始终免打扰" : `免打扰至 ${until}`}${urgentAlerts ? "；紧急消息除外" : ""}`,
    ahead: (from) => `当前未免打扰；${from} 开始`,
    never: "从不免打扰：未选择日期",
    off: "关闭",
    push: "在此设备上，免打扰时段不适用于推送：系统会显示每条推送。",
    ofTopic: { everywhere: "与设置相同", none: "无", own: "单独设置" },
    everywhere: (said) => `设置中：${said}`,
  },
};
