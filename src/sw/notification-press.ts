import { type Mark, markOfButton, type MessageKey, type NotificationData, type NotificationPress } from "../contract";
import { isAppNavigation } from "./scope";

/** A live page answers well within this, ms; a press allows opening a window for some seconds. */
const ANSWER_WITHIN_MS = 1_500;

/** A window of the origin, with only the members used here. */
export interface AppWindow {
  readonly url: string;
  readonly focused: boolean;
  readonly visibilityState: "hidden" | "visible" | "prerender";
  focus(): Promise<unknown>;
  postMessage(message: unknown, transfer: MessagePort[]): void;
}

export interface PressEnvironment {
  /** Address of the app, ending in a slash. */
  scope: string;
  /** The worker's own; windows that were used last come first. */
  clients: {
    matchAll(options: { type: "window"; includeUncontrolled: true }): Promise<readonly AppWindow[]>;
    openWindow(url: string): Promise<unknown>;
  };
  /** Marks a message if no page can. Resolves to whether it is marked. */
  mark: (key: MessageKey, mark: Mark) => Promise<boolean>;
}

/**
 * Handles a press on a notification: opens a button's address, or shows the message in a tab. A worker can't navigate a
 * page that it doesn't control, so it brings the page to the front and tells it where to go; if none answers, it opens
 * a window. The app's own buttons bring nothing to the front: a page marks the message, or this worker does.
 *
 * @param data null = the browser's own notification, for a push that showed nothing
 * @param action name of the button, empty for the notification itself
 */
export async function answerPress(
  data: NotificationData | null,
  action: string,
  { scope, clients, mark }: PressEnvironment,
): Promise<void> {
  const { fragment, key, links, clears }: Omit<NotificationData, "shownAtMs"> = data ?? { fragment: "#/" };
  const link = links && Object.hasOwn(links, action) ? links[action] : undefined;
  const atMs = Date.now();
  const findTab = async () => {
    const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
    return likeliest(windows.filter(({ url }) => isAppNavigation(new URL(url), scope)));
  };
  if (link !== undefined) {
    await clients.openWindow(link);
    if (!key || !clears?.includes(action)) return;
    const tab = await findTab();
    const cleared: NotificationPress = { kind: "notification-press", fragment, key, isCleared: true, atMs };
    if (!tab || !(await isTaken(tab, cleared, false))) await mark(key, { kind: "read", on: true });
    return;
  }
  const tab = await findTab();
  const press: NotificationPress = {
    kind: "notification-press",
    fragment,
    ...(key && { key }),
    ...(action !== "" && { actionId: action }),
    atMs,
  };
  const marking = markOfButton(action, atMs);
  if (tab && (await isTaken(tab, press, marking === undefined))) return;
  if (marking && key && (await mark(key, marking))) return;
  await clients.openWindow(scope + fragment);
}

/** The focused tab, else a visible one, else the one used last. */
function likeliest(tabs: readonly AppWindow[]): AppWindow | undefined {
  return (
    tabs.find(({ focused }) => focused) ?? tabs.find(({ visibilityState }) => visibilityState === "visible") ?? tabs[0]
  );
}

/** Tells a tab of the press, bringing it to the front if asked. Resolves to whether it answers; a hung tab doesn't. */
async function isTaken(tab: AppWindow, press: NotificationPress, toFront: boolean): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise<true>((resolve) => (port1.onmessage = () => resolve(true)));
  try {
    tab.postMessage(press, [port2]);
    // Focusing isn't allowed twice for one press, or long after it; the tab then shows the message where it is.
    if (toFront) await tab.focus().catch(() => undefined);
    // A tab may have to be thawed before it can answer, which focusing waits for.
    return await Promise.race([answered, new Promise<false>((end) => setTimeout(() => end(false), ANSWER_WITHIN_MS))]);
  } finally {
    port1.close();
  }
}
