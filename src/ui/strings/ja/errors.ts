import type { Translation } from "../catalogue";
import { failureTextFrom, type FailureStrings } from "../failure-text";

const failureStrings: FailureStrings = {
  theServer: "サーバー",
  network: (server) => `${spaced(server)}に接続できません。`,
  silent: (server) => `${spaced(server)}が応答しなくなりました。`,
  ended: (server) => `${spaced(server)}が接続を閉じました。`,
  http: (server, status) => `${spaced(server)}がエラーを返しました（${status}）。`,
  lockedOut: (server) =>
    `このネットワークからのログイン失敗が多すぎます。${spaced(server)}は数分間すべてのログインを拒否します。`,
  busy: (server) => `${spaced(server)}がリクエストを制限しています。`,
  unauthorized: (server) => `${spaced(server)}がパスワードまたはトークンを拒否しました。`,
  mayNotRead: (topics = "このトピック") => `このユーザーには${topics}を読む権限がありません。`,
  needsSignIn: (server, topics) =>
    `${spaced(server)}は${topics === undefined ? "" : `${topics} の閲覧に`}ログインを求めています。`,
  noTopicServer: "このアドレスにトピックサーバーはありません。",
  notAllowedByBrowser: "ブラウザーが、このページからそのアドレスへの接続を許可していません。",
  malformed: (server = "サーバー") =>
    `${spaced(server)}の代わりに別のものが応答しています。このネットワークで先にログインが必要かもしれません。`,
  notAllowedByHost: "このアプリの提供者は、このサーバーを許可していません。",
  fixedByHost: "このアプリの提供者が、この設定を固定しています。",
  duplicate: "このトピックはすでに購読しています。",
  notFound: "もう存在しません。",
  quota: "保存領域がいっぱいです。",
  storage: (text) => `保存に失敗しました: ${text}`,
};

/** A name before Japanese text: a space follows Latin letters. */
function spaced(name: string): string {
  return /[\x21-\x7e]$/.test(name) ? `${name} ` : name;
}

/** What is said of attempts and commands that failed. */
export const errors = {
  ...failureTextFrom(failureStrings),
  noClipboard: "ブラウザーが、このページにクリップボードの使用を許可していません。",
} satisfies Translation["errors"];
