import { dateOf, type DATE_FORMS, type WriteDate } from "../strings/dates";

/** Fields written as a name or a localized number: one text for each hour, weekday or month. */
type Named = "hour" | "dayPeriod" | "weekday" | "month";

/** A piece of a date: text between fields, or a field. */
export type DatePiece =
  | { kind: "text"; text: string }
  /** Looked up in the list of names, by hour, weekday or month from 0. */
  | { kind: "named"; field: Named; names: string[] }
  /** In digits; minutes are always two. */
  | { kind: "number"; field: "minute" | "day" | "year" };

/** What was noted of `Intl`, which takes 15 ms to make for the first time: how it writes dates in one place. */
export type NotedDates = Record<keyof typeof DATE_FORMS, DatePiece[]>;

/** A field of a moment by the device's clock: an index into names, or the number itself. */
export const DATE_FIELDS: Record<Exclude<DatePiece, { kind: "text" }>["field"], (date: Date) => number> = {
  hour: (date) => date.getHours(),
  dayPeriod: (date) => date.getHours(),
  weekday: (date) => date.getDay(),
  month: (date) => date.getMonth(),
  minute: (date) => date.getMinutes(),
  day: (date) => date.getDate(),
  year: (date) => date.getFullYear(),
};

function written(piece: DatePiece, date: Date): string {
  if (piece.kind === "text") return piece.text;
  const value = DATE_FIELDS[piece.field](date);
  if (piece.kind === "named") return piece.names[value] ?? "";
  return String(value).padStart(piece.field === "minute" ? 2 : 1, "0");
}

/** Writes dates as they were noted, without `Intl`. */
export function writeAsNoted(noted: NotedDates): WriteDate {
  return (form, ms) => {
    const date = dateOf(ms);
    return noted[form].map((piece) => written(piece, date)).join("");
  };
}
