import type { Translation } from "../catalogue";
import { bytes, count, duration, moment, momentWithTime } from "../format";

/** The feed and its messages, as they are first shown. Times in ms. */
export const feed: Translation["appStrings"]["feed"] = {
  label: "メッセージ",
  loading: "読み込み中…",
  searching: (backTo, now) => `検索中。${moment(backTo, now, "within")} までさかのぼりました`,
  end: "これより古い保存はありません",
  message: {
    unread: "未読",
    starred: "スター付き",
    due: (left, at, now) => `${duration(left)}後 · ${momentWithTime(at, now, "within")}`,
    select: (title) => `${title} を選択`,
    showAll: "すべて表示",
    showLess: "折りたたむ",
    binary: (sizeBytes) => `${bytes(sizeBytes)} のバイナリーデータ`,
    unseen: (n) => `${count(n)} 文字。見える文字はありません`,
  },
};
