import type { NotificationStrings } from "../../contract";
import { appStrings } from "../strings";
import { alertStrings } from "../strings/alerts";

/** The strings of the notification of a message, in the language that the page speaks. */
export const notificationStrings: NotificationStrings = {
  title: (title, topic) => alertStrings.title(title, topic),
  binary: (sizeBytes) => appStrings.feed.message.binary(sizeBytes),
  unseen: (characters) => appStrings.feed.message.unseen(characters),
  get buttons() {
    return alertStrings.buttons;
  },
};
