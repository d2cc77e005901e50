import type { IconName } from "./icons";
import type { FeedView } from "../state/navigation/view";

/** One of the app's own views, identified by name alone. */
export type OwnList = Exclude<FeedView["kind"], "high" | "server" | "topics" | "several" | "group">;

/** The app's own views of messages, in the order of the list, each with the keys that lead to it. */
export const OWN_LISTS: readonly { kind: OwnList; icon: IconName; keys: string }[] = [
  { kind: "everything", icon: "inbox", keys: "g i" },
  { kind: "urgent", icon: "urgent", keys: "g u" },
  { kind: "starred", icon: "star", keys: "g s" },
  { kind: "snoozed", icon: "snooze", keys: "g z" },
  { kind: "scheduled", icon: "clock", keys: "g c" },
  { kind: "done", icon: "archive", keys: "g d" },
];
