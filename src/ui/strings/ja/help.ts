import type { Translation } from "../catalogue";

/** Around the pages of the help, and where questions arise. */
export const help: Translation["help"] = {
  contents: "ヘルプのページ",
  language: "ヘルプは現在、英語のみです。",
  pages: {
    "first-steps": "はじめに",
    filters: "検索と絞り込み",
    keyboard: "キーボード",
    phones: "スマートフォンとインストール",
    troubleshooting: "うまくいかないとき",
  },
  links: {
    "first-steps": "Earshot のしくみ",
    filters: "フィルターの使い方",
    keyboard: "キーボードの詳細",
    phones: "スマートフォンでの通知",
    troubleshooting: "うまくいかないとき",
  },
};
