import type { FormatStrings, Plural } from "../format";

/** A counted noun. One and two are said without a number; `many` stands after 11 to 99, `other` after 100. */
export const counted = (one: string, two: string, few: string, many: string, other: string): Plural => ({
  one: () => one,
  two: () => two,
  few,
  many,
  other,
});

/** Messages as the subject of a sentence. */
export const MESSAGES = counted("رسالة واحدة", "رسالتان", "رسائل", "رسالة", "رسالة");

/** Messages after a preposition or a verbal noun. */
export const OF_MESSAGES: Plural = { ...MESSAGES, two: () => "رسالتين" };

/** Topics after a preposition or a verbal noun. */
export const OF_TOPICS = counted("موضوع واحد", "موضوعين", "مواضيع", "موضوعًا", "موضوع");

/** Servers after a preposition. */
export const OF_SERVERS = counted("خادم واحد", "خادمين", "خوادم", "خادمًا", "خادم");

/** The strings around a number or a time. */
export const formats: FormatStrings = {
  now: "الآن",
  ago: (length) => `قبل ${length}`,
  today: "اليوم",
  yesterday: "أمس",
  tomorrow: "غدًا",
  day: counted("يوم واحد", "يومين", "أيام", "يومًا", "يوم"),
  byte: counted("بايت واحد", "2 بايت", "بايت", "بايت", "بايت"),
  units: { s: " ث", min: " د", h: " س" },
};
