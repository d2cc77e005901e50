import {
  type HubEvent,
  isNotificationPress,
  markOfButton,
  type MessageKey,
  decodeSounds,
  soundOf,
  type StoredMessage,
} from "../../contract";
import { knownActions, type Priority } from "../../protocol";
import { pressAction } from "../message/actions/http-action.svelte";
import type { App } from "../state/app.svelte";
import type { Pane } from "../state/navigation/pane.svelte";
import { alertRuleStrings } from "../strings";
import { Notifications } from "./notifications";
import { followPermission, permission } from "./permission.svelte";
import { pushesOf } from "./push.svelte";
import { playSound } from "./sounds";
import { throttled } from "../state/throttled.svelte";

/** After a sound, only messages of higher priority sound for this long, ms. */
const REST_MS = 2_000;

type Told = Extract<HubEvent, { kind: "alert" | "notice" | "outage" }>;

/** Notifications of messages read elsewhere are closed after this delay, ms, because marks come in bursts. */
const TIDY_AFTER_MS = 300;

/** The scope of the registration to which a topic's messages are pushed; undefined = they aren't. */
function pushScopeOf(app: App, subId: number): string | undefined {
  const subscription = app.catalogue.subscription(subId);
  if (!subscription) return undefined;
  const parts = pushesOf(app)?.state(subscription.serverId)?.parts;
  return parts?.find(({ topics }) => topics.includes(subscription.topic))?.scope;
}

/** A user who touched nothing for this long, ms, may have left. */
const THERE_WITHIN_MS = 60_000;

/** The page's part of alerts: shows the alerts that the hub gives to this tab. One for the whole page. */
class PageAlerts {
  readonly notifications: Notifications;
  /** When this page was last touched, by `performance.now()`. */
  #touchedMs = -Infinity;
  #lastSound: { atMs: number; priority: Priority } | undefined;
  /** Whether the user was told why no sound is heard. */
  #hasTold = false;
  /** Alerts are shown one after the other, so that each sees what is already shown. */
  #showing: Promise<void> = Promise.resolve();
  #tidyTimer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the service worker that shows them is ready. */
  #isReady = $state(false);
  #hasFocus = $state(document.hasFocus());

