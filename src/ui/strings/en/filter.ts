import { HAS_VALUES, IS_VALUES, type FilterError } from "../../../contract";
import { PRIORITY_NAMES } from "../../../protocol";
import { count, list } from "../format";

const examples: Readonly<Record<string, string>> = {
  priority: "priority:high",
  tag: "tag:backup",
  tags: "tags:backup,mail",
  title: "title:failed",
  message: "message:disk",
  id: "id=sPs71M8A2T",
  is: "is:unread",
  has: "has:attachment",
  after: "after:today",
  before: "before:2026-11-20",
  topic: "topic:backups",
  server: "server:ntfy.sh",
  group: "group:home",
};

/** Completion of the filter box, and its messages about faulty words. */
export const filter = {
  found: (n: number) => count(n),
  of: (total: number) => ` of ${count(total)}`,
  counting: "counting…",
  quick: "Quick filters",
  unread: "Unread",
  important: "High and urgent",
  starred: "Starred",
  attachments: "With attachment",
  not: "not",
  names: {
    priority: "priority",
    tags: "tag",
    title: "title",
    message: "message",
    id: "id",
    is: "is",
    has: "has",
    after: "after",
    before: "before",
    topic: "topic",
    server: "server",
    group: "group",
  },
  remove: (term: string) => `Remove ${term}`,
  suggestions: "Suggestions",
  keywords: {
    "is:": "unread, read, starred, done or snoozed",
    "priority:": "one or several: high,urgent",
    "tag:": "all of them: backup,mail",
    "topic:": "one or several: backups,door",
    "server:": "by name or address",
    "group:": "topics of a group",
    "title:": "words in the title",
    "message:": "words in the text",
    "has:": "attachment, actions, click, title or icon",
    "after:": "at or after a time",
    "before:": "before a time",
    "-": "leaves out what follows",
  } satisfies Record<string, string>,
  is: {
    unread: "not read yet",
    read: "read before",
    starred: "marked with a star",
    done: "dealt with",
    snoozed: "comes back later",
  } satisfies Record<(typeof IS_VALUES)[number], string>,
  has: {
    attachment: "a file or image",
    actions: "buttons",
    click: "a link to open",
    title: "a title of its own",
    icon: "an icon",
  } satisfies Record<(typeof HAS_VALUES)[number], string>,
  priorities: { 1: "the lowest", 2: "low", 3: "what most messages have", 4: "high", 5: "the highest" },
  times: {
    "1h": "the last hour",
    today: "since midnight",
    yesterday: "since midnight yesterday",
    "3d": "the last three days",
    "1w": "the last week",
  },
  timesBefore: {
    "1h": "more than an hour ago",
    today: "yesterday and before",
    yesterday: "before yesterday",
    "3d": "more than three days ago",
    "1w": "more than a week ago",
  },
  tagged: (n: number) => `on ${count(n, { one: "message", other: "messages" })}`,
  topic: (name: string) => `in ${name}`,
  topicHint: "only this topic",
  topics: (n: number) => count(n, { one: "topic", other: "topics" }),
  didYouMean: (field: string) => `Did you mean “${field}:”?`,
  write: (field: string) => `Write ${field}:`,
  asText: "Search for it as text",
  /** `field` is the name before the colon, where there is one. */
  wrong: (reason: FilterError["reason"], word: string, field = ""): string => {
    switch (reason) {
      case "empty-value":
        return `“${word}” needs a value, such as ${examples[field] ?? "a word"}.`;
      case "unclosed-quote":
        return 'A quotation mark is missing. End the phrase with another ".';
      case "bad-priority":
        return `“${word}” is not a priority. Use ${list(Object.values(PRIORITY_NAMES))}, or 1 to 5.`;
      case "bad-date":
        return `“${word}” is not a time. Use 2026-11-20, 2026-11-20T10:00, today, yesterday, 2h or 3d.`;
      case "unknown-field":
        return `“${word}” is not a field.`;
      case "unknown-value":
        return field === "has"
          ? `“${word}” is not known here. Use has:${list([...HAS_VALUES])}.`
          : `“${word}” is not known here. Use is:${list([...IS_VALUES])}.`;
    }
  },
};
