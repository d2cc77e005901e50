import type { FormatStrings } from "../format";

/** The strings around a number or a time. */
export const formats: FormatStrings = {
  now: "agora",
  ago: (length) => `há ${length}`,
  today: "Hoje",
  yesterday: "Ontem",
  tomorrow: "Amanhã",
  day: { one: "dia", other: "dias" },
  byte: { one: "byte", other: "bytes" },
};
