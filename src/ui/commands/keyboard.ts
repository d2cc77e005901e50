import type { App } from "../state/app.svelte";
import { isPossible, type Command, type Situation } from "./command";
import { isSingle, strokeName } from "./strokes";
import { COMMANDS } from "./table";

/** The second key of a sequence must follow within this time, ms. */
const SEQUENCE_MS = 1_500;

/** Elements in which letters type text or choose an item. */
const TYPES = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=menu], [role=tree]";

export function situationOf(app: App): Situation {
  const { feed, context: keyContext } = app.keyTargets;
  const hasPicked = (feed?.pane.picked.count ?? 0) > 0;
  return { app, feed, row: feed?.row ?? app.selection.shownRow, hasPicked, keyContext };
}

/** Handles the keys that are pressed anywhere on the page. One for the whole page. */
export class Keyboard {
  #begun: { strokes: string; atMs: number } | undefined;

  constructor(private readonly app: App) {}

  press(event: KeyboardEvent): void {
    const stroke = strokeName(event);
    if (event.defaultPrevented || event.isComposing || stroke === undefined) return;
    const situation = situationOf(this.app);
    const dialog = this.app.dialogs.current;
    // Until its code has loaded, a dialog can't close itself.
    if (dialog && event.key === "Escape" && !document.querySelector("dialog[open]")) this.app.dialogs.close();
    // An open dialog gets all keys, unless it is a key context itself.
    if (dialog && !(dialog.kind === "image" && situation.keyContext?.kind === "picture")) return;
    const target = event.target instanceof Element ? event.target : undefined;
    const isTyping = target !== undefined && target.closest(TYPES) !== null;
    // A message, the whole page or nothing has the focus.
    const isOnMessage = target?.matches("article, body, main") ?? false;
    // The user can turn single letters and signs off (WCAG 2.1.4).
    const { singleKeys } = this.app.catalogue.settings;
    const able = COMMANDS.filter(
      (command) =>
        (!isTyping || command.inFields) && (!dialog || command.within === "picture") && isPossible(command, situation),
    ).map((command) => {
      const keys = [...command.keys, ...((isOnMessage && command.messageKeys) || [])];
      return { command, keys: keys.filter((key) => singleKeys || !isSingle(key)) };
    });
    /** What the strokes so far mean: a command, the beginning of a sequence, or nothing. */
    const find = (strokes: string): Command | "begun" | undefined =>
      able.find(({ keys }) => keys.includes(strokes))?.command ??
      (able.some(({ keys }) => keys.some((key) => key.startsWith(`${strokes} `))) ? "begun" : undefined);

    const begun = this.#begun;
    this.#begun = undefined;
    const isContinued = begun !== undefined && event.timeStamp - begun.atMs < SEQUENCE_MS;
    const strokes = isContinued ? `${begun.strokes} ${stroke}` : stroke;
    // A second key that continues no sequence counts on its own.
    const found = find(strokes) ?? (isContinued ? find(stroke) : undefined);
    if (found === undefined) return;
    event.preventDefault();
    if (found === "begun") this.#begun = { strokes: stroke, atMs: event.timeStamp };
    else if (!event.repeat || found.repeats) found.run(situation);
  }
}
