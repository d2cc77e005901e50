import type { Translation } from "../catalogue";
import { count } from "../format";

/** Saved views. */
export const views: Translation["views"] = {
  save: "保存此视图",
  rename: "重命名视图",
  name: "名称",
  example: "失败的备份",
  filter: (filter) => `包括筛选条件 ${filter}。`,
  noFilter: "包括所显示的主题，不含筛选条件。",
  replaces: "已有同名视图，它将被替换。",
  needsName: "请输入名称。",
  taken: "另一个视图已使用此名称。",
  saved: (name) => `已保存“${name}”`,
  replaced: (name) => `已更改“${name}”`,
  moved: (name, place, all) => `视图 ${name}：第 ${count(place)} 个，共 ${count(all)} 个`,
  removed: (name) => `已移除“${name}”`,
};
