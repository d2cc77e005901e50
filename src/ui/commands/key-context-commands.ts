import type { KeyContext } from "../state/navigation/key-targets";
import type { Command } from "./command";

/** Limits a command to one kind of key context, and says what it does there. */
function within<Kind extends KeyContext["kind"]>(
  kind: Kind,
  run: (context: Extract<KeyContext, { kind: Kind }>) => void,
): Pick<Command, "within" | "run"> {
  const isOf = (context: KeyContext): context is Extract<KeyContext, { kind: Kind }> => context.kind === kind;
  return { within: kind, run: ({ keyContext }) => keyContext && isOf(keyContext) && run(keyContext) };
}

/** Arrow keys of the columns. They don't apply while a message is open as its own page, which hides the columns. */
const inColumns = {
  group: "columns",
  repeats: true,
  isKeyOnly: true,
  applies: ({ app }) => !app.selection.opened,
} as const satisfies Partial<Command>;

/** Keys of a picture; they repeat while held down. */
const withPicture = { group: "picture", repeats: true, isKeyOnly: true } as const satisfies Partial<Command>;

/** Commands of single key contexts, which take precedence there over others with the same key. */
export const KEY_CONTEXT_COMMANDS: readonly Command[] = [
  {
    id: "columnLeft",
    icon: "back",
    keys: [],
    messageKeys: ["ArrowLeft"],
    ...inColumns,
    ...within("columns", (columns) => columns.step(-1)),
  },
  {
    id: "columnRight",
    icon: "chevron-right",
    keys: [],
    messageKeys: ["ArrowRight"],
    ...inColumns,
    ...within("columns", (columns) => columns.step(1)),
  },
  {
    id: "moveColumnLeft",
    icon: "back",
    keys: [],
    messageKeys: ["Shift+ArrowLeft"],
    ...inColumns,
    ...within("columns", (columns) => columns.move(-1)),
  },
  {
    id: "moveColumnRight",
    icon: "chevron-right",
    keys: [],
    messageKeys: ["Shift+ArrowRight"],
    ...inColumns,
    ...within("columns", (columns) => columns.move(1)),
  },
  {
    id: "addColumn",
    group: "columns",
    icon: "plus",
    keys: [],
    ...within("columns", (columns) => columns.add()),
  },
  {
    id: "leaveWall",
    group: "wall",
    icon: "back",
    keys: ["Escape"],
    ...within("wall", (wall) => wall.leave()),
  },
  {
    id: "fillScreen",
    group: "wall",
    icon: "external",
    keys: ["f"],
    ...within("wall", (wall) => wall.fill()),
  },
  {
    id: "followLines",
    group: "raw",
    icon: "down",
    keys: ["p"],
    ...within("raw", (lines) => lines.toggleFollow()),
  },
  { id: "copyLines", group: "raw", icon: "copy", keys: ["y"], ...within("raw", (lines) => lines.copy()) },
  { id: "clearLines", group: "raw", icon: "trash", keys: [], ...within("raw", (lines) => lines.clear()) },
  { id: "leaveLines", group: "raw", icon: "back", keys: [], ...within("raw", (lines) => lines.back()) },
  {
    id: "pictureLarger",
    icon: "plus",
    keys: ["+", "="],
    ...withPicture,
    ...within("picture", (picture) => picture.zoom(1)),
  },
  {
    id: "pictureSmaller",
    icon: "chevrons-down",
    keys: ["-"],
    ...withPicture,
    ...within("picture", (picture) => picture.zoom(-1)),
  },
  { id: "pictureFit", icon: "image", keys: ["0"], ...withPicture, ...within("picture", (picture) => picture.fit()) },
  {
    id: "pictureLeft",
    icon: "back",
    keys: ["ArrowLeft"],
    ...withPicture,
    ...within("picture", (picture) => picture.look(-1, 0)),
  },
  {
    id: "pictureRight",
    icon: "chevron-right",
    keys: ["ArrowRight"],
    ...withPicture,
    ...within("picture", (picture) => picture.look(1, 0)),
  },
  {
    id: "pictureUp",
    icon: "up",
    keys: ["ArrowUp"],
    ...withPicture,
    ...within("picture", (picture) => picture.look(0, -1)),
  },
  {
    id: "pictureDown",
    icon: "down",
    keys: ["ArrowDown"],
    ...withPicture,
    ...within("picture", (picture) => picture.look(0, 1)),
  },
];
