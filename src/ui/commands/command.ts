import type { StoredMessage } from "../../protocol";
import type { FeedControls } from "../feed/feed-controls";
import type { IconName } from "../parts/icons";
import type { App } from "../state/app.svelte";
import type { KeyContext } from "../state/key-context";
import type { commandStrings } from "../strings/commands";

/** Names a command. Its words are in the catalogue under this name. */
export type CommandId = keyof (typeof commandStrings)["names"];

/** Where a command stands in the list of keys. */
export type CommandGroup = keyof (typeof commandStrings)["groups"];

/** What a command finds when it is given. */
export interface Situation {
  readonly app: App;
  /** The feed that has the keyboard; absent where the page shows none. */
  readonly feed: FeedControls | undefined;
  /** The message that is selected. */
  readonly row: StoredMessage | undefined;
  /** Several are picked, so that they are meant. */
  readonly hasPicked: boolean;
  /** The page or dialog with keys of its own that is in use. */
  readonly place: KeyContext | undefined;
}

/** One thing that can be done, by key, from the palette, or by whatever else looks it up. */
export interface Command {
  readonly id: CommandId;
  readonly group: CommandGroup;
  readonly icon: IconName;
  /**
   * Keys, the one to show first. Of one stroke or of several ("g i"). Letters and signs are single keys, which the user can
   * turn off; `Mod` is Ctrl or, on Apple's keyboards, Command.
   */
  readonly keys: readonly string[];
  /** Keys that mean this only while a message or nothing has the focus: elsewhere they scroll, or press what is focused. */
  readonly messageKeys?: readonly string[];
  /** Holds where one types too. */
  readonly inFields?: true;
  /** Can be held down. */
  readonly repeats?: true;
  /** The kind of place in which alone it is there; absent = everywhere. */
  readonly within?: KeyContext["kind"];
  /** Absent = always. Where it does not apply, its keys are left to others. */
  readonly applies?: (situation: Situation) => boolean;
  /** Not among the commands of the palette: moving is done by key or not at all. */
  readonly isKeyOnly?: true;
  readonly run: (situation: Situation) => void;
}

/** Whether a command can be given now. */
export function isPossible({ within, applies }: Command, situation: Situation): boolean {
  return (within === undefined || within === situation.place?.kind) && (applies === undefined || applies(situation));
}
