import type { Translation } from "../catalogue";
import { count } from "../format";

/** Saved views. */
export const views: Translation["views"] = {
  save: "このビューを保存",
  rename: "ビューの名前を変更",
  name: "名前",
  example: "失敗したバックアップ",
  filter: (filter) => `フィルター ${filter} を含みます。`,
  noFilter: "表示中のトピックを含みます。フィルターはありません。",
  replaces: "同じ名前のビューがあります。置き換えられます。",
  needsName: "名前を入力してください。",
  taken: "別のビューがこの名前を使っています。",
  saved: (name) => `「${name}」を保存しました`,
  replaced: (name) => `「${name}」を変更しました`,
  moved: (name, place, all) => `ビュー ${name}: ${count(all)} 件中 ${count(place)} 番目`,
  removed: (name) => `「${name}」を削除しました`,
};
