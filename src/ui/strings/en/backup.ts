import { backupFaultTextFrom, type BackupFaultStrings } from "../backup-fault-text";
import { count, list } from "../format";
import { errors } from "./errors";

const messages = { one: "message", other: "messages" };
const topics = { one: "topic", other: "topics" };
const servers = { one: "server", other: "servers" };
const lines = { one: "line", other: "lines" };

const faultStrings: BackupFaultStrings = {
  notABackup: "This file is not a backup of Earshot or of the ntfy app for Android. Nothing was changed.",
  newer: (version) =>
    `A newer version of Earshot made this backup (format ${version}). Reload this page to get the newest version, then try again.`,
  cut: "The end of this backup is missing, perhaps because a download was cut off. Nothing was changed.",
  badLine: (line) => `Line ${line} can't be right: the backup is damaged, or someone changed it. Nothing was changed.`,
  busy: "Another import is under way, perhaps in another tab. Wait until it ends, then try again.",
  ended: "The import ended before it was complete. Nothing of it was kept.",
  changed: "One of its topics was added here meanwhile. Nothing of the import was kept; choose the file again.",
  quota: "There is not enough space for it. What had been imported was taken back.",
  nothingKept: "Nothing of the import was kept.",
};

/** Backups: export, import, and the way to another device. */
export const backup = {
  heading: "Backup",
  hint: "A backup is one file with your messages and how Earshot is set up. It can be read by any text editor, and imported on any device.",
  export: "Export",
  contents: "What to export",
  scopes: { everything: "Everything", setup: "Without messages" },
  setupHint: "Servers, topics, groups, saved views and settings.",
  withSignIns: "Include sign-ins and extra headers, encrypted with a passphrase",
  noSealing: "Sign-ins can be included only over https, as browsers encrypt only there.",
  passphrase: "Passphrase",
  passphraseHint: "Without it the sign-ins in the backup are lost. Nobody can look it up.",
  passphraseFault: "At least 8 characters.",
  save: "Save backup",
  written: (n: number, of: number) => `${count(n)} of ${count(of, messages)}`,
  stop: "Cancel",
  saved: (n: number) => `Backup saved, with ${count(n, messages)}`,
  savedSetup: "Backup saved",
  writeFault: (text: string) => `The backup could not be saved: ${text}`,
  readFault: "The database could not be read. No backup was saved.",

  import: "Import",
  importHint:
    "From a backup of Earshot, or of the ntfy app for Android. You see what would change before anything does.",
  undone: "An import was cut off, and nothing of it was kept. Import the file again.",
  choose: "Choose a backup",
  fromWebApp: "From the ntfy web app in this browser",
  webAppUser: (name: string) => `From the ntfy web app in this browser (${name})`,
  webAppGone: "The web app's data could not be read.",
  tooLarge: (most: string) =>
    `This backup of the ntfy app is larger than ${most}, which is too much to read. Nothing was changed.`,
  reading: "Reading the backup",
  taking: "Importing",
  part: (done: string, of: string) => `${done} of ${of}`,
  percent: (done: number) => `${count(done)} %`,
  preview: "What the import would change",
  madeAt: (when: string) => `Backup of ${when}`,
  newMessages: (n: number) => `${count(n, messages)} would be added.`,
  noMessages: "It holds no messages.",
  knownMessages: (n: number) => `${count(n, messages)} are here already and stay as they are.`,
  deletedMessages: (n: number) => `${count(n, messages)} were deleted here and stay deleted.`,
  outdated: (n: number) =>
    `${count(n, messages)} of those are older than messages are kept, and would soon be removed again.`,
  newTopics: (n: number) => `${count(n, topics)} would be added:`,
  andMore: (n: number) => `and ${count(n)} more`,
  knownTopics: (n: number) => `${count(n, topics)} here already: their name, colour and settings stay.`,
  newServers: (names: string[]) => `Earshot would connect to ${list(names)}.`,
  newViews: (names: string[]) => `Saved views: ${list(names)}.`,
  takeSettings: (n: number) =>
    `Take over ${count(n, { one: "setting that is", other: "settings that are" })} different`,
  settingNames: {
    keepDays: "days to keep messages",
    keepMessages: "number of messages to keep",
    theme: "theme",
    density: "density",
    language: "language",
    markRead: "when a message counts as read",
    historyRead: "older messages of new topics",
    alerts: "notifications",
    alertRules: "quiet hours and repeats",
    swipeLeft: "swipe to the left",
    swipeRight: "swipe to the right",
    singleKeys: "single-key shortcuts",
    groups: "groups",
    columns: "columns",
    keepFiles: "attachments to keep",
  } as Record<string, string>,
  unreadable: (n: number) => `${count(n, lines)} can't be read and would be left out.`,
  leftOut: (n: number) => `${count(n, { one: "entry", other: "entries" })} can't be read and would be left out.`,
  sealed: "Its sign-ins are encrypted. Without the passphrase they are left out, and you sign in again.",
  sealedInsecure: "Its sign-ins are encrypted, and browsers decrypt only over https: you would sign in again.",
  plainSignIns: (n: number) => `Take over the sign-ins of ${count(n, servers)}`,
  wrongPassphrase: "This is not the passphrase of this backup.",
  nothingNew: "Everything in this backup is here already.",
  take: "Import",
  close: "Close",
  taken: (n: number) => (n === 0 ? "Imported" : `Imported, with ${count(n, messages)}`),
  view: {
    heading: (title: string) => `Save “${title}” as a file`,
    format: "Format",
    formats: { csv: "CSV", jsonl: "JSON lines" },
    hints: {
      csv: "For spreadsheets. It holds the messages that this view shows, with its filter.",
      jsonl:
        "Complete, as in a backup: it can be imported again. It holds the messages that this view shows, with its filter.",
    },
    writing: "Saving",
    written: (n: number) => count(n, messages),
    saved: (n: number) => `${count(n, messages)} saved`,
    save: "Save",
  },
  device: {
    heading: "To another device",
    hint: "A link or QR code takes your servers, topics, groups, saved views and settings along, but no messages and no sign-ins.",
    show: "Show link and QR code",
    title: "To another device",
    tooLong:
      "This is too much for a link. Export a backup without messages instead, and import it on the other device.",
    bringHeading: "Set up from another device",
    bringHint: "This link holds servers, topics, views and settings. You see what would change before anything does.",
    damaged: "This link is damaged, or someone changed it. Nothing was changed.",
  },
  storage: {
    heading: "By topic",
    topic: "Topic",
    messages: "Messages",
    size: "Size",
    about: (size: string) => `about ${size}`,
    sizeHint: "Sizes are estimated from the newest messages; the browser needs about twice as much, for search.",
    outdated: (n: number) => `Retention would remove about ${count(n, messages)} now. Starred ones stay.`,
    delete: "Delete",
    deleteOf: (topic: string) => `Delete the messages of ${topic}`,
    deleteAll: "Delete all messages",
    askOne: (topic: string) => `Delete the messages of ${topic}?`,
    askAll: "Delete all messages?",
    ask: (n: number) =>
      `${count(n, messages)} would be deleted, starred, done and snoozed ones too. The topics stay. You can undo this for a moment.`,
    deleted: (n: number) => `${count(n, messages)} deleted`,
  },
  fault: backupFaultTextFrom(faultStrings, errors.command),
};
