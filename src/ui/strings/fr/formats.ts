import type { FormatStrings } from "../format";

const beginsWithTime = /^(\d\d:|demain|hier)/;

/** "jusqu’à demain 08:00", "jusqu’au jeu. 19 nov. 08:00". `said` is a moment, already formatted. */
export function until(said: string): string {
  return `${beginsWithTime.test(said) ? "jusqu’à" : "jusqu’au"} ${said}`;
}

/** "depuis hier 23:47", "depuis le jeu. 19 nov. 08:00". `said` is a moment, already formatted. */
export function since(said: string): string {
  return `${beginsWithTime.test(said) ? "depuis" : "depuis le"} ${said}`;
}

/** The strings around a number or a time. */
export const formats: FormatStrings = {
  now: "à l’instant",
  ago: (length) => `il y a ${length}`,
  today: "Aujourd’hui",
  yesterday: "Hier",
  tomorrow: "Demain",
  day: { one: "jour", other: "jours" },
  byte: { one: "octet", other: "octets" },
};
