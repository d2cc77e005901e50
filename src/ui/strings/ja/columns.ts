import type { Translation } from "../catalogue";
import { count, timeOfDay } from "../format";

/** Columns side by side, and the wall. */
export const columns: Translation["columns"] = {
  add: "カラムを追加",
  addLabel: "表示する内容",
  choices: "カラムに表示できるもの",
  noChoice: "一致するものがありません。",
  kinds: { view: "保存したビュー", server: "サーバー" },
  menu: (title) => `カラム「${title}」の操作`,
  filter: "このカラムを絞り込む",
  alone: "単独で表示",
  before: "先頭の方へ移動",
  after: "末尾の方へ移動",
  wider: "幅を広げる",
  narrower: "幅を狭める",
  remove: "カラムを削除",
  removed: "カラムを削除しました",
  wall: "ウォールで表示",
  none: "カラムはまだありません。",
  notSubscribed: (names) => `${names} は購読していません`,
  subscribe: "購読…",
};

export const wall: Translation["wall"] = {
  label: "ウォール",
  leave: "ウォールを終了",
  full: "全画面",
  noFull: "このブラウザーではページを全画面で表示できません。",
  mayTurnOff: "このブラウザーでは画面をオンのままにできません。いつ消えるかは端末が決めます。",
  isRefused: "現在、端末が画面をオンのままにできません。省電力のためかもしれません。",
  empty: "何もありません",
  stale: (said) => `${said} から接続がありません。内容が古い可能性があります。`,
  never: "まだ接続がありません。内容が古い可能性があります。",
  repeats: (n, firstMs) => `${timeOfDay(firstMs)} から ×${count(n)}`,
};
