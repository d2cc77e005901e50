import type { Translation } from "../catalogue";
import { count, duration, momentWithTime, timeOfDay } from "../format";

const some = (what: string, n: number) => (n === 1 ? what : `${what} ${count(n)} 条消息`);

/** Text around messages, actions on them, and the filter. Times and durations in ms. */
export const rows: Translation["rows"] = {
  newRows: (n) => `${count(n)} 条新消息`,
  newRowsSome: "新消息",
  showNew: "查看新消息",
  failed: "无法读取消息",
  gap: (offline, kept) =>
    kept === undefined
      ? "以下时段可能缺少消息："
      : `离线 ${duration(offline)}；服务器保留消息 ${duration(kept)}。以下时段可能缺少消息：`,
  gapForgot: "服务器丢失了原本保留的消息。以下时段可能缺少消息：",
  gapCut: "超过服务器一次发送的量。以下时段可能缺少消息：",
  gapAnd: "至",
  gapAsk: "再次查询服务器",
  gapEnd: (topics) => (topics === undefined ? "。" : `（${topics}）。`),
  gapTime: (at, now) => momentWithTime(at, now, "within"),
  repeats: (n, lastMs, firstMs) => {
    const [last, first] = [timeOfDay(lastMs), timeOfDay(firstMs)];
    return `×${count(n)}，最近 ${last}${first === last ? "" : `，最早 ${first}`}`;
  },
  repeatsOpen: "显示全部",
  filter: {
    label: "搜索和筛选",
    placeholder: (n) => `搜索${n ? ` ${count(n)} 条消息` : ""}，或筛选：priority:high tag:backup -nightly`,
    placeholderShort: (where) => `在 ${where} 中搜索`,
    search: "搜索",
    clear: "清除搜索和筛选",
    looked: (n, total) => `${count(n)} / ${count(total)}`,
    slash: "按 / 搜索",
  },
  triage: {
    done: (n) => some("已完成", n),
    notDone: (n) => some("已移回消息流", n),
    snoozed: (n, until, now) => `${some("已设为稍后提醒", n)}：${momentWithTime(until, now, "within")}`,
    woken: (n) => some("已移回消息流", n),
    deleted: (n) => some("已删除", n),
    cancelled: (n) => (n === 1 ? "已取消投递" : `${count(n)} 条投递已取消`),
    hiddenHere: "此服务器无法取消；仅在此处隐藏。",
    sent: "消息已发送",
    sentTwice: "已发送。此服务器无法取消，到时会再次投递。",
  },

  message: {
    tools: "消息操作",
    more: "更多",
    markRead: "标为已读",
    markUnread: "标为未读",
    star: "加星标",
    unstar: "取消星标",
    done: "完成",
    notDone: "未完成",
    snooze: "稍后提醒…",
    delete: "删除",
    copyText: "复制文本",
    copyLink: "复制链接",
    raw: "原始 JSON",
    curl: "复制为 curl",
    open: "打开",
    textCopied: "已复制文本",
    linkCopied: "已复制链接",
    jsonCopied: "已复制 JSON",
    valueCopied: "已复制",
    copyByHand: "复制以下内容",
    always: (topic) => `始终加载 ${topic} 的图片`,
    notAlways: (topic) => `加载 ${topic} 的图片前询问`,
    filterTag: (tag) => `按标签 ${tag} 筛选`,
    moreTags: (n) => `另有 ${count(n)} 个`,
    openLink: (host) => (host ? `打开 ${host}` : "打开链接"),
    cannotOpen: (address) => `此类链接无法在这里打开：${address}`,
    cancelDelivery: "取消投递",
    sendNow: "立即发送",
    updated: "已更新",
    updatedLabel: "已更新：查看早先的版本",
    updatedTip: "查看早先的版本",
    back: "返回消息",
    loadIcon: (host) => `从 ${host} 加载图标`,
    loadPicture: (host, alt) => (alt ? `从 ${host} 加载图片“${alt}”` : `从 ${host} 加载图片`),
  },
  action: {
    done: (label, status) => `${label}：完成（${String(status)}）`,
    refused: (label, status) => `${label}：该地址返回错误（${String(status)}）`,
    redirected: (label) => `${label}：该地址重定向到另一个地址，未与后者联系`,
    unanswered: (label) => `${label}：该地址没有应答`,
    failed: (label, why) => `${label}：${why}`,
    broadcast: "只有服务器的 Android 应用能执行此操作",
    notStored: "只有已订阅主题的消息才能发送请求",
    noTarget: "此类链接无法在这里打开",
  },
};
