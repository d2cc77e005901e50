import type { Translation } from "../catalogue";
import { failureTextFrom, type FailureStrings } from "../failure-text";

/** A name before Chinese text: a space follows Latin letters. */
const spaced = (name: string) => (/[\x21-\x7e]$/.test(name) ? `${name} ` : name);

const failureStrings: FailureStrings = {
  theServer: "服务器",
  network: (server) => `${spaced(server)}无法访问。`,
  silent: (server) => `${spaced(server)}停止响应。`,
  ended: (server) => `${spaced(server)}关闭了连接。`,
  http: (server, status) => `${spaced(server)}返回错误（${status}）。`,
  lockedOut: (server) => `来自此网络的登录失败次数过多。${spaced(server)}会在几分钟内拒绝所有登录。`,
  busy: (server) => `${spaced(server)}正在限制请求。`,
  unauthorized: (server) => `${spaced(server)}拒绝了密码或令牌。`,
  mayNotRead: (topics) => `此用户无权读取${topics === undefined ? "此主题" : ` ${topics}`}。`,
  needsSignIn: (server, topics) => `${spaced(server)}要求登录${topics === undefined ? "" : `才能读取 ${topics}`}。`,
  noTopicServer: "此地址没有主题服务器。",
  notAllowedByBrowser: "浏览器不允许此页面访问该地址。",
  malformed: (server) =>
    `应答的不是${server === undefined ? "服务器" : ` ${server}`}，而是别的东西。此网络可能要求先登录。`,
  notAllowedByHost: "此应用的托管者不允许此服务器。",
  fixedByHost: "此应用的托管者已固定此设置。",
  duplicate: "你已订阅此主题。",
  notFound: "它已不存在。",
  quota: "存储空间已满。",
  storage: (text) => `存储出错：${text}`,
};

/** What is said of attempts and commands that failed. */
export const errors = {
  ...failureTextFrom(failureStrings),
  noClipboard: "浏览器不允许此页面使用剪贴板。",
} satisfies Translation["errors"];
