import type { Translation } from "../catalogue";
import { bytes, count, duration, inOneUnit } from "../format";

/** Files that come with messages. Lengths of time in ms, sizes in bytes. */
export const attachment: Translation["attachment"] = {
  load: "画像を読み込む",
  play: "再生",
  show: "テキストを表示",
  hide: "テキストを隠す",
  from: (host) => `${host} から`,
  on: (host) => `${host} にあります`,
  expiresIn: (ms) => `サーバーにあと${duration(inOneUnit(ms))}保存`,
  gone: "サーバーにはもうありません",
  file: "ファイル",
  size: bytes,
  failed: {
    image: "表示できません。見つからないか、画像ではありません",
    audio: "再生できません。見つからないか、このブラウザーが対応していない形式です",
    video: "再生できません。見つからないか、このブラウザーが対応していない形式です",
  },
  tryAgain: "再試行",
  kept: "この端末に保存済み",
  notKept: {
    gone: "保存する前にサーバーから削除されました",
    refused: "未保存：サーバーがサインインを求めました",
    "too-large": "未保存：ファイルの上限より大きいため",
    "no-room": "未保存：ファイル用の容量を使い切ったため",
    "disk-full": "未保存：この端末に空き容量がなかったため",
    deleted: "未保存：保存したファイルを削除したため",
    failed: "未保存：応答がないか、応答がそのファイルではありませんでした",
  },
  save: "保存",

  image: {
    enlarge: (name) => `${name} を拡大`,
    zoomIn: "拡大",
    zoomOut: "縮小",
    fit: "全体表示",
    zoom: (percent) => `${count(percent)}%`,
    open: "新しいタブで開く",
    previous: "前の画像",
    next: "次の画像",
    save: "画像を保存",
    share: "画像を共有",
    loading: "読み込み中…",
    view: "画像。矢印キーで移動、+ と − で拡大・縮小",
  },

  text: {
    reading: "読み込み中…",
    first: (shown, total) =>
      total === undefined ? `先頭の ${bytes(shown)}` : `${bytes(total)} のうち先頭の ${bytes(shown)}`,
    empty: "ファイルは空です",
    none: "テキストではありません",
    gone: "サーバーにはもうありません",
    failed: "ここでは読み取れません。応答がないか、配信元がこのページに読み取りを許可していません",
  },
};
