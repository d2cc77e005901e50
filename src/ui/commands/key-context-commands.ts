import type { IconName } from "../parts/icons";
import type { KeyContext } from "../state/navigation/key-targets";
import type { Command, CommandId } from "./command";

/** Makes commands of one kind of key context: what each does there. */
function commandsOf<Kind extends KeyContext["kind"] & Command["group"]>(kind: Kind, common: Partial<Command> = {}) {
  type Context = Extract<KeyContext, { kind: Kind }>;
  const isOf = (context: KeyContext): context is Context => context.kind === kind;
  return (id: CommandId, icon: IconName, keys: readonly string[], run: (context: Context) => void): Command => ({
    ...{ id, group: kind, icon, keys, within: kind },
    ...common,
    run: ({ keyContext }) => keyContext && isOf(keyContext) && run(keyContext),
  });
}

const columns = commandsOf("columns");
const wall = commandsOf("wall");
const raw = commandsOf("raw");
const picture = commandsOf("picture", { repeats: true, isKeyOnly: true });

/** Arrow keys of the columns. They don't apply while a message is open as its own page, which hides the columns. */
function arrow(...[id, icon, messageKeys, run]: Parameters<typeof columns>): Command {
  const applies: Command["applies"] = ({ app }) => !app.selection.opened;
  return { ...columns(id, icon, [], run), messageKeys, repeats: true, isKeyOnly: true, applies };
}

/** Commands of single key contexts, which take precedence there over others with the same key. */
export const KEY_CONTEXT_COMMANDS: readonly Command[] = [
  arrow("columnLeft", "back", ["ArrowLeft"], (shown) => shown.step(-1)),
  arrow("columnRight", "chevron-right", ["ArrowRight"], (shown) => shown.step(1)),
  arrow("moveColumnLeft", "back", ["Shift+ArrowLeft"], (shown) => shown.move(-1)),
  arrow("moveColumnRight", "chevron-right", ["Shift+ArrowRight"], (shown) => shown.move(1)),
  columns("addColumn", "plus", [], (shown) => shown.add()),
  wall("leaveWall", "back", ["Escape"], (shown) => shown.leave()),
  wall("fillScreen", "external", ["f"], (shown) => shown.fill()),
  raw("followLines", "down", ["p"], (lines) => lines.toggleFollow()),
  raw("copyLines", "copy", ["y"], (lines) => lines.copy()),
  raw("clearLines", "trash", [], (lines) => lines.clear()),
  raw("leaveLines", "back", [], (lines) => lines.back()),
  picture("pictureLarger", "plus", ["+", "="], (shown) => shown.zoom(1)),
  picture("pictureSmaller", "chevrons-down", ["-"], (shown) => shown.zoom(-1)),
  picture("pictureFit", "image", ["0"], (shown) => shown.fit()),
  picture("pictureLeft", "back", ["ArrowLeft"], (shown) => shown.look(-1, 0)),
  picture("pictureRight", "chevron-right", ["ArrowRight"], (shown) => shown.look(1, 0)),
  picture("pictureUp", "up", ["ArrowUp"], (shown) => shown.look(0, -1)),
  picture("pictureDown", "down", ["ArrowDown"], (shown) => shown.look(0, 1)),
];
