import { HAS_VALUES, IS_VALUES } from "../../../contract";
import { PRIORITY_NAMES } from "../../../protocol";
import type { Translation } from "../catalogue";
import { count, list } from "../format";

const examples: Readonly<Record<string, string>> = {
  priority: "priority:high",
  tag: "tag:backup",
  tags: "tags:backup,mail",
  title: "title:失敗",
  message: "message:ディスク",
  id: "id=sPs71M8A2T",
  is: "is:unread",
  has: "has:attachment",
  after: "after:today",
  before: "before:2026-11-20",
  topic: "topic:backups",
  server: "server:ntfy.sh",
  group: "group:自宅",
};

/** Chips and completion of the filter box, and its messages about faulty words. */
export const filter: Translation["filter"] = {
  found: (n) => count(n),
  of: (total) => ` / ${count(total)}`,
  counting: "集計中…",
  quick: "クイックフィルター",
  unread: "未読",
  important: "高と緊急",
  starred: "スター付き",
  attachments: "添付あり",
  not: "除外",
  names: {
    priority: "優先度",
    tags: "タグ",
    title: "タイトル",
    message: "本文",
    id: "ID",
    is: "状態",
    has: "含むもの",
    after: "以降",
    before: "より前",
    topic: "トピック",
    server: "サーバー",
    group: "グループ",
  },
  remove: (term) => `${term} を削除`,
  suggestions: "候補",
  keywords: {
    "is:": "unread、read、starred、done、snoozed",
    "priority:": "1 つまたは複数: high,urgent",
    "tag:": "これらのタグをすべて持つもの: backup,mail",
    "topic:": "1 つまたは複数: backups,door",
    "server:": "名前またはアドレス",
    "group:": "グループのトピック",
    "title:": "タイトル内の語",
    "message:": "本文内の語",
    "has:": "attachment、actions、click、title、icon",
    "after:": "ある時刻以降",
    "before:": "ある時刻より前",
    "-": "続くものを除外",
  },
  is: {
    unread: "まだ読んでいない",
    read: "すでに読んだ",
    starred: "スターを付けた",
    done: "処理済み",
    snoozed: "後で戻る",
  },
  has: {
    attachment: "ファイルまたは画像",
    actions: "ボタン",
    click: "開くリンク",
    title: "独自のタイトル",
    icon: "アイコン",
  },
  priorities: { 1: "最低", 2: "低い", 3: "ほとんどのメッセージ", 4: "高い", 5: "最高" },
  times: {
    "1h": "この 1 時間",
    today: "今日の 0 時から",
    yesterday: "昨日の 0 時から",
    "3d": "この 3 日間",
    "1w": "この 1 週間",
  },
  timesBefore: {
    "1h": "1 時間以上前",
    today: "昨日以前",
    yesterday: "おととい以前",
    "3d": "3 日以上前",
    "1w": "1 週間以上前",
  },
  tagged: (n) => `メッセージ ${count(n)} 件`,
  topic: (name) => `${name} 内`,
  topicHint: "このトピックのみ",
  topics: (n) => `トピック ${count(n)} 件`,
  didYouMean: (field) => `「${field}:」のことですか？`,
  write: (field) => `${field}: と書く`,
  asText: "テキストとして検索",
  wrong: {
    "empty-value": (word, field) => `「${word}」には値が必要です。例: ${examples[field] ?? "語"}`,
    "unclosed-quote": () => '引用符が閉じていません。語句の終わりに " を付けてください。',
    "no-priority": () => "当てはまる優先度がありません。優先度は 1 (min) から 5 (urgent) までです。",
    "bad-priority": (word) =>
      `「${word}」は優先度ではありません。${list(Object.values(PRIORITY_NAMES))}、または 1～5 を使ってください。`,
    "bad-date": (word) =>
      `「${word}」は時刻ではありません。2026-11-20、2026-11-20T10:00、today、yesterday、2h、3d のように書いてください。`,
    "unknown-field": (word) => `「${word}」という項目はありません。`,
    "unknown-value": (word, field) =>
      field === "has"
        ? `「${word}」はここでは使えません。has:${list([...HAS_VALUES])} を使ってください。`
        : `「${word}」はここでは使えません。is:${list([...IS_VALUES])} を使ってください。`,
  },
};
