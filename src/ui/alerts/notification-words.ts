import type { NotificationWords } from "../../contract";
import { appStrings } from "../strings";
import { alertStrings } from "../strings/alerts";

/** The words of the notification of a message, in the language that the page speaks. */
export const notificationWords: NotificationWords = {
  title: (title, topic) => alertStrings.title(title, topic),
  binary: (sizeBytes) => appStrings.feed.message.binary(sizeBytes),
  unseen: (characters) => appStrings.feed.message.unseen(characters),
  get buttons() {
    return alertStrings.buttons;
  },
};
