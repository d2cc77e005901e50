import { type CommandName, type Commands, CONTRACT_VERSION, traitsOf } from "../contract";
import type { HubConnection } from "./hub-connection";

type Send = HubConnection["send"];

/** A command with more messages isn't noted: a press would wait until the note is written. */
const MAX_NOTED_KEYS = 1_000;

/** Where they are noted for this tab. */
const KEY = "earshot-unanswered";

interface Note {
  version: number;
  commands: { name: CommandName; input: Commands[CommandName]["input"] }[];
}

/**
 * Sends what the tab's previous page got no answer for, and returns the function by which this page sends commands: a
 * reload may end the worker before it stored them.
 */
export function sendAgain(send: Send): Send {
  const unanswered = new Set<Note["commands"][number]>();
  const note = (): void => write({ version: CONTRACT_VERSION, commands: [...unanswered] });
  const noted: Send = async (name, input) => {
    if (!traitsOf(name).noted || ("keys" in input && input.keys.length > MAX_NOTED_KEYS)) return send(name, input);
    const command = { name, input };
    unanswered.add(command);
    note();
    const output = await send(name, input);
    unanswered.delete(command);
    note();
    return output;
  };
  for (const { name, input } of read()) void noted(name, input);
  return noted;
}

function read(): Note["commands"] {
  const text = storage()?.getItem(KEY);
  if (!text) return [];
  let noted: Partial<Note> | null;
  try {
    noted = JSON.parse(text) as Partial<Note> | null;
  } catch (error) {
    // Unreadable; the next note replaces it.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  // Another version may understand them otherwise.
  return noted?.version === CONTRACT_VERSION && Array.isArray(noted.commands) ? noted.commands.filter(isNoted) : [];
}

/** Whether this is a command as they are noted: whatever else is served from this origin may have written it. */
function isNoted(command: Partial<Note["commands"][number]> | null): boolean {
  if (!command?.name || !command.input || typeof command.input !== "object") return false;
  return (traitsOf(command.name) as { noted?: true } | undefined)?.noted ?? false;
}

/** If storage is denied or full, they just aren't sent again; an older note of answered commands doesn't stay. */
function write(note: Note): void {
  try {
    if (note.commands.length > 0) storage()?.setItem(KEY, JSON.stringify(note));
    else storage()?.removeItem(KEY);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    storage()?.removeItem(KEY);
  }
}

/** Undefined if the browser denies storage, as in some private windows. */
function storage(): Storage | undefined {
  try {
    return sessionStorage;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
