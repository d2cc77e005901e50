// When a message repeats another of its topic (docs/design.md §6, "Repeats").
import { messageText, type MessageEvent } from "../protocol";

/** A message with more characters in title and text never counts as a repeat. */
const MAX_CHARACTERS = 4_000;

/** Stands for an amount, time or id. */
export const MASK = "\0";

const ALNUM = String.raw`\p{L}\p{M}\d`;
const END = `(?![${ALNUM}])`;
const HEX = String.raw`[\da-fA-F]`;
const ZONE = String.raw`(?:Z|[+\-]\d\d:?\d\d)`;
const CLOCK = String.raw`\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?(?:${ZONE}|[aApP][mM])?`;
const DATE = String.raw`\d{4}-\d\d-\d\d(?:T\d\d:?\d\d(?::?\d\d(?:[.,]\d+)?)?${ZONE}?)?|\d{1,2}\.\d{1,2}\.\d{4}`;
const UUID = `${HEX}{8}-(?:${HEX}{4}-){3}${HEX}{12}`;
const HASH = String.raw`(?=[a-fA-F]*\d)${HEX}{7,}`;
const DURATION = String.raw`(?:\d{1,15}(?:\.\d{1,9})?(?:ms|us|µs|ns|min|sec|[wdhms])){1,6}`;
/** Directly after a number, or after a space. */
const UNIT = String.raw`(?:[kKMGTP]i?)?[BW]|[kMG]?Hz|kWh|m?[VA]|[kKMGCFx]`;
const SPACED_UNIT = String.raw`\s?(?:%|°[CF]?)|\s(?:[kKMGTP]i?B|k?Wh?|ms|min|[dhs])`;
const NUMBER = String.raw`(?<![\d\0][.,])(?:(?<=^|[\s(=:])[+\-])?\d+`;
const FRACTION = String.raw`[.,]\d{1,30}(?![.,]?[\d\0])|(?:,\d{3}){2,10}`;
const IP = String.raw`\d{1,3}(?:\.\d{1,3}){3}`;
// Bounded, because a look-ahead from each colon of a long row would take quadratic time.
const IPV6 = String.raw`(?=[\da-fA-F:]{0,36}::|(?:${HEX}{1,4}:){7})(?:${HEX}{0,4}:){2,7}(?:${IP}|${HEX}{0,4})`;
const MAC = `${HEX}{2}(?::${HEX}{2}){5}`;

/** Only numbers that are amounts: a whole number without a unit may say which one, or what happened. */
const PIECES = new RegExp(
  `(?<![${ALNUM}])(?:(${IP}|${MAC}|${IPV6})|${UUID}|${DATE}|${CLOCK}|(${DURATION})|${HASH}|(${NUMBER})(?:(?:${FRACTION})?(${UNIT}|${SPACED_UNIT})|(?:${FRACTION})))${END}`,
  "gu",
);

/** How far back a name is looked for, characters. */
const LOOK_BACK = 40;
/** A name that digits belong to: `web-01`, `v1.2`. */
const IN_NAME = /[\p{L}\0][\p{L}\p{M}\d\0_-]{0,40}(?:[-_]|(?<=[\d\0])\.)$/u;

/** The text with times, dates, ids and amounts masked, in linear time. */
export function maskText(text: string): string {
  return text.replace(
    PIECES,
    (piece: string, machine?: string, length?: string, number?: string, unit = "", at = 0) => {
      if (machine !== undefined) return piece;
      const isAmount = (length ?? number) !== undefined;
      if (isAmount && (!/[1-9]/.test(piece) || IN_NAME.test(text.slice(Math.max(0, at - LOOK_BACK), at)))) return piece;
      return MASK + unit;
    },
  );
}

/** Title and text, masked; undefined if the message never counts as a repeat. */
export function maskedTexts(event: MessageEvent): [title: string, text: string] | undefined {
  const { title = "" } = event;
  const content = messageText(event);
  if (content.kind !== "text" || title.length + content.text.length > MAX_CHARACTERS) return undefined;
  return [maskText(title), maskText(content.text)];
}

/** Equal for two messages of a topic if one repeats the other. Undefined if the message never counts as a repeat. */
export function repeatKey(event: MessageEvent): string | undefined {
  const masked = maskedTexts(event);
  return masked && JSON.stringify(masked);
}
