import { keyOf, type StoredMessage } from "../../contract";
import { canRepublish } from "../../protocol";
import type { IconName } from "../parts/icons";
import type { KeyContext } from "../state/navigation/key-targets";
import { canJump, toOldest, toOldestUnread } from "../feed/jump";
import { pickAll, pickedActions } from "../feed/picked-actions";
import { copyLinkTo, rowActions } from "../message/row-menu";
import { sendNow, markAllRead } from "../message/marks";
import { canInstall, install } from "../state/install.svelte";
import { shareLink } from "../state/navigation/share";
import { OWN_LISTS } from "../parts/own-lists";
import { isFeed, type View } from "../state/navigation/view";
import { viewTitle } from "../state/navigation/view-title";
import { isAllMuted, muteAll, toggleMute } from "../alerts/mute";
import type { Command, CommandGroup, CommandId, Situation } from "./command";

const hasFeed = ({ feed }: Situation) => feed !== undefined;
/** An open message hides the feed, so there is nothing to move in. */
const canMove = ({ app, feed }: Situation) => feed !== undefined && !app.selection.opened && canJump(feed);
const hasRow = ({ row }: Situation) => row !== undefined;

/** Marks are for delivered messages. */
const canMark = ({ feed, row, hasPicked }: Situation) =>
  hasPicked ? feed?.pane.scope?.list !== "scheduled" : row !== undefined && !row.scheduled;

/** Acts on the picked messages, else on the selected one. */
function onTarget(action: "done" | "star" | "read" | "snooze" | "delete"): Command["run"] {
  return ({ app, feed, row, hasPicked }) => {
    if (feed && hasPicked) pickedActions(app, feed.pane, feed.rows)[action].run();
    else if (row) rowActions(app, row, feed?.behind(row), feed?.handOn)[action].run();
  };
}

