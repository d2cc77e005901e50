import { guards, isJsonObject, type RawAction } from "../protocol";
import { fieldsInAnyCase } from "./body";
import { randomId } from "./random-id";
import { messageOf, Refusal } from "./protocol-error";

const MAX_ACTIONS = 3;
/** Longest text of a message's actions together, in characters. */
const MAX_ACTIONS_LENGTH = 8_192;

const text = guards.maybe(guards.text);
const texts = guards.maybe(guards.stringMap);
const draftFields = {
  ...{ action: text, label: text, url: text, method: text, body: text, intent: text, value: text },
  ...{ headers: texts, extras: texts, clear: guards.maybe(guards.flag) },
};
const isDrafts = guards.list(guards.fields(draftFields));

/** A button as published, before it is checked (docs/protocol.md §13). */
export type ActionDraft = guards.RecordOf<typeof draftFields>;

/** The field that an unnamed third part sets, if the kind is written in lower case. */
const THIRD_PART: ReadonlyMap<string, string> = new Map([
  ["view", "url"],
  ["http", "url"],
  ["copy", "value"],
]);
const KINDS = ["view", "http", "broadcast", "copy"];
const TEXT_KEYS = ["action", "label", "url", "method", "body", "intent", "value"] as const;

function refuse(detail: string): never {
  throw new Refusal(40018, detail);
}

/** Checks published buttons and gives them their ids (docs/protocol.md §6). */
export function finishActions(drafts: readonly ActionDraft[]): RawAction[] {
  if (drafts.length > MAX_ACTIONS) refuse(`at most ${MAX_ACTIONS} are allowed`);
  return drafts.map((draft) => {
    const { action = "", label, clear = false, url, headers, body, intent, extras, value } = draft;
    const kind = action.toLowerCase();
    const method = draft.method?.toUpperCase();
    if (!KINDS.includes(kind)) refuse(`the kind "${action}" is none of ${KINDS.join(", ")}`);
    if (!label) refuse("a label is missing");
    if ((kind === "view" || kind === "http") && !url) refuse(`"${kind}" needs a url`);
    if (kind === "copy" && !value) refuse('"copy" needs a value');
    if (kind === "http" && (method === "GET" || method === "HEAD") && body) refuse(`${method} can't have a body`);
    // Empty fields are left out, except `clear` (docs/protocol.md §6).
    const filled = Object.entries({ url, method, headers, body, intent, extras, value }).filter(
      ([, part]) => part !== undefined && (typeof part === "string" ? part !== "" : Object.keys(part).length > 0),
    );
    return { id: randomId(10), action: kind, label, clear, ...Object.fromEntries(filled) };
  });
}

/** Reads buttons in either form: JSON begins with `[`, anything else is the short form (docs/protocol.md §13). */
export function parseActions(text: string): RawAction[] {
  const trimmed = text.trim();
  if (trimmed.length > MAX_ACTIONS_LENGTH) refuse(`they are longer than ${MAX_ACTIONS_LENGTH} characters`);
  if (!trimmed.startsWith("[")) return finishActions(parseShortActions(trimmed));
  let value: unknown;
  try {
    value = JSON.parse(trimmed);
  } catch (error) {
    refuse(`not JSON (${messageOf(error)})`);
  }
  return finishActions(readActionList(value) ?? refuse("the JSON is no list of actions"));
}

/** Buttons from parsed JSON; undefined = a wrong type. Field names may be in any case; unknown ones are ignored. */
export function readActionList(value: unknown): ActionDraft[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const drafts = value.map((one: unknown) => (isJsonObject(one) ? fieldsInAnyCase(one) : one));
  return isDrafts(drafts) ? drafts : undefined;
}

/** Reads `view, Open, https://…, clear=true; http, …` part by part; `at` is the position in the text. */
function parseShortActions(text: string): ActionDraft[] {
  const drafts: ActionDraft[] = [];
  let at = 0;

  const skipBlanks = () => {
    while (/\s/.test(text.charAt(at))) at++;
  };
  /** Steps over the separator; returns whether it ends the action. */
  const endPart = (): boolean => {
    skipBlanks();
    const separator = text.charAt(at);
    if (separator !== "" && separator !== "," && separator !== ";") refuse(`unexpected "${separator}" at ${at + 1}`);
    at++;
    return separator !== ",";
  };
  /** Steps over what a pattern matches at the current position, and returns it. */
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    at += found?.[0].length ?? 0;
    return found;
  };
  const readKey = (): string => take(/([-.\w]+)\s*=\s*/y)?.[1] ?? "";
  const readValue = (): string => {
    const quote = text.charAt(at);
    if (quote !== '"' && quote !== "'") return take(/[^,;]*/y)?.[0].trim() ?? "";
    // A backslash before a quote keeps the quote inside the value; before anything else it is literal.
    const start = at + 1;
    let end = start;
    while (end < text.length && (text.charAt(end) !== quote || text.charAt(end - 1) === "\\")) end++;
    if (end >= text.length) refuse(`the quote at ${at + 1} is never closed`);
    at = end + 1;
    return text.slice(start, end).replaceAll(`\\${quote}`, quote);
  };

  while (at < text.length) {
    const draft: ActionDraft = {};
    for (let part = 0, isLast = false; !isLast; part++) {
      skipBlanks();
      const key = readKey();
      const value = readValue();
      setPart(draft, key || unnamedKey(draft, part), value);
      isLast = endPart();
    }
    drafts.push(draft);
    skipBlanks();
  }
  return drafts;
}

function unnamedKey(draft: ActionDraft, part: number): string {
  return (part === 0 ? "action" : part === 1 ? "label" : part === 2 ? THIRD_PART.get(draft.action ?? "") : "") ?? "";
}

function setPart(draft: ActionDraft, key: string, value: string): void {
  const [, group, name] = /^(headers|extras)\.(.*)$/.exec(key) ?? [];
  const known = TEXT_KEYS.find((candidate) => candidate === key.toLowerCase());
  if (group === "headers" || group === "extras") {
    // No prototype, so that any name can be a field.
    const named = (draft[group] ??= Object.create(null) as Record<string, string>);
    named[name ?? ""] = value;
  } else if (known) {
    draft[known] = value;
  } else if (key.toLowerCase() === "clear") {
    if (!/^(true|yes|1|false|no|0)$/i.test(value)) refuse(`clear can't be "${value}"`);
    draft.clear = /^(true|yes|1)$/i.test(value);
  } else {
    refuse(key === "" ? `nothing says what "${value}" is` : `the key "${key}" is unknown`);
  }
}
