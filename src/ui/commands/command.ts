import type { StoredMessage } from "../../contract";
import type { FeedControls, KeyContext } from "../state/navigation/key-targets";
import type { IconName } from "../parts/icons";
import type { App } from "../state/app.svelte";
import type { commandStrings } from "../strings";

/** Id of a command, and key of its name in the strings. */
export type CommandId = keyof (typeof commandStrings)["names"];

/** Section of the list of keys in which a command is shown. */
export type CommandGroup = keyof (typeof commandStrings)["groups"];

export interface Situation {
  readonly app: App;
  /** The feed that has the keyboard; undefined if the page shows none. */
  readonly feed: FeedControls | undefined;
  readonly row: StoredMessage | undefined;
  /** Whether messages are picked, so that the command applies to them. */
  readonly hasPicked: boolean;
  readonly keyContext: KeyContext | undefined;
}

/** An action that can be run by key, from the palette, or by other code. */
export interface Command {
  readonly id: CommandId;
  readonly group: CommandGroup;
  readonly icon: IconName;
  /**
   * Keys, the one to show first. Each is one stroke or several ("g i"). Letters and signs are single keys, which the
   * user can turn off; `Mod` is Ctrl or, on Apple's keyboards, Command.
   */
  readonly keys: readonly string[];
  /** Keys that work only while a message or nothing has the focus; elsewhere they scroll, or press what has it. */
  readonly messageKeys?: readonly string[];
  /** Whether its keys also work in text fields. */
  readonly inFields?: true;
  /** Whether its keys repeat while held down. */
  readonly repeats?: true;
  /** The only kind of key context in which it exists; absent = everywhere. */
  readonly within?: KeyContext["kind"];
  /** Absent = always applies. If it doesn't apply, its keys are free for other commands. */
  readonly applies?: (situation: Situation) => boolean;
  /** Whether the palette leaves it out: moving makes sense only by key. */
  readonly isKeyOnly?: true;
  readonly run: (situation: Situation) => void;
}

export function isPossible({ within, applies }: Command, situation: Situation): boolean {
  return (
    (within === undefined || within === situation.keyContext?.kind) && (applies === undefined || applies(situation))
  );
}
