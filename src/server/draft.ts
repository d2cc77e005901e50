import {
  type ParameterName,
  type Priority,
  type RawAction,
  guards,
  isTopicName,
  parseBoolean,
  parseDelay,
  parsePriority,
} from "../protocol";
import { parseActions, readActionList } from "./actions";
import { field, parseFields } from "./body";
import type { ResolvedOptions } from "./options";
import { Refusal } from "./protocol-error";

/** Longest JSON of a message without its body, bytes: it is stored with each message. */
const MAX_FIELDS_BYTES = 16 * 1024;

/** A message as its publisher wants it, apart from the body (docs/protocol.md §13). */
export interface Draft {
  message?: string;
  title?: string;
  priority?: Priority;
  tags?: string[];
  click?: string;
  icon?: string;
  actions?: RawAction[];
  /** Address of a file elsewhere. */
  attach?: string;
  filename?: string;
  isMarkdown: boolean;
  /** False = live only. */
  isCached: boolean;
  /** The body is kept unchanged, byte by byte. */
  isUnifiedPush: boolean;
  /** Unix seconds; absent = now. */
  deliverAt?: number;
  pollId?: string;
  sequenceId?: string;
}

/** Reads one parameter of the publication, from header or query. */
export type ReadParameter = (name: ParameterName) => string | undefined;

function isWebAddress(text: string): boolean {
  return /^https?:\/\//.test(text);
}

function readDelay(text: string | undefined, isCached: boolean, nowMs: number, limits: ResolvedOptions["limits"]) {
  if (text === undefined) return undefined;
  if (!isCached) throw new Refusal(40002);
  const deliverAt = parseDelay(text, nowMs);
  const nowS = Math.floor(nowMs / 1000);
  if (deliverAt === undefined || !Number.isSafeInteger(deliverAt)) throw new Refusal(40004);
  if (deliverAt < nowS + limits.delayMin) throw new Refusal(40005);
  if (deliverAt > nowS + limits.delayMax) throw new Refusal(40006);
  return deliverAt;
}

/** Text as it is stored: databases refuse U+0000 (docs/protocol.md §13). */
export function withoutNul<Text extends string | undefined>(text: Text): Text {
  return text?.replaceAll("\0", "") as Text;
}

/** Leaves out fields without a value, as an event has no empty fields. */
export function present<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const isFilled = ([, value]: [string, unknown]) => value !== undefined && value !== "";
  return Object.fromEntries(Object.entries(fields).filter(isFilled)) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/**
 * Reads the parameters of a publication, in the order in which the reference refuses them.
 * @param headers those of the request: two aren't parameters but describe the body
 * @throws Refusal 40049, 40013, 40021, 40007, 40002, 40004, 40005, 40006, 40018, 40000 when they are too long
 */
export function readDraft(
  given: ReadParameter,
  headers: NodeJS.Dict<string[]>,
  nowMs: number,
  limits: ResolvedOptions["limits"],
): Draft {
  const read: ReadParameter = (name) => withoutNul(given(name));
  const sequenceId = read("sequenceId");
  // A sequence has the form of a topic name (docs/protocol.md §17).
  if (sequenceId !== undefined && !isTopicName(sequenceId)) throw new Refusal(40049);
  const attach = read("attach");
  if (attach !== undefined && !isWebAddress(attach)) throw new Refusal(40013);
  const icon = read("icon");
  if (icon !== undefined && !isWebAddress(icon)) throw new Refusal(40021);
  const priorityText = read("priority");
  const priority = priorityText === undefined ? undefined : parsePriority(priorityText);
  if (priority === undefined && priorityText !== undefined) throw new Refusal(40007);
  const tags = (read("tags") ?? "").split(",").flatMap((tag) => tag.trim() || []);
  const isCached = parseBoolean(read("cache"), true);
  const deliverAt = readDelay(read("delay"), isCached, nowMs, limits);
  const actionText = read("actions");
  const actions = actionText === undefined ? [] : parseActions(actionText);
  const draft: Draft = {
    ...present({
      message: read("message")?.replaceAll("\\n", "\n"),
      title: read("title"),
      click: read("click"),
      filename: read("filename"),
      pollId: read("pollId"),
      ...{ sequenceId, attach, icon, priority, deliverAt },
      tags: tags.length > 0 ? tags : undefined,
      actions: actions.length > 0 ? actions : undefined,
    }),
    isMarkdown:
      parseBoolean(read("markdown")) || headers["content-type"]?.[0]?.trim().toLowerCase() === "text/markdown",
    isCached,
    isUnifiedPush: parseBoolean(read("unifiedPush")) || headers["content-encoding"]?.[0]?.trim() === "aes128gcm",
  };
  const bytes = Buffer.byteLength(JSON.stringify(draft));
  if (bytes > MAX_FIELDS_BYTES) throw new Refusal(40000, `the fields are longer than ${MAX_FIELDS_BYTES} bytes`);
  return draft;
}

const TEXT_FIELDS = ["title", "click", "icon", "attach", "filename", "delay", "cache"] as const;

const { as, flag, list, text: isText } = guards;
const isInteger = as<number>(Number.isInteger);
const isActions = as<unknown[]>((value) => readActionList(value) !== undefined);

/**
 * A message published as JSON, keys in any case: its fields as parameters, and its text as the body (docs/protocol.md §13).
 * @throws Refusal 40024 no such JSON, 40009 bad topic
 */
export function readJsonPublication(text: string) {
  const object = parseFields(text, 40024);
  const actions = field(object, "actions", isActions) ?? [];
  const parameters: Partial<Record<ParameterName, string>> = present({
    ...Object.fromEntries(TEXT_FIELDS.map((name) => [name, field(object, name, isText)])),
    sequenceId: field(object, "sequence_id", isText),
    priority: String(field(object, "priority", isInteger) || ""),
    tags: field(object, "tags", list(isText))?.join(","),
    markdown: field(object, "markdown", flag) ? "1" : "",
    actions: actions.length > 0 ? JSON.stringify(actions) : "",
  });
  const body = field(object, "message", isText);
  const topic = field(object, "topic", isText) ?? "";
  if (!isTopicName(topic)) throw new Refusal(40009);
  return { topic, body: body || "triggered", parameters };
}
