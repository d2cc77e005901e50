import { count, duration, momentWithTime, timeOfDay } from "../format";

const some = (n: number) => (n === 1 ? "Message" : count(n, { one: "message", other: "messages" }));

/** Text around messages, actions on them, and the filter. Times and durations in ms. */
export const rows = {
  newRows: (n: number) => `${count(n)} new`,
  newRowsSome: "New messages",
  showNew: "Show the new messages",
  failed: "The messages can't be read",
  gap: (offline: number, kept: number | undefined) =>
    kept === undefined
      ? "Messages may be missing between"
      : `Offline for ${duration(offline)}; the server keeps messages for ${duration(kept)}. Messages may be missing between`,
  gapForgot: "The server lost messages that it kept. Messages may be missing between",
  gapCut: "More than the server sends at once. Messages may be missing between",
  gapAnd: "and",
  gapAsk: "Ask the server again",
  /** The end of the sentence, which names the topics where the feed has several. */
  gapEnd: (topics: string | undefined) => (topics === undefined ? "." : ` in ${topics}.`),
  gapTime: (at: number, now: number) => momentWithTime(at, now, "within"),
  /** Messages of one day that repeat each other in a row; the newest stands above. */
  repeats(n: number, lastMs: number, firstMs: number): string {
    const [last, first] = [timeOfDay(lastMs), timeOfDay(firstMs)];
    return `×${count(n)}, last ${last}${first === last ? "" : `, first ${first}`}`;
  },
  /** Said after that by a screen reader. */
  repeatsOpen: "show all",
  filter: {
    label: "Search and filter",
    /** Of so many, where that is known. */
    placeholder: (n: number | undefined) =>
      `Search${n ? ` ${count(n, { one: "message", other: "messages" })}` : ""}, or filter: priority:high tag:backup -nightly`,
    placeholderShort: (where: string) => `Search in ${where}`,
    search: "Search",
    clear: "Clear the search and filter",
    looked: (n: number, total: number) => `${count(n)} of ${count(total)}`,
    slash: "Press / to search",
  },
  /** What was done, with one message or several. */
  triage: {
    done: (n: number) => `${some(n)} done`,
    notDone: (n: number) => `${some(n)} back in the feed`,
    snoozed: (n: number, until: number, now: number) =>
      `${some(n)} snoozed until ${momentWithTime(until, now, "within")}`,
    woken: (n: number) => `${some(n)} back in the feed`,
    deleted: (n: number) => `${some(n)} deleted`,
    cancelled: (n: number) => (n === 1 ? "Delivery cancelled" : `${count(n)} deliveries cancelled`),
    hiddenHere: "This server can't cancel; hidden here only.",
    sent: "Message sent",
    sentTwice: "Sent. This server can't cancel, so it delivers it again at its time.",
  },

  message: {
    tools: "Message actions",
    more: "More",
    markRead: "Mark read",
    markUnread: "Mark unread",
    star: "Star",
    unstar: "Unstar",
    done: "Done",
    notDone: "Not done",
    snooze: "Snooze…",
    delete: "Delete",
    copyText: "Copy text",
    copyLink: "Copy link",
    raw: "Raw JSON",
    curl: "Copy as curl",
    open: "Open",
    textCopied: "Text copied",
    linkCopied: "Link copied",
    jsonCopied: "JSON copied",
    valueCopied: "Copied",
    copyByHand: "Copy this",
    always: (topic: string) => `Always load images from ${topic}`,
    notAlways: (topic: string) => `Ask before loading images from ${topic}`,
    filterTag: (tag: string) => `Filter by tag ${tag}`,
    moreTags: (n: number) => `${count(n)} more`,
    openLink: (host: string | undefined) => (host ? `Open ${host}` : "Open link"),
    cannotOpen: (address: string) => `Links of this kind can't be opened here: ${address}`,
    cancelDelivery: "Cancel delivery",
    sendNow: "Send now",
    /** The message replaced an earlier version. */
    updated: "Updated",
    updatedLabel: "Updated: show earlier versions",
    updatedTip: "Show earlier versions",
    back: "Back to the messages",
    loadIcon: (host: string) => `Load icon from ${host}`,
    loadPicture: (host: string, alt: string) => (alt ? `Load image “${alt}” from ${host}` : `Load image from ${host}`),
  },
  action: {
    done: (label: string, status: number) => `${label}: done (${String(status)})`,
    refused: (label: string, status: number) => `${label}: the address answered with an error (${String(status)})`,
    redirected: (label: string) => `${label}: the address redirects to another one, which was not contacted`,
    unanswered: (label: string) => `${label}: no answer from the address`,
    failed: (label: string, why: string) => `${label}: ${why}`,
    broadcast: "Only the server's Android app can do this",
    notStored: "Only messages of subscribed topics can send requests",
    noTarget: "Links of this kind can't be opened here",
    noMethod: (method: string) => `Browsers don't send ${method} requests`,
    noHeader: (name: string) => `Browsers can't send the header "${name}" of this request`,
  },
};
