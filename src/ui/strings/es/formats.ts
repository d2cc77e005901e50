import type { FormatStrings } from "../format";

/** A moment with its article: "las 14:02", "mañana 08:00", "el jue 19 nov 08:00". `said` is a moment, already formatted. */
export function theMoment(said: string): string {
  if (/^(mañana|ayer)/.test(said)) return said;
  return `${/^\d\d:/.test(said) ? "las" : "el"} ${said}`;
}

/** The strings around a number or a time. */
export const formats: FormatStrings = {
  now: "ahora",
  ago: (length) => `hace ${length}`,
  today: "Hoy",
  yesterday: "Ayer",
  tomorrow: "Mañana",
  day: { one: "día", other: "días" },
  byte: { one: "byte", other: "bytes" },
};
