import type { FormatStrings } from "../format";

const isTime = (said: string) => /^\d\d:/.test(said);

/** "fino alle 14:02", "fino a domani 08:00". `said` is a moment, already formatted. */
export const until = (said: string): string => `${isTime(said) ? "fino alle" : "fino a"} ${said}`;

/** "dalle 14:02", "da ieri 23:47". `said` is a moment, already formatted. */
export const since = (said: string): string => `${isTime(said) ? "dalle" : "da"} ${said}`;

/** The strings around a number or a time. */
export const formats: FormatStrings = {
  now: "ora",
  ago: (length) => `${length} fa`,
  today: "Oggi",
  yesterday: "Ieri",
  tomorrow: "Domani",
  day: { one: "giorno", other: "giorni" },
  byte: { one: "byte", other: "byte" },
};
