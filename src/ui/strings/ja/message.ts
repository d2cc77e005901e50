import type { Translation } from "../catalogue";
import { count, duration, inOneUnit } from "../format";

/** The message page and its dialogs, and the text shown in place of messages. Durations in ms. */
export const message: Translation["message"] = {
  details: {
    tabs: "このメッセージについて",
    details: "詳細",
    versions: "以前の版",
    raw: "生データ",
    steps: "ほかのメッセージ",
    previous: "前へ",
    next: "次へ",
    topic: "トピック",
    priority: "優先度",
    priorityValue: (n, name) => `${count(n)}（${name}）`,
    tags: "タグ",
    received: "受信",
    via: { stream: "ライブ", poll: "後から取得", push: "プッシュ" },
    receivedValue: (at, via, after) => (after === undefined ? `${at}、${via}` : `${at}、${via}（${after}）`),
    onServer: "サーバー上",
    until: (said) => `${said} まで`,
    goneSince: (said) => `${said} に削除`,
    notKept: "保存されていません",
    due: "配信予定",
    noAlert: "通知なし",
    noAlertReasons: {
      unshown: "5 分間、通知を表示できるタブがありませんでした",
      history: "トピックを初めて取得したとき、すでにサーバーにありました",
      superseded: "より新しい版がすでにありました",
      read: "すでに既読、または完了済みでした",
      muted: "トピックがミュート中でした",
      priority: "トピックがより高い優先度を求めていました",
      "all-muted": "すべてミュート中でした",
      quiet: (until) => (until === undefined ? "無期限のサイレント時間" : `${until} までのサイレント時間`),
    },
    link: "リンク",
    id: "ID",
    missing: "このメッセージはもう保存されていません",
    close: "閉じる",
    copyJson: "JSON をコピー",
    curlCopied: "curl コマンドをコピーしました",
  },

  repeats: {
    seen: (n, isPart, ms, days) =>
      `${days > 0 ? `${count(days)}日` : duration(inOneUnit(Math.max(ms, 1000)))}間に${count(n)} 回${isPart ? "以上" : ""}`,
    none: "同様のメッセージはほかに保存されていません。",
    chart: (first, last, most) => `時期のグラフ: 最初 ${first}、最後 ${last}、1 本の最大 ${count(most)} 件`,
    show: "一覧を表示",
    hide: "一覧を隠す",
  },

  request: {
    confirm: (label) => `「${label}」はリクエストを送信します`,
    confirmHint: "メッセージがこれを求めています。アドレスの運営者に、お使いのネットワークのアドレスが見えます。",
    headers: "ヘッダー",
    body: "本文",
    send: "送信",
    remember: (topic) => `${topic} のメッセージが次を求めたとき、今後は確認しない:`,
    preview: "このボタンは次へリクエストを送信します:",
    previews: "これらのボタンは次へリクエストを送信します:",
  },

  json: {
    tree: "JSON",
    entries: (n) => count(n),
    more: (n) => `ほか ${count(n)} 件`,
    moreCharacters: (n) => `ほか ${count(n)} 文字`,
    value: "値をコピー",
    valueCopied: "値をコピーしました",
    path: "パスをコピー",
    pathCopied: "パスをコピーしました",
  },

  empty: {
    topic: "メッセージはまだありません",
    topicHint: "このトピックに送られたメッセージは、すぐここに表示されます。ターミナルから:",
    everything: "メッセージはまだありません",
    everythingHint: "トピックに送られたメッセージは、すぐここに表示されます。",
    starred: "スター付きはありません",
    starredHint: "スターを付けたメッセージは、外すまで残ります。メッセージで s を押すか、メニューを使ってください。",
    scheduled: "予約はありません",
    scheduledHint: "後で配信されるメッセージが、時刻とともにここに並びます。",
    done: "完了したものはありません",
    doneHint: "完了にしたメッセージはフィードから外れ、ここに並びます。",
    snoozed: "スヌーズ中のものはありません",
    snoozedHint:
      "スヌーズしたメッセージはフィードから外れ、時刻になると未読で戻ります。メッセージで h を押してください。",
    urgent: "緊急のものはありません",
    urgentHint: "優先度「緊急」のメッセージがここに並びます。優先度「高」には別の一覧があり、1 回押すだけで開けます。",
    example: "届きました",
  },

  snooze: {
    heading: "いつまでスヌーズしますか",
    times: { hour: "1 時間後", evening: "今日の夕方", tomorrow: "明日", monday: "次の月曜日" },
    now: "今すぐ戻す",
    pick: "日時を選ぶ",
    set: "スヌーズ",
    past: "その時刻は過ぎています。",
  },

  none: {
    heading: "一致するものがありません",
    hint: "保存されたメッセージに一致するものがありません。",
    drop: "除くと",
    wouldShow: (n, isAll) => `${count(n)}${isAll ? "" : "+"} 件`,
    together: "どれか 1 つを除いても見つかりません。",
    none: "どのフィルターも、単独では一致しません。",
    everywhere: "すべてのトピックを検索",
    nowhere: "ほかのトピックにも一致するメッセージはありません。",
    clear: "フィルターを消去",
  },

  preview: {
    heading: "プレビュー",
    empty: "現在、サーバーにこのトピックのメッセージはありません",
    none: "フィルターに一致するメッセージはありません",
    more: (n) => `より古い ${count(n)} 件は表示していません`,
  },
};
