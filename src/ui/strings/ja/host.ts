import type { Translation } from "../catalogue";
import { count } from "../format";
import { hostProblemTextFrom, type HostProblemStrings } from "../host-problem-text";

const problemStrings: HostProblemStrings = {
  wanted: {
    object: "オブジェクト: { … }",
    list: "リスト: [ … ]",
    name: "1～40 文字のテキスト",
    address: 'サーバーのアドレス（例: "https://ntfy.example.com"）',
    colour: '色（例: "#0b7a75"）',
    topic: 'トピック（例: "backups"、"ntfy.example.com/backups"）',
    "push-key": "プッシュ用の鍵（B で始まる 87 文字）",
    language: '言語コード（例: "ja"）または "system"',
    boolean: "true または false",
    count: "0 以上の整数",
    setting: "提供者が設定できる項目の名前",
    fewer: "50 件まで",
  },
  oneOf: (values) => `次のいずれか: ${values}`,
  tooLong: "ファイルが 64 KB を超えているため、読み込みませんでした。",
  notJson: (text) => `ファイルは JSON ではありません: ${text}`,
  unknown: (at) => `${at}: 不明な名前`,
  wrong: (at = "ファイル", wanted, found) => `${at}: 必要な値は${wanted}、現在の値は ${found} です`,
  notAllowed: (at) => `${at}: allowedServers にないサーバーのトピックです。`,
};

/** What the host of the app has set. */
export const host: Translation["host"] = {
  heading: "提供者による設定",
  hint: "このアプリの提供者が config.json で設定しました。",
  name: "名前",
  server: "既定のサーバー",
  allowed: "トピックを追加できるサーバー",
  fixed: "固定された設定",
  locked: "このアプリの提供者が設定しました。ここでは変更できません。",
  problems: (n) => `config.json に ${count(n)} 件の誤り`,
  problemsHint: "誤りのある項目は無視され、ほかの項目は有効です。",
  problem: hostProblemTextFrom(problemStrings),
};