function step(by: 1 | -1): Command["run"] {
  return ({ feed }) => void feed?.step(by);
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

/** Like Back, except that picked messages are unpicked first: an open message stays selected in the feed. */
function leave({ app, feed, hasPicked }: Situation): void {
  if (hasPicked) feed?.pane.picked.clear();
  else if (app.selection.opened) app.selection.close();
  else (feed?.pane ?? app.pane).select(undefined);
}

function copyLink({ app, row }: Situation): void {
  if (row) void copyLinkTo(app, row);
}

function muteOnly({ app }: Situation): void {
  const { onlyTopic } = app.pane;
  if (onlyTopic) void toggleMute(app, onlyTopic);
}

function search({ app, feed }: Situation): void {
  if (!feed && !isFeed(app.navigation.view)) app.navigation.go({ kind: "everything" });
  const { pane } = feed ?? app;
  // Set again each time, so that an open box gets the focus too.
  pane.searching = false;
  pane.searching = true;
}

function send({ app, row }: Situation): void {
  const [subscription, another] = app.pane.covered;
  const only = subscription && !another ? subscription.subId : undefined;
  app.dialogs.open({ kind: "publish", likely: row?.subId ?? only });
}

/** Makes the commands of a group: id, icon, keys, what it does, and anything else. */
function commandsOf(group: CommandGroup, common: Partial<Command> = {}) {
  return (
    id: CommandId,
    icon: IconName,
    keys: readonly string[],
    run: Command["run"],
    more: Partial<Command> = {},
  ) => ({
    ...{ id, group, icon, keys, run },
    ...common,
    ...more,
  });
}

/** The same for a kind of key context, which is also their group. */
function contextCommandsOf<Kind extends KeyContext["kind"] & CommandGroup>(kind: Kind, common: Partial<Command> = {}) {
  type Context = Extract<KeyContext, { kind: Kind }>;
  const isOf = (context: KeyContext): context is Context => context.kind === kind;
  const command = commandsOf(kind, { within: kind, ...common });
  return (id: CommandId, icon: IconName, keys: readonly string[], run: (context: Context) => void): Command =>
    command(id, icon, keys, ({ keyContext }) => keyContext && isOf(keyContext) && run(keyContext));
}

/** Commands that only move: their keys repeat, and the palette leaves them out. */
const MOVES = { repeats: true, isKeyOnly: true } as const;

const columns = contextCommandsOf("columns");
const wall = contextCommandsOf("wall");
const raw = contextCommandsOf("raw");
const picture = contextCommandsOf("picture", MOVES);
const move = commandsOf("move", { applies: hasFeed });
const pick = commandsOf("pick", { applies: hasFeed });
const message = commandsOf("message", { applies: canMark });
const page = commandsOf("page");
const go = commandsOf("go");

/** Arrow keys of the columns. They don't apply while a message is open as its own page, which hides the columns. */
function arrow(...[id, icon, messageKeys, run]: Parameters<typeof columns>): Command {
  const applies: Command["applies"] = ({ app }) => !app.selection.opened;
  return { ...columns(id, icon, [], run), messageKeys, ...MOVES, applies };
}

function goTo(id: CommandId, icon: IconName, keys: string, view: View): Command {
  return go(id, icon, [keys], ({ app }) => app.navigation.go(view));
}

/**
 * The one table of everything that can be done by key or by name: the keys, their list and the palette all come from
 * it. If two commands have the same key, the first that applies is run; those of key contexts come first.
 */
export const COMMANDS: readonly Command[] = [
  arrow("columnLeft", "back", ["ArrowLeft"], (shown) => shown.step(-1)),
  arrow("columnRight", "chevron-right", ["ArrowRight"], (shown) => shown.step(1)),
  arrow("moveColumnLeft", "back", ["Shift+ArrowLeft"], (shown) => shown.move(-1)),
  arrow("moveColumnRight", "chevron-right", ["Shift+ArrowRight"], (shown) => shown.move(1)),
  columns("addColumn", "plus", [], (shown) => shown.add()),
  wall("leaveWall", "back", ["Escape"], (shown) => shown.leave()),
  wall("fillScreen", "expand", ["f"], (shown) => shown.fill()),
  raw("followLines", "down", ["p"], (lines) => lines.toggleFollow()),
  raw("copyLines", "copy", ["y"], (lines) => lines.copy()),
  raw("clearLines", "trash", [], (lines) => lines.clear()),
  raw("leaveLines", "back", [], (lines) => lines.back()),
  picture("pictureLarger", "plus", ["+", "="], (shown) => shown.zoom(1)),
  picture("pictureSmaller", "minus", ["-"], (shown) => shown.zoom(-1)),
  picture("pictureFit", "image", ["0"], (shown) => shown.fit()),
  picture("pictureLeft", "back", ["ArrowLeft"], (shown) => shown.look(-1, 0)),
  picture("pictureRight", "chevron-right", ["ArrowRight"], (shown) => shown.look(1, 0)),
  picture("pictureUp", "up", ["ArrowUp"], (shown) => shown.look(0, -1)),
  picture("pictureDown", "down", ["ArrowDown"], (shown) => shown.look(0, 1)),

  move("next", "down", ["j"], step(1), { messageKeys: ["ArrowDown", "PageDown"], ...MOVES }),
  move("previous", "up", ["k"], step(-1), { messageKeys: ["ArrowUp", "PageUp"], ...MOVES }),
  move("newest", "up", ["g g"], ({ feed }) => feed?.toNewest(), { messageKeys: ["Home"] }),
  move("oldest", "down", ["Shift+g"], ({ feed }) => feed && void toOldest(feed), {
    messageKeys: ["End"],
    applies: canMove,
  }),
  move("unread", "unread", ["n"], ({ app, feed }) => feed && void toOldestUnread(app, feed), { applies: canMove }),
  move("jump", "date", ["d"], show("jump"), { applies: canMove }),
  move("open", "chevron-right", ["o"], ({ feed, row }) => row && feed?.pane.open(keyOf(row)), {
    messageKeys: ["Enter"],
    applies: hasRow,
  }),
  move("leave", "back", ["Escape"], leave, {
    isKeyOnly: true,
    // If there is nothing to leave, the key is free for other commands.
    applies: ({ app, hasPicked }) => hasPicked || app.selection.key !== undefined,
  }),

  message("done", "archive", ["e"], onTarget("done")),
  message("star", "star", ["s"], onTarget("star")),
  message("read", "read", ["u"], onTarget("read")),
  message("snooze", "snooze", ["h", "b"], onTarget("snooze")),
  message("delete", "trash", ["#", "Delete"], onTarget("delete"), {
    applies: ({ row, hasPicked }) => hasPicked || row !== undefined,
  }),
  message("sendNow", "send", [], ({ app, row }) => row && void sendNow(app, row), {
    applies: ({ row, hasPicked }) => !hasPicked && row?.scheduled !== undefined && canRepublish(row.event),
  }),
  message("copyLink", "link", ["y"], copyLink, { applies: hasRow }),

  pick(
    "pick",
    "select",
    ["x"],
    ({ feed }) => feed?.row && feed.pane.picked.toggle(feed.row, feed.rows, { behind: feed.behind }),
    {
      applies: ({ feed }) => feed?.row !== undefined,
    },
  ),
  pick("pickNext", "down", ["Shift+j"], extend(1), { messageKeys: ["Shift+ArrowDown"], ...MOVES }),
  pick("pickPrevious", "up", ["Shift+k"], extend(-1), { messageKeys: ["Shift+ArrowUp"], ...MOVES }),
  pick("pickAll", "select", ["* a"], ({ app, feed }) => feed && void pickAll(app, feed.pane)),
  pick("pickNone", "close", ["* n"], ({ feed }) => feed?.pane.picked.clear(), {
    applies: ({ hasPicked }) => hasPicked,
  }),

  page("undo", "undo", ["z", "Mod+z"], ({ app }) => app.notices.undoLast(), {
    applies: ({ app }) => app.notices.canUndo,
  }),
  page("markAllRead", "check-all", ["Shift+a"], ({ app }) => void markAllRead(app), {
    applies: ({ app }) => isFeed(app.navigation.view),
  }),
  // The palette has it among the topic's actions.
  page("mute", "bell-off", ["m"], muteOnly, {
    isKeyOnly: true,
    applies: ({ app }) => app.pane.onlyTopic !== undefined,
  }),
  page("muteAll", "bell-off", [], ({ app }) => app.dialogs.open({ kind: "mute" }), {
    applies: ({ app }) => !isAllMuted(app),
  }),
  page("unmuteAll", "bell", [], ({ app }) => void muteAll(app, null), { applies: ({ app }) => isAllMuted(app) }),
  page("search", "search", ["/"], search),
  page("palette", "prompt", ["Mod+k"], show("commands"), { inFields: true, isKeyOnly: true }),
  page("help", "info", ["?"], show("keys")),
  page("send", "send", [], send, { applies: ({ app }) => app.catalogue.subscriptions.length > 0 }),
  page("install", "download", [], () => void install(), { applies: canInstall }),
  page("addTopic", "plus", [], show("add-topic")),
  page("share", "share", [], ({ app }) => shareLink(app, viewTitle(app.pane, app))),

  ...OWN_LISTS.map(({ kind, icon, keys }) => goTo(kind === "done" ? "doneList" : kind, icon, keys, { kind })),
  goTo("topics", "list", "g t", { kind: "topic-list" }),
  goTo("columns", "columns", "g b", { kind: "columns", parts: [] }),
  go("wall", "eye", ["g w"], ({ app: { navigation } }) => {
    navigation.go({ kind: "wall", parts: navigation.view.kind === "columns" ? navigation.view.parts : [] });
  }),
  goTo("settings", "settings", "g ,", { kind: "settings", page: "" }),
  goTo("helpPages", "info", "g h", { kind: "help", page: "" }),
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
