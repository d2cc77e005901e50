// Jumps within a feed. Each finds its message by key, and reads nothing in between.
import { keyOf, keyText, placeIn } from "../../contract";
import { unreadOf } from "../message/marks";
import type { App } from "../state/app.svelte";
import { frameStrings } from "../strings";
import type { FeedControls } from "../state/navigation/key-targets";

/** How far down the screen to put a message from which the user reads upwards, as a fraction of the height. */
const LOW = 0.6;

/** Room above a message for the heading of its day, px. */
const DAY_LINE = 40;

/** Whether the list is ordered newest first, so that a time can be found in it. */
export function canJump({ pane }: FeedControls): boolean {
  const list = pane.scope?.list;
  return list !== undefined && list !== "scheduled" && list !== "snoozed";
}

export async function toOldest(feed: FeedControls): Promise<void> {
  await feed.goTo({ time: -1, arrival: 0, offset: feed.height * LOW });
}

/** Shows the newest message of a day; if the day has none, the newest one before it. @param endMs end of the day */
export async function toDay(feed: FeedControls, endMs: number): Promise<void> {
  await feed.goTo({ time: Math.ceil(endMs / 1000), arrival: -1, offset: DAY_LINE });
}

/** Shows the oldest unread message, with newer ones above it; if there is none, a notice says so. */
export async function toOldestUnread(app: App, feed: FeedControls): Promise<void> {
  const { scope } = feed.pane;
  if (!scope) return;
  let from: { time: number; arrival: number } | undefined;
  do {
    const query = { ...unreadOf(scope), direction: "newer", count: 1, nowMs: Date.now(), from } as const;
    const page = await app.read((reader) => reader.page(query));
    if (!page || scope !== feed.pane.scope) return;
    const [row] = page.value.rows;
    if (row) {
      const key = keyText(keyOf(row));
      await feed.goTo({ ...placeIn(scope.list, row), key, offset: feed.height * LOW });
      return;
    }
    from = page.value.next;
  } while (from);
  app.notices.show({ text: frameStrings.nothingUnread });
}
