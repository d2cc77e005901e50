import type { EmojiTable, NotificationData, PushNews, ShownNotification } from "../../contract";
import type { PushTarget } from "../../protocol";
import type { Store } from "../../store";
import type { Channel } from "../environment";
import type { RequestEnvironment } from "../requests";

/** What receiving a push needs of the worker it runs in; a test passes its own. */
export interface PushPlace extends RequestEnvironment {
  /** Scope of the registration, relative to the app: it alone tells which server it was. */
  scope: string;
  store: Store;
  channel: Pick<Channel, "post">;
  emoji: EmojiTable;
  /** The most buttons that the system shows. */
  maxActions: number;
  /** Rejects if the browser shows nothing. */
  show(shown: ShownNotification): Promise<void>;
  /** Data of this registration's notifications that are on screen with this tag. */
  shown(tag: string): Promise<NotificationData[]>;
  /** Takes away what is on screen with one of these tags, whichever registration showed it. */
  close(tags: readonly string[]): Promise<void>;
  /** Whether somebody sees the app: then it receives by itself, and browsers let pushes show nothing. */
  isInSight(): Promise<boolean>;
  /** Sets the number on the app's icon, where there is one. */
  setBadge(unread: number): Promise<void>;
  /** Tells the pages. */
  tell(news: PushNews): Promise<void>;
  /** Where this registration's pushes go now; undefined if the browser ended it. */
  target(): Promise<PushTarget | undefined>;
  /** Ends this registration at the browser. */
  end(): Promise<void>;
}
