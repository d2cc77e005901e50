import type { Translation } from "../catalogue";
import { count, timeOfDay } from "../format";

/** Columns side by side, and the wall. */
export const columns: Translation["columns"] = {
  add: "添加列",
  addLabel: "显示内容",
  choices: "列可以显示的内容",
  noChoice: "没有匹配项。",
  kinds: { view: "已保存的视图", server: "服务器" },
  menu: (title) => `“${title}”列的操作`,
  filter: "筛选此列",
  alone: "单独显示",
  before: "移向开头",
  after: "移向末尾",
  wider: "加宽",
  narrower: "变窄",
  remove: "移除列",
  removed: "已移除列",
  wall: "显示为看板",
  none: "还没有列。",
  notSubscribed: (names) => `未订阅 ${names}`,
  subscribe: "订阅…",
};

export const wall: Translation["wall"] = {
  label: "看板",
  leave: "退出看板",
  full: "全屏",
  noFull: "浏览器无法全屏显示此页面。",
  mayTurnOff: "此浏览器无法保持屏幕常亮：何时熄屏由设备决定。",
  isRefused: "设备目前不让屏幕保持常亮，可能是为了省电。",
  empty: "这里没有内容",
  stale: (said) => `自 ${said} 起失去联系。内容可能已过时。`,
  never: "尚未取得联系。内容可能已过时。",
  repeats: (n, firstMs) => `自 ${timeOfDay(firstMs)} 起 ×${count(n)}`,
};
