import type { Translation } from "../catalogue";
import { count, timeOfDay } from "../format";

/** The live tail of a topic as plain text. */
export const raw: Translation["raw"] = {
  heading: (topic) => `生データ: ${topic}`,
  what: "送られたままのライブテキストです。1 メッセージ 1 行で、何も保存しません。",
  back: "メッセージに戻る",
  label: "行",
  ask: (topic, host) => `購読せずに ${host} の ${topic} を受信しますか？`,
  start: "開始",
  states: {
    connecting: "接続中",
    open: "ライブ",
    waiting: "接続が切れました。再試行しています。",
    stopped: "停止",
  },
  lastSign: (said) => `最後の受信 ${said}`,
  lines: (n) => `${count(n)} 行`,
  left: (n) => `${count(n)} 行を省略`,
  waitingForLines: "まだ何もありません。新しいメッセージが 1 行ずつ表示されます。",
  ended: (atMs) => `切断 ${timeOfDay(atMs)}`,
  again: (atMs) => `再接続 ${timeOfDay(atMs)}（その間に送られたものは表示されません）`,
  pause: "一時停止",
  follow: "追う",
  fresh: (n) => `新着 ${count(n)} 行`,
  copy: "コピー",
  copyHeading: "これらの行をコピーしてください",
  copied: "行をコピーしました",
  clear: "消去",
};
