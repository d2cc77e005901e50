import type { FormatStrings } from "../format";

/** The strings around a number or a time. */
export const formats: FormatStrings = {
  now: "たった今",
  ago: (length) => `${length}前`,
  today: "今日",
  yesterday: "昨日",
  tomorrow: "明日",
  day: { other: (shown) => `${shown}日` },
  byte: { other: "バイト" },
  units: { s: "秒", min: "分", h: "時間" },
};
