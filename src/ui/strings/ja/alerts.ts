import type { Translation } from "../catalogue";
import { count, duration, list } from "../format";

/** Notifications, and the settings that are about them. */
export const alerts: Translation["alerts"] = {
  heading: "通知",
  states: {
    on: "オン。Earshot を開いている間、通知します。",
    off: "オフ",
    ask: "オフ。ブラウザーが許可を求めます。",
    blocked:
      "このサイトではブロックされています。許可するには、アドレスの横のアイコンを押して「通知」を選んでください。スマートフォンでは、ブラウザーでこのサイトの設定を開いてください。",
    plain: "通常の http では使えません。ブラウザーは https で読み込んだページの通知だけを表示します。",
    install: "Earshot をホーム画面に追加すると使えます。「共有」、「ホーム画面に追加」の順にタップしてください。",
    unsupported: "このブラウザーはウェブページの通知に対応していません。",
    failed: "現在使えません。このページの Service Worker が動いていません。",
  },
  turnOn: "オンにする",
  turnOff: "オフにする",
  test: "テスト通知を送信",
  testSent:
    "テスト通知を送信しました。表示されない場合はシステムが止めています。通知の設定と「おやすみモード」を確認してください。",
  testFailed: "ブラウザーが通知を表示しませんでした。",
  testTitle: "通知は正常です",
  testBody: "通知はこのように表示されます。",
  topicHint: "トピックのミュートや最低優先度は、そのトピックの設定で変更できます。",

  buttons: { done: "完了", snooze: "1 時間スヌーズ" },
  title: (title, topic) => `${title} · ${topic}`,
  inOne: (n, topic) => `${topic} に新着 ${count(n)} 件`,
  inSeveral: (n, topics) => `${count(topics)} 件のトピックに新着 ${count(n)} 件`,
  withUrgent: (said, n) => `${said}、うち緊急 ${count(n)} 件`,
  arrived: (n, isPart, where) =>
    `${typeof where === "number" ? `${count(where)} 件のトピック` : list(where)}に新着メッセージ ${count(n)} 件${isPart ? "以上" : ""}`,
  topicLine: (topic, n) => `${topic}: ${count(n)} 件`,
  more: (n) => `ほか ${count(n)} 件のトピック`,

  stopped: (server) => `${server} から何も届いていません`,
  refused: (topics) => `${list(topics)} から何も届いていません`,
  away: (server) => `${server} に接続できません`,
  awaySince: (said) => `${said} から。その間に送られたものは、サーバーが保持していれば復旧後に届きます。`,
  back: (server) => `${server} が復旧しました`,
  wasAway: (ms) => `${duration(ms)}接続できませんでした。`,
};
