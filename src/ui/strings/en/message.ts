import { count, duration, inOneUnit } from "../format";

/** The message page and its dialogs, and the text shown in place of messages. Durations in ms. */
export const message = {
  details: {
    tabs: "About this message",
    details: "Details",
    versions: "Earlier versions",
    raw: "Raw",
    steps: "Other messages",
    previous: "Previous",
    next: "Next",
    topic: "Topic",
    priority: "Priority",
    priorityValue: (n: number, name: string) => `${count(n)}, ${name.toLowerCase()}`,
    tags: "Tags",
    received: "Received",
    via: { stream: "live", poll: "while catching up", push: "by push", import: "from a file" },
    receivedValue: (at: string, via: string, after: string | undefined) =>
      after === undefined ? `${at}, ${via}` : `${at}, ${via} (${after})`,
    onServer: "On server",
    until: (said: string) => `until ${said}`,
    goneSince: (said: string) => `gone since ${said}`,
    notKept: "not stored there",
    due: "Due",
    noAlert: "No alert",
    /** Each reads on after "No alert". */
    noAlertReasons: {
      unshown: "for 5 minutes no tab could show notifications",
      history: "it was already on the server when its topic was first fetched",
      imported: "it came out of a file, not from its server",
      superseded: "a newer version of it was already here",
      read: "it had already been read, cleared or done",
      muted: "its topic was muted",
      priority: "its topic asked for a higher priority",
      "all-muted": "everything was muted",
      /** @param until when they were to end; absent = never */
      quiet: (until?: string) => (until === undefined ? "quiet hours without end" : `quiet hours until ${until}`),
    },
    link: "Link",
    id: "ID",
    missing: "This message is no longer stored",
    close: "Close",
    copyJson: "Copy JSON",
    curlCopied: "curl command copied",
  },

  repeats: {
    /** `days` is 0 if all came within less than a day. */
    seen: (n: number, isPart: boolean, ms: number, days: number) => {
      const often = isPart ? `Seen at least ${count(n)} times` : n === 2 ? "Seen twice" : `Seen ${count(n)} times`;
      return `${often} ${days > 0 ? `in ${count(days)} days` : `within ${duration(inOneUnit(Math.max(ms, 1000)))}`}`;
    },
    none: "No other message like it is stored.",
    chart: (first: string, last: string, most: number) =>
      `Chart of when: first ${first}, last ${last}, at most ${count(most)} in one bar`,
    show: "List them",
    hide: "Hide the list",
  },

  request: {
    confirm: (label: string) => `“${label}” sends a request`,
    confirmHint: "The message asks for this. Whoever runs the address will see your network's address.",
    headers: "Headers",
    body: "Body",
    send: "Send",
    remember: (topic: string) => `Don't ask again when messages of ${topic} request`,
    preview: "This button sends a request to",
    previews: "These buttons send requests to",
  },

  json: {
    tree: "JSON",
    entries: (n: number) => count(n),
    more: (n: number) => `${count(n)} more`,
    moreCharacters: (n: number) => `${count(n, { one: "more character", other: "more characters" })}`,
    value: "Copy the value",
    valueCopied: "Value copied",
    path: "Copy the path",
    pathCopied: "Path copied",
  },

  empty: {
    topic: "No messages yet",
    topicHint: "Messages sent to this topic appear here at once. From a terminal:",
    everything: "No messages yet",
    everythingHint: "Messages sent to your topics appear here at once.",
    starred: "Nothing is starred",
    starredHint: "A star keeps a message for as long as you like. Press s on one, or use its menu.",
    scheduled: "Nothing is scheduled",
    scheduledHint: "Messages to be delivered later are listed here with their time.",
    done: "Nothing is done",
    doneHint: "Messages marked done leave the feed and are listed here.",
    snoozed: "Nothing is snoozed",
    snoozedHint: "A snoozed message leaves the feed and comes back unread at its time. Press h on one.",
    urgent: "Nothing urgent",
    urgentHint:
      "Messages of priority urgent are listed here. Those of priority high have a list of their own, one press away.",
    example: "It works",
  },

  snooze: {
    heading: "Snooze until",
    times: { hour: "In 1 hour", evening: "This evening", tomorrow: "Tomorrow", monday: "Next Monday" },
    now: "Bring it back now",
    pick: "Pick a time",
    set: "Snooze",
    past: "That time has passed.",
  },

  none: {
    heading: "Nothing matches",
    hint: "No stored message matches.",
    drop: "Without",
    wouldShow: (n: number, isAll: boolean) => `${count(n)}${isAll ? "" : "+"} found`,
    /** Where leaving out one alone helps nothing. */
    together: "Leaving out any one of them still finds nothing.",
    none: "None of these filters matches on its own.",
    everywhere: "Search all topics",
    nowhere: "No message of the other topics matches either.",
    clear: "Clear the filter",
  },

  preview: {
    heading: "Preview",
    empty: "The server has no messages of this topic right now",
    none: "None of these messages matches the filter",
    more: (n: number) => `${count(n)} older ones are not shown`,
  },
};
