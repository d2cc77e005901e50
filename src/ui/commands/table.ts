import type { SubscriptionRecord } from "../../client";
import { keyOf, type StoredMessage } from "../../contract";
import { canRepublish } from "../../protocol";
import type { FeedControls } from "../state/navigation/key-targets";
import { canJump, toOldest, toOldestUnread } from "../feed/jump";
import { actOnPicked, pickAll, picksNow, type PickedAction } from "../feed/picked-actions";
import { askSnooze, deleteMessage, sendNow, toggleDone, toggleRead, toggleStar, markAllRead } from "../message/marks";
import type { App } from "../state/app.svelte";
import { canInstall, install } from "../state/install.svelte";
import { copyText, shareLink } from "../state/navigation/share";
import { OWN_LISTS, type OwnList } from "../parts/own-lists";
import { isFeed, type View } from "../state/navigation/view";
import { viewTitle } from "../state/navigation/view-title";
import { rowStrings } from "../strings";
import { toggleMute, toggleMuteAll } from "../alerts/mute";
import type { Command, CommandId, Situation } from "./command";
import { KEY_CONTEXT_COMMANDS } from "./key-context-commands";

const hasFeed = ({ feed }: Situation) => feed !== undefined;
/** An open message hides the feed, so there is nothing to move in. */
const canMove = ({ app, feed }: Situation) => feed !== undefined && !app.selection.opened && canJump(feed);
const hasRow = ({ row }: Situation) => row !== undefined;
const hasTarget = ({ row, hasPicked }: Situation) => hasPicked || row !== undefined;

/** Marks are for what was delivered. */
const canMark = ({ feed, row, hasPicked }: Situation) =>
  hasPicked ? feed?.pane.scope?.list !== "scheduled" : row !== undefined && !row.scheduled;

/** The topic of the view, if it has only one. */
function onlyTopic({ navigation, pane }: App): SubscriptionRecord | undefined {
  const [topic, another] = navigation.view.kind === "topics" ? pane.covered : [];
  return another ? undefined : topic;
}

/** Acts on the picked messages, else on the selected one. */
function onTarget(
  action: (feed: FeedControls) => PickedAction,
  toRow: (app: App, row: StoredMessage, behind: readonly StoredMessage[] | undefined, feed?: FeedControls) => unknown,
): Command["run"] {
  return ({ app, feed, row, hasPicked }) => {
    if (feed && hasPicked) void actOnPicked(app, feed.pane, feed.rows, action(feed));
    else if (row) void toRow(app, row, feed?.behind(row), feed);
  };
}

/** Picks the selected message and the next one; on the way back, unpicks the message that the selection leaves. */
function extend(by: 1 | -1): Command["run"] {
  return ({ feed }) => {
    if (!feed) return;
    const { rows, row, pane } = feed;
    const picked = pane.picked;
    const next = row && rows[rows.indexOf(row) + by];
    const withBehind = (one: StoredMessage | undefined) => (one ? [...feed.behind(one), one] : []);
    if (row && next && picked.has(next)) picked.set(withBehind(row), false);
    else picked.set([...withBehind(row), ...withBehind(next)], true);
    void feed.step(by);
  };
}

/** A command that leads to a view. */
function goTo(id: CommandId, keys: string, view: View, icon: Command["icon"]): Command {
  return { id, group: "go", icon, keys: [keys], run: ({ app }) => app.navigation.go(view) };
}

/** The keys of the app's own lists. */
const LIST_KEYS: Readonly<Record<OwnList, string>> = {
  everything: "g i",
  urgent: "g u",
  starred: "g s",
  snoozed: "g z",
  scheduled: "g c",
  done: "g d",
};

/**
 * The one table of everything that can be done by key or by name: the keys, their list and the palette all come from
 * it. If two commands have the same key, the first that applies is run.
 */
