import {
  addToSummary,
  isSilent,
  isUnread,
  messageNotification,
  MAX_SINGLE,
  messageTag,
  NOTIFICATION_LOCK,
  OWN_PICTURES,
  type NotificationData,
  type ServerNotice,
  type Outage,
  type ShownNotification,
  type StoredMessage,
  type NotificationStrings,
} from "../../contract";
import { type ServerAddress, sequenceOf } from "../../protocol";
import { isGone, isImage } from "../message/attachment/attachment-kind";
import { type Showable, showable } from "../message/attachment/load-into";
import { loadsOf } from "../message/attachment/loads.svelte";
import { emojiTable, emojiTableCome } from "../message/body/emoji-table.svelte";
import { type Origin, originOf } from "../message/origin";
import { within } from "../state/after-next-paint";
import type { App } from "../state/app.svelte";
import type { View } from "../state/navigation/view";
import { serverName, topicName } from "../state/topics/names";
import { alertStrings, appStrings, failureText, timeOfDay } from "../strings";
import { areSingle, SUMMARY_TAG, summaryNotification } from "./summary";

export const notificationStrings: NotificationStrings = {
  title: (title, topic) => alertStrings.title({ title, topic }),
  binary: (sizeBytes) => appStrings.feed.message.binary({ size: sizeBytes }),
  unseen: (characters) => appStrings.feed.message.unseen({ count: characters }),
  get buttons() {
    return alertStrings.buttons;
  },
};

/**
 * How long a notification waits for its pictures, ms: after 3 s the hub gives it to another tab (`src/hub/alerts/alerts.ts`).
 */
const WITHIN_MS = 1_000;

interface NotificationPictures {
  icon?: Showable;
  image?: Showable;
}

/**
 * Icon and image of a message, if they may load unasked (docs/design.md §2, promise 7) and are loaded in time.
 */
async function notificationPictures(
  app: App,
  { event }: StoredMessage,
  origin: Origin,
  nowMs: number,
): Promise<NotificationPictures> {
  const loads = loadsOf(app, origin, event.id);
  const { attachment } = event;
  const load = async (text: string | undefined): Promise<Showable | undefined> => {
    const verdict = loads.judge(text ?? "");
    if (verdict.kind !== "load") return undefined;
    const shown = await showable(verdict.source);
    if (shown === undefined) loads.fail(verdict.source.href);
    return shown;
  };
  const shownMs = app.catalogue.serverMs(origin.address, nowMs);
  const [icon, image] = await Promise.all(
    [event.icon, attachment && isImage(attachment) && !isGone(attachment, shownMs) ? attachment.url : undefined].map(
      (text) => within(load(text), WITHIN_MS),
    ),
  );
  return { ...(icon && { icon }), ...(image && { image }) };
}

export interface Showing {
  /** Whether they were shown before: each is shown once more, the newest of many. */
  isAgain?: boolean | undefined;
  /** Whether the app makes a sound of its own. */
  isHeard?: boolean;
}

/**
 * Shows notifications through the service worker and closes them. All tabs and workers share the same notifications.
 */
export class Notifications {
  /** @param pushScope the scope of the registration to which a topic's messages are pushed; undefined = they aren't */
  constructor(
    private readonly app: App,
    private readonly registration: Promise<ServiceWorkerRegistration>,
    private readonly pushScope: (subId: number) => string | undefined = () => undefined,
  ) {}

