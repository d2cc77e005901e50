import { count, duration } from "../format";

/** The message page and its dialogs, and the text shown in place of messages. Durations in ms. */
export const message = {
  details: {
    tabs: "About this message",
    details: "Details",
    versions: "Earlier versions",
    raw: "Raw",
    topic: "Topic",
    priority: "Priority",
    priorityValue: (n: number, name: string) => `${String(n)}, ${name.toLowerCase()}`,
    tags: "Tags",
    received: "Received",
    via: { stream: "live", poll: "by catching up", push: "by push" },
    receivedValue: (at: string, via: string, after: string | undefined) =>
      after === undefined ? `${at}, ${via}` : `${at}, ${via} (${after})`,
    delay: (ms: number) => (ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : duration(ms)),
    onServer: "On server",
    until: (said: string) => `until ${said}`,
    goneSince: (said: string) => `gone since ${said}`,
    notKept: "not kept there",
    due: "Due",
    link: "Link",
    id: "Id",
    missing: "This message is no longer kept here",
    close: "Close",
    copyJson: "Copy JSON",
    curlCopied: "curl line copied",
  },

  request: {
    confirm: (label: string) => `“${label}” sends a request`,
    confirmHint: "The message asks for this. The address learns that it comes from your network.",
    headers: "Headers",
    body: "Body",
    send: "Send",
    remember: (topic: string) => `Do not ask again when messages of ${topic} ask for`,
    preview: "This button will ask",
    previews: "These buttons will ask",
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
    topicHint: "Whatever is sent to this topic appears here at once. From a terminal:",
    everything: "No messages yet",
    everythingHint: "What is sent to your topics appears here at once.",
    starred: "Nothing is starred",
    starredHint: "A star keeps a message for as long as you like. Press s on one, or use its menu.",
    scheduled: "Nothing is scheduled",
    scheduledHint: "Messages that are to be delivered later are listed here with their time.",
    done: "Nothing is done",
    doneHint: "Messages that are marked done leave the feed and are listed here.",
    snoozed: "Nothing is snoozed",
    snoozedHint: "A snoozed message leaves the feed and comes back, unread, when its time has come. Press h on one.",
    urgent: "Nothing urgent",
    urgentHint: "Messages of priority high and urgent are listed here.",
    example: "It works",
  },

  snooze: {
    heading: "Snooze until",
    times: { later: "Later today", evening: "This evening", tomorrow: "Tomorrow", monday: "Next Monday" },
    now: "Bring it back now",
    pick: "Another moment",
    set: "Snooze",
    past: "That moment has passed.",
  },

  none: {
    heading: "Nothing found",
    hint: "No message that is kept here passes all of these.",
    hintOne: "No message that is kept here passes this.",
    drop: "Without",
    wouldShow: (n: number, isAll: boolean) => `${count(n)}${isAll ? "" : "+"} found`,
    /** Where leaving out one alone helps nothing. */
    together: "Leaving out any single one of them still finds nothing.",
    none: "No single one of them finds anything by itself.",
    everywhere: "Search all topics",
    nowhere: "Nor does any message of the other topics.",
    clear: "Clear the filter",
  },

  look: {
    heading: "Only looking",
    empty: "The server keeps no messages of this topic right now",
    none: "None of these messages passes the filter",
    more: (n: number) => `${count(n)} older ones are not shown here`,
  },
};
