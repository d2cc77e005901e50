import type { TagCount, SubscriptionRecord } from "../../../client";
import { foldText, formatFilter, HAS_VALUES, IS_VALUES, type PlaceTerm, FILTER_FIELDS } from "../../../contract";
import { PRIORITY_NAMES } from "../../../protocol";
import type { CatalogueState } from "../../state/catalogue.svelte";
import { serverName, topicName } from "../../state/topics/names";
import { filterStrings } from "../../strings";
import { splitDraft } from "./filter-draft.svelte";

/** A topic that the view could be narrowed to. */
interface KnownTopic {
  subId: number;
  name: string;
  /** Name of its server, if topics of several servers have this name. */
  server?: string | undefined;
}

/** The data on this device that completion uses. */
export interface CompletionData {
  /** Most frequent first. */
  tags: readonly TagCount[];
  /** Topics that the view could be narrowed to. */
  topics: readonly KnownTopic[];
  /** What `topic:`, `server:` and `group:` could name in this view, each with what is said about it. */
  places: Readonly<Record<PlaceTerm["kind"], readonly { name: string; hint: string }[]>>;
}

/** One offer. */
export interface Suggestion {
  /** Text that replaces the word; empty for a topic, which removes the word. */
  text: string;
  /** What is shown. */
  label: string;
  hint: string;
  /** The condition is complete with it. */
  isWhole: boolean;
  /** The topic to go to. */
  subId?: number;
}

/** The word that is being written: it ends at the caret. */
export interface WordAtCaret {
  start: number;
  text: string;
}

/** The most suggestions at once: as many as the user takes in at a glance and a phone has room for. */
const MOST = 8;

/** The most names of fields: all of them, as the list is where they are learnt. */
const MAX_NAMES = 12;

/** The most topics among them. */
const MAX_TOPICS = 3;

const strings = filterStrings;

