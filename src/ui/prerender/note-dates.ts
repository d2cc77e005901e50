import { DATE_FORMS, dateOf } from "../strings/dates";
import { DATE_FIELDS, writeAsNoted, type NotedDates, type DatePiece } from "./noted-dates";

/** Moments with every hour, weekday and month among them, ms. */
const SAMPLES = Array.from({ length: 84 }, (_, at) =>
  new Date(2025, at % 12, 1 + ((at * 5) % 28), at % 24, (at * 7) % 60).getTime(),
);

/**
 * Notes how `Intl` writes dates in a place. Undefined where it can't be said by names and numbers, as in another calendar or
 * other digits: each sample is written both ways.
 * @param locale a tag such as `en-GB`
 */
export function noteDates(locale: string): NotedDates | undefined {
  const noted: Partial<NotedDates> = {};
  for (const form of Object.keys(DATE_FORMS) as (keyof NotedDates)[]) {
    const format = new Intl.DateTimeFormat(locale, DATE_FORMS[form]);
    const pieces = piecesOf(format);
    const write = writeAsNoted({ [form]: pieces } as NotedDates);
    if (!SAMPLES.every((ms) => write(form, ms) === format.format(ms))) return undefined;
    noted[form] = pieces;
  }
  return noted as NotedDates;
}

/** V8 formats with a plain space in place of this narrow no-break space, but leaves it in the parts. */
const NARROW_SPACE = "\u202f";

function piecesOf(format: Intl.DateTimeFormat): DatePiece[] {
  const pieces: DatePiece[] = [];
  const isNarrow = format.format().includes(NARROW_SPACE);
  for (const ms of SAMPLES) {
    format.formatToParts(ms).forEach(({ type, value }, at) => {
      const piece = (pieces[at] ??= pieceFor(type, isNarrow ? value : value.replaceAll(NARROW_SPACE, " ")));
      if (piece.kind === "named") piece.names[DATE_FIELDS[piece.field](dateOf(ms))] = value;
    });
  }
  return pieces;
}

/** Anything else is kept as literal text; for a field not listed here the samples then differ, and the check fails. */
function pieceFor(type: string, text: string): DatePiece {
  if (type === "minute" || type === "day" || type === "year") return { kind: "number", field: type };
  if (type === "hour" || type === "dayPeriod" || type === "weekday" || type === "month") {
    return { kind: "named", field: type, names: [] };
  }
  return { kind: "text", text };
}
