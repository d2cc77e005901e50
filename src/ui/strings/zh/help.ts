import type { Translation } from "../catalogue";

/** Around the pages of the help, and where questions arise. */
export const help: Translation["help"] = {
  contents: "帮助页面",
  language: "帮助目前只有英文版。",
  pages: {
    "first-steps": "入门",
    filters: "搜索和筛选",
    keyboard: "键盘",
    phones: "手机和安装",
    troubleshooting: "出现问题时",
  },
  links: {
    "first-steps": "Earshot 的工作方式",
    filters: "筛选的用法",
    keyboard: "更多键盘说明",
    phones: "手机上的通知",
    troubleshooting: "出现问题时",
  },
};
