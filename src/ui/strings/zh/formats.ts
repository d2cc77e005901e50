import type { FormatStrings } from "../format";

/** The strings around a number or a time. */
export const formats: FormatStrings = {
  now: "刚刚",
  ago: (length) => `${length}前`,
  today: "今天",
  yesterday: "昨天",
  tomorrow: "明天",
  day: { other: "天" },
  byte: { other: "字节" },
  units: { s: " 秒", min: " 分钟", h: " 小时" },
};
