import type { Translation } from "../catalogue";
import { bytes, count, duration, moment, momentWithTime } from "../format";

/** The feed and its messages, as they are first shown. Times in ms. */
export const feed: Translation["appStrings"]["feed"] = {
  label: "消息",
  loading: "正在加载…",
  searching: (backTo, now) => `正在搜索，已回溯至 ${moment(backTo, now, "within")}`,
  end: "没有更早的存储消息",
  message: {
    unread: "未读",
    starred: "已加星标",
    due: (left, at, now) => `${duration(left)}后 · ${momentWithTime(at, now, "within")}`,
    select: (title) => `选择 ${title}`,
    showAll: "展开全部",
    showLess: "收起",
    binary: (sizeBytes) => `${bytes(sizeBytes)} 二进制数据`,
    unseen: (n) => `${count(n)} 个字符，均不可见`,
  },
};
