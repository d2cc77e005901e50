import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { noteDates } from "../../src/ui/prerender/note-dates";
import { writeAsNoted, type NotedDates } from "../../src/ui/prerender/noted-dates";
import { DATE_FORMS, type WriteDate } from "../../src/ui/strings/dates";

const FORMS = Object.keys(DATE_FORMS) as (keyof typeof DATE_FORMS)[];

const byIntl =
  (locale: string): WriteDate =>
  (form, ms) =>
    new Intl.DateTimeFormat(locale, DATE_FORMS[form]).format(ms);

describe("stored date formats write dates as Intl does", () => {
  test.each([
    "en-GB",
    "en-US",
    "en-AU",
    "en-IN",
    "de-DE",
    "de-AT",
    "ja-JP",
    "ru-RU",
    "ko-KR",
    "en-US-u-hc-h23",
    "en-GB-u-hc-h12",
    "de-DE-u-hc-h12",
  ])("%s", (locale) => {
    const noted = noteDates(locale);
    if (!noted) throw new Error("nothing was noted");
    // The storage returns the dates as parsed JSON.
    const write = writeAsNoted(JSON.parse(JSON.stringify(noted)) as NotedDates);
    fc.assert(
      fc.property(
        fc.integer({ min: new Date(2001, 0).getTime(), max: new Date(2099, 0).getTime() }),
        fc.constantFrom(...FORMS),
        (ms, form) => {
          expect(write(form, ms)).toBe(byIntl(locale)(form, ms));
        },
      ),
    );
  });
});

test.each(["ar-EG", "fa-IR", "th-TH-u-ca-buddhist", "ne-NP"])(
  "nothing is stored for other digits and calendars: %s",
  (locale) => {
    expect(noteDates(locale)).toBeUndefined();
  },
);
