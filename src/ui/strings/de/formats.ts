import type { FormatStrings } from "../format";

/** The strings around a number or a time. */
export const formats: FormatStrings = {
  now: "jetzt",
  ago: (length) => `vor ${length}`,
  today: "Heute",
  yesterday: "Gestern",
  tomorrow: "Morgen",
  day: { one: "Tag", other: "Tage" },
  byte: { one: "Byte", other: "Byte" },
};
