import { type CommandName, type Commands, CONTRACT_VERSION, traitsOf } from "../contract";
import type { HubConnection } from "./hub-connection";

type Send = HubConnection["send"];

/** A command about more messages isn't noted: a press would wait for the note to be written. */
const MAX_NOTED_KEYS = 1_000;

/** Where this tab's commands are noted. */
const KEY = "earshot-unanswered";

interface Note {
  version: number;
  commands: { name: CommandName; input: Commands[CommandName]["input"] }[];
}

/**
 * Sends again what the tab's previous page got no answer for, and returns the function that this page sends commands
 * with: a reload may end the worker before it has stored them.
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
  // Another version may understand them differently.
  return noted?.version === CONTRACT_VERSION && Array.isArray(noted.commands) ? noted.commands.filter(isNoted) : [];
}

/** Whether this is a noted command: anything else served from this origin may have written it. */
function isNoted(command: Partial<Note["commands"][number]> | null): boolean {
  if (!command?.name || !command.input || typeof command.input !== "object") return false;
  return (traitsOf(command.name) as { noted?: true } | undefined)?.noted ?? false;
}

/** If storage is denied or full, commands aren't sent again; an older note of answered ones must not stay. */
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
