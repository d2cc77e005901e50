import type { Translation } from "../catalogue";
import { count } from "../format";
import { hostProblemTextFrom, type HostProblemStrings } from "../host-problem-text";

const problemStrings: HostProblemStrings = {
  wanted: {
    object: "对象：{ … }",
    list: "列表：[ … ]",
    name: "1 到 40 个字符的文本",
    address: '服务器的地址，例如 "https://ntfy.example.com"',
    colour: '颜色，例如 "#0b7a75"',
    topic: '主题，例如 "backups" 或 "ntfy.example.com/backups"',
    "push-key": "推送密钥：以 B 开头的 87 个字符",
    language: '语言代码，例如 "zh"，或 "system"',
    boolean: "true 或 false",
    count: "不小于 0 的整数",
    setting: "托管者可以设定的设置的名称",
    fewer: "最多 50 项",
  },
  oneOf: (values) => `以下之一：${values}`,
  tooLong: "文件超过 64 KB，未读取。",
  notJson: (text) => `文件不是 JSON：${text}`,
  unknown: (at) => `${at}：未知名称`,
  wrong: (at = "文件", wanted, found) => `${at}：必须是${wanted}；现在是 ${found}`,
  notAllowed: (at) => `${at}：其服务器不在 allowedServers 中。`,
};

/** What the host of the app has set. */
export const host: Translation["host"] = {
  heading: "来自托管者",
  hint: "此应用的托管者在其 config.json 中设定了这些内容。",
  name: "名称",
  server: "默认服务器",
  allowed: "可以添加主题的服务器",
  fixed: "固定的设置",
  locked: "由此应用的托管者设定，无法在这里更改。",
  problems: (n) => `config.json 中有 ${count(n)} 处错误`,
  problemsHint: "有错误的条目会被忽略；其余条目有效。",
  problem: hostProblemTextFrom(problemStrings),
};