  constructor(private readonly app: App) {
    const { ready } = navigator.serviceWorker;
    this.notifications = new Notifications(app, ready, (subId) => pushScopeOf(app, subId));
    // A refusal is handled by `permission.svelte.ts`.
    ready.then(() => (this.#isReady = true)).catch(() => undefined);
    const touched = (): void => void (this.#touchedMs = performance.now());
    for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "touchmove"])
      addEventListener(kind, touched, { passive: true, capture: true });
    for (const kind of ["focus", "blur"]) addEventListener(kind, () => (this.#hasFocus = kind === "focus"));
    app.client.listen((event) => this.#heard(event));
    $effect.root(() => {
      $effect(() => void this.app.client.send("setAlerting", { able: this.able, hasFocus: this.#hasFocus }));
      // Nothing is unread any more, so any notifications left are out of date.
      $effect(() => {
        if (this.app.catalogue.unread === 0 && permission() === "granted") this.#tidySoon();
      });
    });
    navigator.serviceWorker.addEventListener("message", ({ data, ports: [port] }: MessageEvent<unknown>) => {
      if (!isNotificationPress(data, Date.now())) return;
      port?.postMessage("taken");
      const { key, actionId, isCleared } = data;
      if (key && isCleared) return void this.app.attempt("mark", { keys: [key], mark: { kind: "read", on: true } });
      const mark = actionId === undefined ? undefined : markOfButton(actionId, data.atMs ?? Date.now());
      if (key && mark) return void this.app.attempt("mark", { keys: [key], mark });
      location.hash = data.fragment;
      if (key && actionId !== undefined) void this.#pressed(key, actionId);
    });
  }

  /** Whether this tab can and may show notifications. */
  get able(): boolean {
    return permission() === "granted" && this.app.catalogue.settings.alerts && this.#isReady;
  }

  #heard(event: HubEvent): void {
    if (event.kind === "alert" || event.kind === "notice" || event.kind === "outage") {
      // If one fails, it doesn't hold up those behind it.
      this.#showing = this.#showing.then(() => this.#show(event)).catch(reportError);
    } else if (event.kind === "rows" && (event.changed.length > 0 || event.removed.length > 0 || event.more > 0)) {
      this.#tidySoon();
    } else if (event.kind === "status" && event.status.state.kind === "live") this.#tidySoon();
  }

  async #show(event: Told): Promise<void> {
    // A tab that was frozen in between would repeat what another tab has shown.
    if (!this.able || Date.now() > event.untilMs) return;
    try {
      if (event.kind === "notice") await this.notifications.tellStop(event);
      else if (event.kind === "outage") await this.notifications.tellOutage(event);
      // A message that the user sees arrive in its topic needs no notification.
      else if (!this.#isSeen(event)) {
        const isHeard = await this.#sound(event.rows);
        await this.notifications.show(event.rows, { isAgain: event.repeated, isHeard });
      }
    } catch (error) {
      // The browser can't show it now. Leave it unconfirmed, so that the hub gives it to another tab.
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
      return;
    }
    void this.app.client.send("confirmAlert", { alertId: event.alertId });
  }

  /**
   * Plays the sound of messages about to alert. Each alert goes to one tab, so only one sounds. Resolves to whether the
   * app makes the sound, not the system.
   */
  async #sound(rows: readonly StoredMessage[]): Promise<boolean> {
    const sound = soundOf(decodeSounds(this.app.catalogue.settings.sounds), rows);
    if (!sound) return false;
    const atMs = performance.now();
    const last = this.#lastSound;
    if (last && atMs - last.atMs < REST_MS && sound.priority <= last.priority) return true;
    const isHeard = await playSound(sound.name);
    if (isHeard) this.#lastSound = { atMs, priority: sound.priority };
    else if (!this.#hasTold) {
      this.#hasTold = true;
      this.app.notices.show({ text: alertRuleStrings.sounds.notAllowed });
    }
    return isHeard;
  }

  /** Whether the user is here, and sees these messages arrive in their topics, with nothing in front. */
  #isSeen({ rows }: Extract<Told, { kind: "alert" }>): boolean {
    const { dialogs, layout, pane, selection } = this.app;
    if (dialogs.current || (selection.opened && layout.shape !== "wide")) return false;
    return document.hasFocus() && performance.now() - this.#touchedMs < THERE_WITHIN_MS && showsAllOf(pane, rows);
  }

  async #pressed(key: MessageKey, actionId: string): Promise<void> {
    const row = (await this.app.read((reader) => reader.get(key)))?.value;
    const action = row && knownActions(row.event).find(({ id }) => id === actionId);
    if (action?.action === "http") pressAction(this.app, key, action);
  }

  #tidySoon(): void {
    if (!this.#isReady) return;
    clearTimeout(this.#tidyTimer);
    this.#tidyTimer = setTimeout(() => void this.notifications.tidy(), TIDY_AFTER_MS);
  }
}

/** Whether a view is of the topics of these messages, all of whose messages it shows. */
export function showsAllOf(
  { view, filter, covered, unsubscribed }: Pick<Pane, "view" | "filter" | "covered" | "unsubscribed">,
  rows: readonly Pick<StoredMessage, "subId">[],
): boolean {
  // With a topic that isn't subscribed, the link's screen stands in place of the feed.
  if (filter.terms.length > 0 || unsubscribed.length > 0 || (view.kind !== "topics" && view.kind !== "several"))
    return false;
  return rows.every(({ subId }) => covered.some((topic) => topic.subId === subId));
}

let alerts: PageAlerts | undefined;

/** Starts showing alerts, if the browser has notifications and service workers. */
export function startAlerts(app: App): void {
  if (alerts || !("serviceWorker" in navigator) || !("Notification" in globalThis)) return;
  alerts = new PageAlerts(app);
  void followPermission();
}

/** Shows a test notification; returns whether the browser accepted it. */
export async function testAlert(): Promise<boolean> {
  return (
    alerts?.notifications.test().then(
      () => true,
      () => false,
    ) ?? false
  );
}

/** Keeps the unread count on the app's icon, if the system supports badges and the app is installed. */
export function startAppBadge(app: App): void {
  // Missing in some browsers, whatever the types say.
  if (!("setAppBadge" in navigator)) return;
  $effect.root(() => {
    const unread = throttled(() => app.unread);
    // The system may be unable to show it now.
    $effect(() => void navigator.setAppBadge(unread()).catch(() => undefined));
  });
}
