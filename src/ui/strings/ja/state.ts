import type { Translation } from "../catalogue";
import { connectionTextFrom, type ConnectionStrings } from "../connection-text";
import { count, duration, roughlyAgo } from "../format";

const connectionStrings: ConnectionStrings = {
  idle: "未接続",
  connecting: "接続中",
  live: "ライブ",
  inTurn: (topics) => `ライブ、${count(topics)} 件のトピックを順番に取得`,
  polled: (length, time) => `${length}ごとに取得${time === undefined ? "" : ` · 前回 ${time}`}`,
  waiting: (length) => `${length}後に再試行`,
  offline: "オフライン",
  refused: "拒否",
  noTopicServer: "トピックサーバーなし",
  stopped: "停止",
};

/** Names of the states of servers and of the device. */
export const state: Translation["state"] = {
  ...connectionTextFrom(connectionStrings),
  transports: { json: "JSON ストリーム", sse: "SSE ストリーム", ws: "WebSocket", poll: "定期取得" },
  automatic: "自動",
  checking: "確認中",
  unknown: "起動中",
  cacheless: "保存なし",
  cachelessHint: "このサーバーはメッセージを保存しません。不在の間に送られたものは失われます。",
  lastContact: (ms) => `最後の接続 ${roughlyAgo(ms, "たった今")}`,
  offline: "オフラインです。",
  showingStored: "この端末に保存されたものを表示しています。",
  nextTry: (ms) => `${duration(ms)}後に再試行`,
  complete: (until, since) => (since ? `${since} から ${until} まで完全` : `${until} まで完全`),
  liveOf: (live, all) => `サーバー ${count(all)} 台中 ${count(live)} 台がライブ`,
  notLive: "ライブでない:",
};
