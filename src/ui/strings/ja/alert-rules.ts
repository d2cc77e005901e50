import type { Translation } from "../catalogue";
import { count } from "../format";

/** The rules of alerts: quiet hours, muting everything, repeats. */
export const alertRules: Translation["alertRules"] = {
  muteAll: {
    heading: "すべてミュート",
    open: "すべてミュート…",
    hint: "メッセージは引き続き届き、未読として数えられます。緊急のものも含め、通知は一切ありません。",
    muted: (said) => (said ? `${said}まですべてミュート中` : "すべてミュート中"),
    end: "ミュートを解除",
    topics: "ミュート中のトピック",
    endOf: (name) => `${name}のミュートを解除`,
    ended: "すべての通知を再開しました",
  },
  sounds: {
    heading: "通知音",
    hint: "開いていて通知がオンの間、システムの音の代わりに Earshot の音を鳴らします。優先度の低いメッセージとミュート中のトピックは鳴りません。",
    of: { urgent: "緊急", high: "高", others: "その他" },
    ofTopic: "通知音",
    everywhere: "全体の設定と同じ",
    none: "システムの音",
    names: { chime: "チャイム", knock: "ノック", drop: "しずく", bell: "ベル", siren: "サイレン" },
    play: "再生",
    notAllowed: "このページで何かを押すまで、ブラウザーは音を出しません。",
  },
  outage: {
    label: "サーバーに接続できないとき",
    hint: "1 回通知し、復旧したときにもう 1 回通知します。この端末自体にネットワークがないときは通知しません。",
    off: "通知しない",
    after: (minutes) => (minutes === 60 ? "1 時間後に通知" : `${count(minutes)} 分後に通知`),
    pause: "この通知を一時停止",
    pauseHint: "それまでは、接続できないサーバーがあっても通知しません。",
    notPaused: "停止していません",
    pausedUntil: (said) => `${said} まで`,
    pauses: { hour: "1 時間", eight: "8 時間" },
  },
  repeat: {
    label: "緊急の通知を既読になるまで繰り返す",
    hint: (minutes, times) =>
      `Earshot を開いている間、緊急のメッセージを ${count(minutes)} 分ごとに、最大 ${count(times)} 回まで再び通知します。`,
  },
  quiet: {
    heading: "サイレント時間",
    keep: "サイレント時間を使う",
    hint: "メッセージは引き続き届きます。この時間帯は通知しません。",
    span: (n) => `サイレント時間 ${count(n)}`,
    days: "曜日",
    from: "開始",
    to: "終了",
    nextDay: (to) => `翌日の ${to} に終わります。`,
    noTime: "時刻を入力してください。",
    add: "時間帯を追加",
    remove: (n) => `サイレント時間 ${count(n)} を削除`,
    removed: "サイレント時間を削除しました",
    urgent: "緊急のメッセージは通知する",
    now: (until, urgentAlerts) =>
      `${until === undefined ? "常にサイレント" : `${until}までサイレント`}${urgentAlerts ? "（緊急は通知）" : ""}`,
    ahead: (from) => `現在はサイレントではありません。次は ${from} から`,
    never: "サイレントなし: 曜日が選ばれていません",
    off: "オフ",
    push: "この端末では、プッシュにサイレント時間と最低優先度は適用されません。システムがすべてのプッシュを表示するためです。",
    ofTopic: { everywhere: "全体の設定と同じ", none: "なし", own: "個別に設定" },
    everywhere: (said) => `全体の設定: ${said}`,
  },
};
