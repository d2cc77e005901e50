// Which sound a message makes while a page is open.
import { isJsonObject, type Priority, priorityOf } from "../../protocol";
import type { StoredMessage } from "../stored-message";

export const SOUND_NAMES = ["chime", "knock", "drop", "bell", "siren"] as const;

export type SoundName = (typeof SOUND_NAMES)[number];

/** "none" = no sound of the app's own; the system's notification may make one. */
export type SoundChoice = SoundName | "none";

/** Sounds by priority, and of topics. Priorities 1 and 2 never make one. */
export interface Sounds {
  /** Priority 5. */
  urgent: SoundChoice;
  /** Priority 4. */
  high: SoundChoice;
  /** Priority 3. */
  others: SoundChoice;
  /** One sound by `subId` for all priorities of a topic, instead of the three. */
  topics: Record<number, SoundChoice>;
}

export const SOUND_CHOICES: readonly SoundChoice[] = [...SOUND_NAMES, "none"];

/** Reads sounds from a stored value, which may come from an import or from another version of the app. */
export function decodeSounds(value: unknown): Sounds {
  const { urgent, high, others, topics }: Partial<Record<keyof Sounds, unknown>> = isJsonObject(value) ? value : {};
  const own = isJsonObject(topics) ? Object.entries(topics) : [];
  return {
    urgent: choice(urgent),
    high: choice(high),
    others: choice(others),
    topics: Object.fromEntries(
      own.filter((entry): entry is [string, SoundChoice] => /^\d+$/.test(entry[0]) && isChoice(entry[1])),
    ),
  };
}

function choice(value: unknown): SoundChoice {
  return isChoice(value) ? value : "none";
}

function isChoice(value: unknown): value is SoundChoice {
  return (SOUND_CHOICES as readonly unknown[]).includes(value);
}

/** Messages of low priority make no sound (docs/protocol.md §14). */
export function isSilent(row: StoredMessage): boolean {
  return priorityOf(row.event) <= 2;
}

/** The sound of messages that arrive together: that of the highest priority that has one. */
export function soundOf(
  { urgent, high, others, topics }: Sounds,
  rows: readonly StoredMessage[],
): { name: SoundName; priority: Priority } | undefined {
  const found = rows
    .filter((row) => !isSilent(row))
    .map(({ subId, event }) => {
      const priority = priorityOf(event);
      const name = topics[subId] ?? (priority === 5 ? urgent : priority === 4 ? high : others);
      return { name, priority };
    })
    .filter((sound): sound is { name: SoundName; priority: Priority } => sound.name !== "none")
    .sort((a, b) => b.priority - a.priority);
  return found[0];
}