/** The word at the caret; undefined if the caret is inside a word. */
export function wordAtCaret(text: string, caret: number): WordAtCaret | undefined {
  if (/^\S/.test(text.slice(caret))) return undefined;
  const { head, tail } = splitDraft(text.slice(0, caret));
  return { start: head.length, text: tail };
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

type Value = Pick<Suggestion, "text" | "hint">;

function begins(value: string, values: readonly Value[]): Value[] {
  return values.filter(({ text }) => text.startsWith(value) && text !== value);
}

/** Values after `field:`; `list` holds those that are there already. */
function valuesOf(field: string, list: string, value: string, known: CompletionData): Suggestion[] {
  const taken = new Set(list.toLowerCase().split(","));
  const whole = (values: readonly Value[]): Suggestion[] =>
    values.filter(({ text }) => !taken.has(text)).map((each) => ({ ...each, label: each.text, isWhole: true }));
  switch (field) {
    case "priority":
      return whole(begins(value, priorities()));
    case "tag":
    case "tags":
      return whole(tagsFor(value, known.tags));
    case "topic":
    case "server":
    case "group":
      return whole(placesFor(field, value, known));
    case "is":
      return whole(
        begins(
          value,
          IS_VALUES.map((text) => ({ text, hint: strings.is[text] })),
        ),
      );
    case "has":
      return whole(
        begins(
          value,
          HAS_VALUES.map((text) => ({ text, hint: strings.has[text] })),
        ),
      );
    case "after":
    case "before": {
      const times = field === "after" ? strings.times : strings.timesBefore;
      return whole(
        begins(
          value,
          Object.entries(times).map(([text, hint]) => ({ text, hint })),
        ),
      );
    }
    default:
      return [];
  }
}

/** The most urgent first, as users ask for those most often. */
function priorities(): Value[] {
  return ([5, 4, 3, 2, 1] as const).map((priority) => ({
    text: PRIORITY_NAMES[priority],
    hint: strings.priorities[priority],
  }));
}

/** Tags for `tag:`: those that begin with the text before those that contain it. */
function tagsFor(value: string, tags: readonly TagCount[]): Value[] {
  const begin = tags.filter(({ tag }) => tag.startsWith(value) && tag !== value);
  const inside = value === "" ? [] : tags.filter(({ tag }) => tag.includes(value) && !tag.startsWith(value));
  return [...begin, ...inside].map(asValue);
}

/** A tag as it must be written to be read back. */
function asValue({ tag, count }: TagCount): Value {
  const term = formatFilter({ terms: [{ kind: "tags", values: [tag], not: false }] });
  return { text: term.slice("tag:".length), hint: strings.tagged({ count }) };
}

/** Places whose names begin with the text before those that contain it. The text may begin with a quote. */
function placesFor(kind: PlaceTerm["kind"], value: string, { places }: CompletionData): Value[] {
  const wanted = foldText(value.replace(/^"/, ""));
  const at = ({ name }: { name: string }) => foldText(name).indexOf(wanted);
  const found = places[kind].filter((place) => at(place) >= 0);
  return [...found.filter((place) => at(place) === 0), ...found.filter((place) => at(place) > 0)].map(
    ({ name, hint }) => ({
      text: formatFilter({ terms: [{ kind, values: [name], not: false }] }).slice(kind.length + 1),
      hint,
    }),
  );
}

/** Whether a field can be of use: a place can't where there is only one of its kind. */
function isUseful(name: string, { places }: CompletionData): boolean {
  switch (name) {
    case "topic:":
    case "server:":
      return places[name === "topic:" ? "topic" : "server"].length > 1;
    case "group:":
      return places.group.length > 0;
    default:
      return true;
  }
}

/** Completions of a plain word: keywords, tags and topics. */
function namesFor(word: string, not: string, known: CompletionData): Suggestion[] {
  const keywords = Object.entries(strings.keywords)
    .filter(([name]) => name.startsWith(word) && !(not && name === "-") && isUseful(name, known))
    .map(([name, hint]) => ({
      text: `${not}${name}`,
      label: `${not}${name}`,
      hint,
      isWhole: false,
    }));
  if (word === "") return keywords;
  const exact = known.tags.filter(({ tag }) => tag === word);
  const tags = [...exact.map(asValue), ...tagsFor(word, known.tags)].map(({ text, hint }) => ({
    text: `${not}tag:${text}`,
    label: `${not}tag:${text}`,
    hint,
    isWhole: true,
  }));
  const topics = not ? topicsToExclude(word, known) : topicsToGoTo(word, known);
  return [...keywords, ...tags.slice(0, MOST - keywords.length - topics.length), ...topics];
}

function topicsToGoTo(word: string, { topics }: CompletionData): Suggestion[] {
  return topics
    .filter(({ name }) => name.toLowerCase().includes(word))
    .slice(0, MAX_TOPICS)
    .map(({ subId, name, server }) => ({
      text: "",
      label: strings.topic({ name }),
      hint: server ?? strings.topicHint,
      isWhole: true,
      subId,
    }));
}

function topicsToExclude(word: string, known: CompletionData): Suggestion[] {
  return placesFor("topic", word, known)
    .slice(0, MAX_TOPICS)
    .map(({ text, hint }) => ({ text: `-topic:${text}`, label: `-topic:${text}`, hint, isWhole: true }));
}

/** The places that a filter of these topics can name, each only once. */
export function placesOf(
  subscriptions: readonly SubscriptionRecord[],
  catalogue: Pick<CatalogueState, "server">,
): CompletionData["places"] {
  const topics = new Map<string, string>();
  const servers = new Map<string, number>();
  const groups = new Map<string, number>();
  for (const subscription of subscriptions) {
    const server = catalogue.server(subscription.serverId);
    const on = server ? serverName(server) : "";
    const name = topicName(subscription);
    const before = topics.get(name);
    topics.set(name, before === undefined || before === on ? on : `${before}, ${on}`);
    servers.set(on, (servers.get(on) ?? 0) + 1);
    if (subscription.group !== undefined) groups.set(subscription.group, (groups.get(subscription.group) ?? 0) + 1);
  }
  const counted = ([name, count]: [string, number]) => ({ name, hint: filterStrings.topics({ count }) });
  return {
    topic: [...topics].map(([name, hint]) => ({ name, hint })),
    server: [...servers].map(counted),
    group: [...groups].map(counted),
  };
}

/** The name of a field. */
export type FieldName = keyof typeof FILTER_FIELDS;

/** Edit distance with transpositions. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row++) {
    const own = [row];
    for (let at = 1; at <= b.length; at++) {
      const same = a[row - 1] === b[at - 1];
      let least = Math.min((above[at] ?? 0) + 1, (own[at - 1] ?? 0) + 1, (above[at - 1] ?? 0) + (same ? 0 : 1));
      if (row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1])
        least = Math.min(least, (before[at - 2] ?? 0) + 1);
      own.push(least);
    }
    before = above;
    above = own;
  }
  return above[b.length] ?? 0;
}

/** The field probably meant by a name; undefined if none is near. */
export function nearestField(written: string): FieldName | undefined {
  const name = foldText(written);
  const names = Object.keys(FILTER_FIELDS) as FieldName[];
  // A beginning of at least two letters counts as the whole.
  const begun = names.find((field) => name.length > 1 && field.startsWith(name));
  if (begun) return begun;
  // A two-letter word is one letter away from too many others.
  const ranked = names.map((field) => ({ field, far: distance(name, field) })).sort((a, b) => a.far - b.far);
  const [best] = ranked;
  const most = name.length < 3 ? 0 : name.length < 5 ? 1 : 2;
  return best && best.far <= most ? best.field : undefined;
}