export const COMMANDS: readonly Command[] = [
  ...KEY_CONTEXT_COMMANDS,
  {
    id: "next",
    group: "move",
    icon: "down",
    keys: ["j"],
    messageKeys: ["ArrowDown", "PageDown"],
    repeats: true,
    isKeyOnly: true,
    applies: hasFeed,
    run: ({ feed }) => void feed?.step(1),
  },
  {
    id: "previous",
    group: "move",
    icon: "up",
    keys: ["k"],
    messageKeys: ["ArrowUp", "PageUp"],
    repeats: true,
    isKeyOnly: true,
    applies: hasFeed,
    run: ({ feed }) => void feed?.step(-1),
  },
  {
    id: "newest",
    group: "move",
    icon: "up",
    keys: ["g g"],
    messageKeys: ["Home"],
    applies: hasFeed,
    run: ({ feed }) => feed?.toNewest(),
  },
  {
    id: "oldest",
    group: "move",
    icon: "down",
    keys: ["Shift+g"],
    messageKeys: ["End"],
    applies: canMove,
    run: ({ feed }) => feed && void toOldest(feed),
  },
  {
    id: "unread",
    group: "move",
    icon: "inbox",
    keys: ["n"],
    applies: canMove,
    run: ({ app, feed }) => feed && void toOldestUnread(app, feed),
  },
  { id: "jump", group: "move", icon: "clock", keys: ["d"], applies: canMove, run: show("jump") },
  {
    id: "open",
    group: "move",
    icon: "inbox",
    keys: ["o"],
    messageKeys: ["Enter"],
    applies: hasRow,
    run: ({ feed, row }) => row && feed?.pane.open(keyOf(row)),
  },
  {
    id: "leave",
    group: "move",
    icon: "back",
    keys: ["Escape"],
    isKeyOnly: true,
    // If there is nothing to leave, the key is free for other commands.
    applies: ({ app, hasPicked }) => hasPicked || app.selection.key !== undefined,
    run({ app, feed, hasPicked }) {
      if (hasPicked) feed?.pane.picked.clear();
      // Like Back: the message stays selected in the feed.
      else if (app.selection.opened) app.selection.close();
      else (feed?.pane ?? app.pane).select(undefined);
    },
  },
  {
    id: "done",
    group: "message",
    icon: "check-all",
    keys: ["e"],
    applies: canMark,
    run: onTarget(
      () => "done",
      (app, row, behind, feed) => void toggleDone(app, row, behind, feed?.handOn()),
    ),
  },
  {
    id: "star",
    group: "message",
    icon: "star",
    keys: ["s"],
    applies: canMark,
    run: onTarget(
      () => "star",
      (app, row) => toggleStar(app, row),
    ),
  },
  {
    id: "read",
    group: "message",
    icon: "check",
    keys: ["u"],
    applies: canMark,
    run: onTarget(({ pane, rows }) => (picksNow(pane, rows).hasUnread ? "read" : "unread"), toggleRead),
  },
  {
    id: "snooze",
    group: "message",
    icon: "snooze",
    keys: ["h", "b"],
    applies: canMark,
    run: onTarget(() => "snooze", askSnooze),
  },
  {
    id: "delete",
    group: "message",
    icon: "trash",
    keys: ["#", "Delete"],
    applies: hasTarget,
    run: onTarget(
      () => "delete",
      (app, row, behind, feed) => void deleteMessage(app, row, behind, feed?.handOn()),
    ),
  },
  {
    id: "sendNow",
    group: "message",
    icon: "send",
    keys: [],
    applies: ({ row, hasPicked }) => !hasPicked && row?.scheduled !== undefined && canRepublish(row.event),
    run: ({ app, row }) => row && void sendNow(app, row),
  },
  {
    id: "pick",
    group: "pick",
    icon: "check",
    keys: ["x"],
    applies: ({ feed }) => feed?.row !== undefined,
    run: ({ feed }) => feed?.row && feed.pane.picked.toggle(feed.row, feed.rows, { behind: feed.behind }),
  },
  {
    id: "pickNext",
    group: "pick",
    icon: "down",
    keys: ["Shift+j"],
    messageKeys: ["Shift+ArrowDown"],
    repeats: true,
    isKeyOnly: true,
    applies: hasFeed,
    run: extend(1),
  },
  {
    id: "pickPrevious",
    group: "pick",
    icon: "up",
    keys: ["Shift+k"],
    messageKeys: ["Shift+ArrowUp"],
    repeats: true,
    isKeyOnly: true,
    applies: hasFeed,
    run: extend(-1),
  },
  {
    id: "pickAll",
    group: "pick",
    icon: "list",
    keys: ["* a"],
    applies: hasFeed,
    run: ({ app, feed }) => feed && void pickAll(app, feed.pane),
  },
  {
    id: "pickNone",
    group: "pick",
    icon: "close",
    keys: ["* n"],
    applies: ({ hasPicked }) => hasPicked,
    run: ({ feed }) => feed?.pane.picked.clear(),
  },
  {
    id: "copyLink",
    group: "message",
    icon: "link",
    keys: ["y"],
    applies: hasRow,
    run({ app, row }) {
      const { copyByHand, linkCopied } = rowStrings.message;
      if (row) void copyText(app, app.navigation.linkTo(row), { heading: copyByHand, done: linkCopied });
    },
  },
  {
    id: "undo",
    group: "page",
    icon: "undo",
    keys: ["z", "Mod+z"],
    applies: ({ app }) => app.notices.canUndo,
    run: ({ app }) => app.notices.undoLast(),
  },
  {
    id: "markAllRead",
    group: "page",
    icon: "check-all",
    keys: ["Shift+a"],
    applies: ({ app }) => isFeed(app.navigation.view),
    run: ({ app }) => void markAllRead(app),
  },
  {
    id: "mute",
    group: "page",
    icon: "bell-off",
    keys: ["m"],
    // The palette has it among the topic's actions.
    isKeyOnly: true,
    applies: ({ app }) => onlyTopic(app) !== undefined,
    run({ app }) {
      const topic = onlyTopic(app);
      if (topic) void toggleMute(app, topic);
    },
  },
  {
    id: "muteAll",
    group: "page",
    icon: "bell-off",
    keys: [],
    run: ({ app }) => void toggleMuteAll(app),
  },
  {
    id: "search",
    group: "page",
    icon: "search",
    keys: ["/"],
    run({ app, feed }) {
      if (!feed && !isFeed(app.navigation.view)) app.navigation.go({ kind: "everything" });
      (feed?.pane ?? app.pane).setSearching(true);
    },
  },
  {
    id: "palette",
    group: "page",
    icon: "list",
    keys: ["Mod+k"],
    inFields: true,
    isKeyOnly: true,
    run: show("commands"),
  },
  { id: "help", group: "page", icon: "info", keys: ["?"], run: show("keys") },
  {
    id: "send",
    group: "page",
    icon: "send",
    keys: [],
    applies: ({ app }) => app.catalogue.subscriptions.length > 0,
    run({ app, row }) {
      const [subscription, another] = app.pane.covered;
      const only = subscription && !another ? subscription.subId : undefined;
      app.dialogs.open({ kind: "publish", likely: row?.subId ?? only });
    },
  },
  { id: "install", group: "page", icon: "download", keys: [], applies: canInstall, run: () => void install() },
  { id: "addTopic", group: "page", icon: "plus", keys: [], run: show("add-topic") },
  {
    id: "share",
    group: "page",
    icon: "share",
    keys: [],
    run: ({ app }) => void shareLink(app, viewTitle(app.pane, app)),
  },
  ...OWN_LISTS.map(({ kind, icon }) => goTo(kind === "done" ? "doneList" : kind, LIST_KEYS[kind], { kind }, icon)),
  goTo("topics", "g t", { kind: "topic-list" }, "list"),
  goTo("columns", "g b", { kind: "columns", parts: [] }, "columns"),
  {
    id: "wall",
    group: "go",
    icon: "eye",
    keys: ["g w"],
    run: ({ app }) =>
      app.navigation.go({
        kind: "wall",
        parts: app.navigation.view.kind === "columns" ? app.navigation.view.parts : [],
      }),
  },
  goTo("settings", "g ,", { kind: "settings" }, "settings"),
  goTo("helpPages", "g h", { kind: "help", page: "" }, "info"),
];

/** Opens a dialog that needs no input. */
function show(kind: "commands" | "keys" | "add-topic" | "jump"): Command["run"] {
  return ({ app }) => app.dialogs.open({ kind });
}

/** @throws if no command has this id */
export function commandOf(id: CommandId): Command {
  const command = COMMANDS.find((candidate) => candidate.id === id);
  if (!command) throw new Error(`no command ${id}`);
  return command;
}
