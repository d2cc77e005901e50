import type { Translation } from "../catalogue";
import { count } from "../format";

/** Strings that several screens share. */
export const common: Translation["appStrings"]["common"] = {
  appName: "Earshot",
  close: "閉じる",
  cancel: "キャンセル",
  save: "保存",
  undo: "元に戻す",
  copy: "コピー",
  copied: "コピーしました",
  details: "詳細",
  more: "その他",
  tryAgain: "再試行",
  tryNow: "今すぐ試す",
  signIn: "ログイン",
  subscribe: "購読",
  messages: (n) => `メッセージ ${count(n)} 件`,
  unread: (n) => `未読 ${count(n)} 件`,
  urgentUnread: (n) => `緊急の未読 ${count(n)} 件`,
  highUnread: (n) => `優先度「高」の未読 ${count(n)} 件`,
  topics: (n) => `トピック ${count(n)} 件`,
  servers: (n) => `サーバー ${count(n)} 台`,
  noSuchMessage: "このリンクのメッセージは、この端末に保存されていません。",
  notLoaded: "アプリのこの部分を読み込めませんでした。",
  noStart: "Earshot を起動できませんでした。",
};

/** Names of the priorities (docs/protocol.md §14). */
export const priority: Translation["appStrings"]["priority"] = {
  label: "優先度",
  names: { 1: "最低", 2: "低", 3: "標準", 4: "高", 5: "緊急" },
};
