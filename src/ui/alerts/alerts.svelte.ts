import { type HubEvent, isNotificationPress, type NotificationData } from "../../contract";
import { knownActions } from "../../protocol";
import { pressAction } from "../message/http-action.svelte";
import type { App } from "../state/app.svelte";
import { followPermission, permission } from "./permission.svelte";
import { Notifications } from "./notifications";

type Told = Extract<HubEvent, { kind: "alert" | "notice" }>;

/** Notifications of messages that were read elsewhere are closed after this delay, ms, as marks come in bursts. */
const TIDY_AFTER_MS = 300;

/** The page's part of alerts: shows the alerts that the hub gives to this tab. One for the whole page. */
class Alerts {
  readonly #app: App;
  readonly #notifications: Notifications;
  /** Alerts are shown one after the other, so that each sees what is shown already. */
  #showing: Promise<void> = Promise.resolve();
  #tidyTimer: ReturnType<typeof setTimeout> | undefined;
  /** The service worker that shows them is ready. */
  #isReady = $state(false);

  constructor(app: App) {
    this.#app = app;
    const { ready } = navigator.serviceWorker;
    this.#notifications = new Notifications(app, ready);
    // A refusal is handled by `permission.svelte.ts`.
    ready.then(
      () => (this.#isReady = true),
      () => undefined,
    );
  }

  /** Whether this tab can and may show notifications. */
  get able(): boolean {
    return permission() === "granted" && this.#app.catalogue.settings.alerts && this.#isReady;
  }

  start(): void {
    this.#app.client.listen((event) => this.#heard(event));
    $effect.root(() => {
      $effect(() => void this.#app.client.send("setAlerting", { able: this.able }));
      // Nothing is unread any more, so any notifications left are out of date.
      $effect(() => {
        if (this.#app.catalogue.unread === 0 && permission() === "granted") this.#tidySoon();
      });
    });
    // A page that is left can't show alerts; one restored from the back/forward cache can again.
    addEventListener("pagehide", () => void this.#app.client.send("setAlerting", { able: false }));
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted) void this.#app.client.send("setAlerting", { able: this.able });
    });
    navigator.serviceWorker.addEventListener("message", ({ data, ports: [port] }: MessageEvent<unknown>) => {
      if (!isNotificationPress(data)) return;
      port?.postMessage("taken");
      location.hash = data.fragment;
      const { key, actionId } = data;
      if (key && actionId !== undefined) void this.#pressed(key, actionId);
    });
  }

  /** Shows a sample notification; returns whether the browser accepted it. */
  async test(): Promise<boolean> {
    return this.#notifications.test().then(
      () => true,
      () => false,
    );
  }

  #heard(event: HubEvent): void {
    if (event.kind === "alert" || event.kind === "notice") {
      // One that fails, for whatever reason, holds up none of those behind it.
      this.#showing = this.#showing.then(() => this.#show(event)).catch(reportError);
    } else if (event.kind === "rows" && (event.changed.length > 0 || event.removed.length > 0 || event.more > 0)) {
      this.#tidySoon();
    } else if (event.kind === "status" && event.status.state.kind === "live") this.#tidySoon();
  }

  async #show(event: Told): Promise<void> {
    // A tab that was frozen in between would repeat what another tab has shown.
    if (!this.able || Date.now() > event.untilMs) return;
    try {
      if (event.kind === "alert") await this.#notifications.show(event.rows, event.repeated);
      else await this.#notifications.tellStop(event);
    } catch (error) {
      // The browser can't show it now. Leave it unconfirmed, so that the hub gives it to another tab.
      if (!(error instanceof DOMException || error instanceof TypeError)) throw error;
      return;
    }
    void this.#app.client.send("confirmAlert", { alertId: event.alertId });
  }

  async #pressed(key: StoredKey, actionId: string): Promise<void> {
    const row = (await this.#app.read((reader) => reader.get(key)))?.value;
    const action = row && knownActions(row.event).find(({ id }) => id === actionId);
    if (action?.action === "http") pressAction(this.#app, { key, action });
  }

  #tidySoon(): void {
    if (!this.#isReady) return;
    clearTimeout(this.#tidyTimer);
    this.#tidyTimer = setTimeout(() => void this.#notifications.tidy(), TIDY_AFTER_MS);
  }
}

type StoredKey = NonNullable<NotificationData["key"]>;

let alerts: Alerts | undefined;

/** Starts to show alerts, if the browser has notifications and service workers. */
export function startAlerts(app: App): void {
  if (alerts || !("serviceWorker" in navigator) || !("Notification" in globalThis)) return;
  alerts = new Alerts(app);
  alerts.start();
  void followPermission();
}

/** Shows a test notification; returns whether the browser accepted it. */
export function testAlert(): Promise<boolean> {
  return alerts?.test() ?? Promise.resolve(false);
}
