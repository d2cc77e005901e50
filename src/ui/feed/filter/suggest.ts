import type { TagCount, SubscriptionRecord } from "../../../client";
import { foldText, formatFilter, type PlaceTerm } from "../../../contract";
import { PRIORITY_NAMES } from "../../../protocol";
import type { CatalogueState } from "../../state/catalogue.svelte";
import { serverName, topicName } from "../../state/topics/names";
import { appStrings, filterStrings as strings } from "../../strings";
import { splitDraft } from "./filter-draft.svelte";

/** What completion uses of the data on this device. */
export interface CompletionData {
  /** Most frequent first. */
  tags: readonly TagCount[];
  /** What `topic:`, `server:` and `group:` could name in this view, each with a note about it. */
  places: Readonly<Record<PlaceTerm["kind"], readonly Value[]>>;
}

/** What may stand after a field. */
interface Value {
  name: string;
  hint: string;
  /** Other names that find it. */
  also?: string;
}

export interface Suggestion {
  /** Text that replaces the word, or what is written from `start` on. */
  text: string;
  start?: number;
  label: string;
  hint: string;
  /** Whether it completes the condition. */
  isWhole: boolean;
}

/** How many suggestions at once: as many as people take in at a glance and a phone has room for. */
const MOST = 8;

/** How many field names: all of them, because the list is where people learn them. */
const MAX_NAMES = 12;

/** The most topics among them. */
const MAX_TOPICS = 3;

/** The word being written, which ends at the caret; undefined if the caret is inside a word. */
export function wordAtCaret(text: string, caret: number): { start: number; text: string } | undefined {
  if (/^\S/.test(text.slice(caret))) return undefined;
  const { head, tail } = splitDraft(text.slice(0, caret));
  return { start: head.length, text: tail };
}

/** How times end, in English and German: only then is it worth loading what reads them. */
const TIME_END = new RegExp(
  `(?:\\d|ago|day|night|noon|morning|evening|week|month|year|now|[ap]m|gestern|heute|abend|morgen|nacht|mittag|woche` +
    `|monat|tag|stunde|minute|jahr|mittwoch|uhr|jetzt|(?<!\\p{L})(?:jan|feb|mar|mär|apr|ma[iy]|ju[nl]|aug|sep|o[ck]t` +
    `|nov|de[cz]|mon|tue|wed|thu|fri|sat|sun)\\p{L}{0,6})(?:en|n|s|\\.)?"?$`,
  "iu",
);

export function mayEndInTime(text: string): boolean {
  return TIME_END.test(text);
}

/** Completions of the word, the likeliest first; keywords if no word is begun. */
export function suggest(word: string, known: CompletionData): Suggestion[] {
  const [, not = "", rest = ""] = /^(-?)(.*)$/s.exec(word) ?? [];
  const [, field = "", list = "", value = ""] = /^([a-z]+):(.*,|)([^,]*)$/is.exec(rest) ?? [];
  const offers = field
    ? valuesOf(field.toLowerCase(), list, value.toLowerCase(), known).map((offer) => ({
        ...offer,
        text: `${not}${field}:${list}${offer.text}`,
      }))
    : namesFor(rest.toLowerCase(), not, known);
  return offers.filter(({ text }) => text !== word).slice(0, rest === "" ? MAX_NAMES : MOST);
}

/** Values after `field:`; `list` holds those already there. */
function valuesOf(field: string, list: string, value: string, known: CompletionData): Suggestion[] {
  const taken = new Set(list.toLowerCase().split(","));
  return matching(field, value, known)
    .filter(({ text }) => !taken.has(text))
    .map((each) => ({ ...each, label: each.text, isWhole: true }));
}

/** Values of a field as they must be written: those that begin with the text, which a quote may open, then those that contain it. */
function matching(field: string, written: string, known: CompletionData): { text: string; hint: string }[] {
  const wanted = foldText(written.replace(/^"/, ""));
  const found = allValues(field, known)
    .map((value) => ({ ...value, at: foldText(`${value.name} ${value.also ?? ""}`).indexOf(wanted) }))
    .filter(({ at }) => at >= 0);
  return [...found.filter(({ at }) => at === 0), ...found.filter(({ at }) => at > 0)].map(({ name, hint }) => {
    const term = formatFilter({ terms: [{ kind: "tags", values: [name], not: false }] });
    return { text: term.slice("tag:".length), hint };
  });
}

function allValues(field: string, { tags, places }: CompletionData): readonly Value[] {
  const named = (hints: object) => Object.entries(hints).map(([name, hint]) => ({ name, hint: String(hint) }));
  switch (field) {
    case "priority":
      // The most urgent first, because that is what people ask for most often.
      return ([5, 4, 3, 2, 1] as const).map((one) => ({ name: PRIORITY_NAMES[one], hint: strings.priorities[one] }));
    case "tag":
    case "tags":
      return tags.map(({ tag, count }) => ({ name: tag, hint: strings.tagged({ count }) }));
    case "topic":
    case "server":
    case "group":
      return places[field];
    case "is":
    case "has":
      return named(strings[field]);
    case "after":
      return named(strings.times);
    case "before":
      return named(strings.timesBefore);
    default:
      return [];
  }
}

/** Completions of a plain word: topics, because their names are in no message; keywords and tags. */
function namesFor(word: string, not: string, known: CompletionData): Suggestion[] {
  const { topic, server, group } = known.places;
  // A place helps only where there is a choice.
  const useless = [topic.length < 2 && "topic:", server.length < 2 && "server:", group.length < 1 && "group:"];
  const keywords = Object.entries(strings.keywords)
    .filter(([name]) => name.startsWith(word) && !(not && name === "-") && !useless.includes(name))
    .map(([name, hint]) => ({ text: `${not}${name}`, label: `${not}${name}`, hint, isWhole: false }));
  if (word === "") return keywords;
  const whole = (field: string) =>
    matching(field, word, known).map(({ text, hint }) => {
      const term = `${not}${field}:${text}`;
      return { text: term, label: term, hint, isWhole: true };
    });
  const topics = topic.length > 1 ? whole("topic").slice(0, MAX_TOPICS) : [];
  return [...topics, ...keywords, ...whole("tag")];
}

/** The places that a filter of these topics can name, each only once. */
export function placesOf(
  subscriptions: readonly SubscriptionRecord[],
  catalogue: Pick<CatalogueState, "server">,
): CompletionData["places"] {
  const topics = new Map<string, Value>();
  const servers = new Map<string, number>();
  const groups = new Map<string, number>();
  for (const subscription of subscriptions) {
    const server = catalogue.server(subscription.serverId);
    const on = server ? serverName(server) : "";
    const name = topicName(subscription);
    const { hint = on, also = "" } = topics.get(name) ?? {};
    topics.set(name, { name, hint: hint === on ? on : `${hint}, ${on}`, also: `${also} ${subscription.topic}` });
    servers.set(on, (servers.get(on) ?? 0) + 1);
    if (subscription.group !== undefined) groups.set(subscription.group, (groups.get(subscription.group) ?? 0) + 1);
  }
  const counted = ([name, count]: [string, number]) => ({ name, hint: appStrings.common.topics({ count }) });
  return {
    topic: [...topics.values()],
    server: [...servers].map(counted),
    group: [...groups].map(counted),
  };
}
