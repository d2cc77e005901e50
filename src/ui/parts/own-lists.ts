import type { IconName } from "./icons";
import type { FeedView } from "../state/navigation/view";

/** One of the app's own views, identified by name alone. */
export type OwnList = Exclude<FeedView["kind"], "high" | "server" | "topics" | "several" | "group">;

/** The app's own views of messages, in the order of the list. */
export const OWN_LISTS: readonly { kind: OwnList; icon: IconName }[] = [
  { kind: "everything", icon: "inbox" },
  { kind: "urgent", icon: "urgent" },
  { kind: "starred", icon: "star" },
  { kind: "snoozed", icon: "snooze" },
  { kind: "scheduled", icon: "clock" },
  { kind: "done", icon: "archive" },
];
