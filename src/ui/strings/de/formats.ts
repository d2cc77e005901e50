import type { FormatWords } from "../format";

/** What is said around a number or a moment. */
export const formats: FormatWords = {
  now: "jetzt",
  ago: (length) => `vor ${length}`,
  today: "Heute",
  yesterday: "Gestern",
  tomorrow: "Morgen",
  day: { one: "Tag", other: "Tage" },
  byte: { one: "Byte", other: "Byte" },
};
