import type { FormatWords } from "../format";

/** Words around a number or a time. */
export const formats: FormatWords = {
  now: "agora",
  ago: (length) => `há ${length}`,
  today: "Hoje",
  yesterday: "Ontem",
  tomorrow: "Amanhã",
  day: { one: "dia", other: "dias" },
  byte: { one: "byte", other: "bytes" },
};
