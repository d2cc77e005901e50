// The app's own buttons on the notification of a message.
import type { Mark } from "./triage";
import type { PushWorkerStrings } from "./push-state";

/** The prefix of their names; a message's own button whose name begins so is left out. */
const OWN = "earshot:";

/** Their names, by what they do. */
export const OWN_BUTTONS = { done: `${OWN}done`, snooze: `${OWN}snooze` } as const;

/** Their labels, by what they do. */
export type ButtonStrings = Record<keyof typeof OWN_BUTTONS, string>;

/** The strings of the worker that receives pushes. Those that an earlier version of the app left are without buttons. */
export interface PushWorkerStringsWithButtons extends PushWorkerStrings {
  buttons?: ButtonStrings;
}

/** How long a message is snoozed by a button, which can't ask until when, ms. */
export const SNOOZE_MS = 3_600_000;

/** Whether a button's name is kept for the app's own. */
export function isOwnButton(name: string): boolean {
  return name.startsWith(OWN);
}

/** Returns the mark that such a button sets; undefined = the button is none of the app's own. */
export function markOfButton(name: string, nowMs: number): Mark | undefined {
  if (name === OWN_BUTTONS.done) return { kind: "done", on: true };
  if (name === OWN_BUTTONS.snooze) return { kind: "snooze", untilMs: nowMs + SNOOZE_MS };
  return undefined;
}
