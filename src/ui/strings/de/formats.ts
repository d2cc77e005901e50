import type { FormatWords } from "../format";

/** Words around a number or a time. */
export const formats: FormatWords = {
  now: "jetzt",
  ago: (length) => `vor ${length}`,
  today: "Heute",
  yesterday: "Gestern",
  tomorrow: "Morgen",
  day: { one: "Tag", other: "Tage" },
  byte: { one: "Byte", other: "Byte" },
};