  /**
   * Shows new messages: one notification each, or one summary if there are many. Rejects if the browser shows nothing.
   */
  async show(rows: readonly StoredMessage[], { isAgain = false, isHeard = false }: Showing = {}): Promise<void> {
    const { catalogue } = this.app;
    // The topic was just added in another tab. Without it the alert would be taken and nothing shown.
    if (rows.some(({ subId }) => !catalogue.subscription(subId))) await catalogue.readAgain();
    const told = rows.flatMap((row) => {
      const origin = originOf(this.app.catalogue, row.subId);
      return origin ? [{ row, origin }] : [];
    });
    if (told.length === 0) return;
    if (!isAgain && !areSingle(told.length, dataOf(await this.#shown()), Date.now())) {
      return this.#showSummary(
        told.map(({ row }) => row),
        isHeard,
      );
    }
    const begun = (isAgain ? told.slice(-MAX_SINGLE) : told).map((one) => ({
      ...one,
      pictures: notificationPictures(this.app, one.row, one.origin, Date.now()),
    }));
    for (const { row, origin, pictures } of begun) await this.#showOne(row, origin, pictures, { isAgain, isHeard });
  }

  /** Says that nothing arrives from a server, or from some of its topics, until the user does something. */
  async tellStop({ serverId, why, topics }: ServerNotice): Promise<void> {
    const server = this.app.catalogue.server(serverId);
    if (!server) return;
    const all = this.app.catalogue.subscriptions.filter((subscription) => subscription.serverId === serverId);
    const refused = all.filter(({ topic }) => topics.includes(topic));
    const isPart = refused.length > 0 && refused.length < all.length;
    const title = isPart
      ? alertStrings.refused({ topics: refused.map(topicName) })
      : alertStrings.stopped({ server: serverName(server) });
    await this.#tell(title, failureText(why), stopTag(server.address), { kind: "server", server: server.address });
  }

  /** Shows that a server has been out of reach for long; its return silently replaces that. */
  async tellOutage({ serverId, sinceMs, backAtMs }: Outage): Promise<void> {
    const server = this.app.catalogue.server(serverId);
    if (!server) return;
    const name = serverName(server);
    const isBack = backAtMs !== undefined;
    const [title, body] = isBack
      ? [alertStrings.back({ server: name }), alertStrings.wasAway({ ms: backAtMs - sinceMs })]
      : [alertStrings.away({ server: name }), alertStrings.awaySince({ time: timeOfDay(sinceMs) })];
    const view: View = { kind: "server", server: server.address };
    await this.#tell(title, body, `outage ${server.address}`, view, isBack ? { silent: true } : undefined);
  }

  async test(): Promise<void> {
    const { testTitle, testBody } = alertStrings;
    await this.#tell(testTitle, testBody, "test", { kind: "everything" }, { renotify: true });
  }

  /** Closes notifications of messages that have been read since, in any tab, and of servers that are live again. */
  async tidy(): Promise<void> {
    const notifications = await this.#shown();
    if (notifications.length === 0) return;
    // Read through the app, which tells the user if the database has closed.
    const read = await this.app.read((reader) => reader.catalogue());
    if (!read) return;
    const { subscriptions } = read.value;
    const liveTags = this.app.catalogue.servers
      .filter(({ serverId }) => {
        const status = this.app.catalogue.status(serverId);
        return status?.state.kind === "live" && status.refusedTopics.length === 0;
      })
      .map(({ address }) => stopTag(address));
    for (const notification of notifications) {
      const [{ key, summary } = {}] = dataOf([notification]);
      const found = key && (await this.app.read((reader) => reader.get(key)));
      if (key && !found) return;
      const row = found?.value;
      const isRead = key !== undefined && !(row && isUnread(row));
      const isAllRead = summary && !subscriptions.some(({ subId, unread }) => unread > 0 && subId in summary);
      if (isRead || isAllRead || liveTags.includes(notification.tag)) notification.close();
    }
  }

  async #showOne(
    row: StoredMessage,
    origin: Origin,
    pictures: Promise<NotificationPictures | undefined>,
    { isAgain = false, isHeard = false }: Showing,
  ): Promise<void> {
    // A tab that was slow to confirm may have shown it already: don't sound twice.
    const tag = messageTag(origin.address, origin.topic, sequenceOf(row.event));
    const before = dataOf(await this.#shown(tag));
    if (!isAgain && before.some(({ key }) => key?.[2] === row.id)) return;
    const hasTags = (row.event.tags?.length ?? 0) > 0;
    // The table is loaded only for messages with tags. If it can't be, the message is shown without emoji.
    if (hasTags) await emojiTableCome();
    const shown = messageNotification(row, {
      origin,
      strings: notificationStrings,
      emoji: (hasTags && emojiTable()) || new Map(),
      pictures: await pictures,
      fragment: new URL(this.app.navigation.linkTo(row)).hash,
      nowMs: Date.now(),
    });
    await this.#show(shown, isHeard, this.pushScope(row.subId));
  }

  async #showSummary(rows: readonly StoredMessage[], isHeard: boolean): Promise<void> {
    const [before] = dataOf(await this.#shown(SUMMARY_TAG));
    const summary = addToSummary(before?.summary ?? {}, rows);
    const parts = Object.entries(summary).flatMap(([subId, { count, urgent }]) => {
      const subscription = this.app.catalogue.subscription(Number(subId));
      return subscription ? [{ topic: topicName(subscription), count, urgent, subId: subscription.subId }] : [];
    });
    const [only, another] = parts;
    const view = only && !another ? this.app.navigation.viewOf(only.subId) : { kind: "everything" as const };
    const data = { fragment: this.app.navigation.href(view), shownAtMs: Date.now(), summary };
    const shown = summaryNotification(parts, data, rows.every(isSilent), before);
    await this.#show(shown, isHeard);
  }

  /** Shows something other than a message; by default, it sounds and stays. */
  #tell(
    title: string,
    body: string,
    tag: string,
    view: View,
    how: Pick<ShownNotification["options"], "silent" | "renotify" | "requireInteraction"> = {
      renotify: true,
      requireInteraction: true,
    },
  ): Promise<void> {
    const data = { fragment: this.app.navigation.href(view), shownAtMs: Date.now() };
    return this.#show({ title, options: { body, tag, ...how, ...OWN_PICTURES, data } });
  }

  /**
   * @param isHeard whether the app makes a sound of its own, so that the system's stays away
   * @param scope whose registration shows it. With the app closed, a worker reaches only its own registration's
   * notifications, so pushed messages are shown by theirs, where a delete finds them.
   */
  async #show({ title, options }: ShownNotification<Showable>, isHeard = false, scope?: string): Promise<void> {
    const pushed = scope === undefined ? undefined : await navigator.serviceWorker.getRegistration(scope);
    const own = await this.registration;
    const registration = pushed?.active ? pushed : own;
    await navigator.locks.request(NOTIFICATION_LOCK, async () => {
      // It may have been shown before pushes were turned on. A tag only replaces within one registration.
      const before = registration === own ? [] : await own.getNotifications({ tag: options.tag });
      for (const one of before) one.close();
      await registration.showNotification(title, isHeard ? { ...options, silent: true } : options);
    });
  }

  /** The notifications on screen, whichever registration showed them; with a tag, only those that have it. */
  async #shown(tag?: string): Promise<Notification[]> {
    const filter = tag === undefined ? {} : { tag };
    const own = await this.registration;
    return navigator.locks.request(NOTIFICATION_LOCK, async () => {
      // What came as a push was shown by the registration for pushes.
      const all = new Set([own, ...(await navigator.serviceWorker.getRegistrations())]);
      const shown = await Promise.all([...all].map((registration) => registration.getNotifications(filter)));
      return shown.flat();
    });
  }
}

function stopTag(address: ServerAddress): string {
  return `stopped ${address}`;
}

/** The data of the app's own notifications. */
function dataOf(notifications: readonly Notification[]): NotificationData[] {
  return notifications.flatMap(({ data }) => (data as NotificationData | null) ?? []);
}
