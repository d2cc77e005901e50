import type { Translation } from "../catalogue";
import { count, duration, momentWithTime, timeOfDay } from "../format";

/** The message, or some of them, as the object of a sentence. */
const some = (n: number) => (n === 1 ? "メッセージ" : `${count(n)} 件のメッセージ`);

/** Text around messages, actions on them, and the filter. Times and durations in ms. */
export const rows: Translation["rows"] = {
  newRows: (n) => `新着 ${count(n)} 件`,
  newRowsSome: "新着メッセージ",
  showNew: "新着メッセージを表示",
  failed: "メッセージを読み取れません",
  gap: (offline, kept) =>
    kept === undefined
      ? "次の期間のメッセージが欠けている可能性があります:"
      : `${duration(offline)}オフラインでした。サーバーがメッセージを保持するのは${duration(kept)}です。次の期間のメッセージが欠けている可能性があります:`,
  gapForgot: "サーバーが保持していたメッセージを失いました。次の期間のメッセージが欠けている可能性があります:",
  gapCut: "サーバーが一度に送る量を超えました。次の期間のメッセージが欠けている可能性があります:",
  gapAnd: "～",
  gapAsk: "サーバーにもう一度問い合わせる",
  gapEnd: (topics) => (topics === undefined ? "。" : `（${topics}）。`),
  gapTime: (at, now) => momentWithTime(at, now, "within"),
  repeats: (n, lastMs, firstMs) => {
    const [last, first] = [timeOfDay(lastMs), timeOfDay(firstMs)];
    return `×${count(n)}、最後 ${last}${first === last ? "" : `、最初 ${first}`}`;
  },
  repeatsOpen: "すべて表示",
  filter: {
    label: "検索と絞り込み",
    placeholder: (n) =>
      `${n ? `${count(n)} 件のメッセージを検索` : "検索"}、または絞り込み: priority:high tag:backup -nightly`,
    placeholderShort: (where) => `${where} を検索`,
    search: "検索",
    clear: "検索と絞り込みを消去",
    looked: (n, total) => `${count(n)} / ${count(total)}`,
    slash: "/ を押して検索",
  },
  triage: {
    done: (n) => `${some(n)}を完了にしました`,
    notDone: (n) => `${some(n)}をフィードに戻しました`,
    snoozed: (n, until, now) => `${some(n)}を${momentWithTime(until, now, "within")} までスヌーズしました`,
    woken: (n) => `${some(n)}をフィードに戻しました`,
    deleted: (n) => `${some(n)}を削除しました`,
    cancelled: (n) => (n === 1 ? "配信を取り消しました" : `${count(n)} 件の配信を取り消しました`),
    hiddenHere: "このサーバーでは取り消せません。ここでのみ非表示にしました。",
    sent: "送信しました",
    sentTwice: "送信しました。このサーバーでは取り消せないため、予定の時刻にもう一度配信されます。",
  },

  message: {
    tools: "メッセージの操作",
    more: "その他",
    markRead: "既読にする",
    markUnread: "未読にする",
    star: "スターを付ける",
    unstar: "スターを外す",
    done: "完了",
    notDone: "未完了",
    snooze: "スヌーズ…",
    delete: "削除",
    copyText: "テキストをコピー",
    copyLink: "リンクをコピー",
    raw: "生の JSON",
    curl: "curl としてコピー",
    open: "開く",
    textCopied: "テキストをコピーしました",
    linkCopied: "リンクをコピーしました",
    jsonCopied: "JSON をコピーしました",
    valueCopied: "コピーしました",
    copyByHand: "これをコピーしてください",
    always: (topic) => `${topic} の画像を常に読み込む`,
    notAlways: (topic) => `${topic} の画像を読み込む前に確認する`,
    filterTag: (tag) => `タグ ${tag} で絞り込む`,
    moreTags: (n) => `ほか ${count(n)} 件`,
    openLink: (host) => (host ? `${host} を開く` : "リンクを開く"),
    cannotOpen: (address) => `この種類のリンクはここでは開けません: ${address}`,
    cancelDelivery: "配信を取り消す",
    sendNow: "今すぐ送信",
    updated: "更新済み",
    updatedLabel: "更新済み: 以前の版を表示",
    updatedTip: "以前の版を表示",
    back: "メッセージに戻る",
    loadIcon: (host) => `${host} からアイコンを読み込む`,
    loadPicture: (host, alt) => (alt ? `${host} から画像「${alt}」を読み込む` : `${host} から画像を読み込む`),
  },
  action: {
    done: (label, status) => `${label}: 完了（${String(status)}）`,
    refused: (label, status) => `${label}: アドレスがエラーを返しました（${String(status)}）`,
    redirected: (label) => `${label}: アドレスが別のアドレスへ転送しようとしましたが、接続していません`,
    unanswered: (label) => `${label}: アドレスから応答がありません`,
    failed: (label, why) => `${label}: ${why}`,
    broadcast: "これができるのはサーバーの Android アプリだけです",
    notStored: "リクエストを送信できるのは、購読中のトピックのメッセージだけです",
    noTarget: "この種類のリンクはここでは開けません",
  },
};
