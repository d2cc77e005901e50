import type { EmojiTable, NotificationData, ShownNotification } from "../../contract";
import type { PushTarget } from "../../protocol";
import type { Store, PushRecord, Settings } from "../../store";
import type { Channel } from "../environment";
import { readServers, type StoredServer } from "../read-servers";
import type { RequestEnvironment } from "../requests/requests";

/** What receiving a push needs of the worker it runs in; a test passes its own. */
export interface PushWorker extends RequestEnvironment {
  /** Scope of the registration, relative to the app: only this tells which server it is for. */
  scope: string;
  store: Store;
  channel: Pick<Channel, "post">;
  emoji: EmojiTable;
  /** Rejects if the browser shows nothing. */
  show(shown: ShownNotification): Promise<void>;
  /** Data of this registration's notifications with this tag that are on screen. */
  shown(tag: string): Promise<NotificationData[]>;
  /** Withdraws what is on screen with one of these tags and isn't kept, whichever registration showed it. */
  close(tags: readonly string[], keeps?: (shown: NotificationData, tag: string) => boolean): Promise<void>;
  /** Whether someone sees the app: then it receives and alerts itself, and browsers allow pushes that show nothing. */
  isInSight(): Promise<boolean>;
  /** Sets the number on the app's icon, if there is one. */
  setBadge(unread: number): Promise<void>;
  /** Where this registration's pushes go now; undefined if the browser ended it. */
  target(): Promise<PushTarget | undefined>;
  /** Ends this registration at the browser. */
  end(): Promise<void>;
  /** Runs work while no page or other worker changes registrations. */
  alone<Value>(work: () => Promise<Value>): Promise<Value>;
}

/** What is stored about the server whose push came. */
export interface PushFacts extends StoredServer {
  record: PushRecord;
  settings: Settings;
}

/** Reads what is stored about a scope's server. `nobody`: nothing, because it was removed or the storage evicted. */
export async function readPushFacts(store: Store, scope: string): Promise<PushFacts | "nobody" | "unreadable"> {
  const [pushes, stored, settings] = await Promise.all([store.pushes(), readServers(store), store.settings()]);
  if (!pushes.ok || !stored.ok || !settings.ok) return "unreadable";
  const record = pushes.value.find(({ parts }) => parts.some((part) => part.scope === scope));
  const own = stored.value.find(({ server }) => server.serverId === record?.serverId);
  if (!record || !own) return "nobody";
  return { ...own, record, settings: settings.value };
}
