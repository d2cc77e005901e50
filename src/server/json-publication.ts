import { isTopicName, type ParameterName } from "../protocol";
import { readActionList } from "./actions";
import { parseFields } from "./json-value";
import { Refusal } from "./protocol-error";

/** A message published as JSON: its fields as parameters, and its text as the body (docs/protocol.md §13). */
export interface JsonPublication {
  topic: string;
  body: string;
  parameters: Partial<Record<ParameterName, string>>;
}

const TEXT_FIELDS = {
  title: "title",
  click: "click",
  icon: "icon",
  attach: "attach",
  filename: "filename",
  delay: "delay",
  cache: "cache",
  sequence_id: "sequenceId",
} as const satisfies Record<string, ParameterName>;

/** A field of one type. @throws Refusal 40024 for any other type */
function field<T>(object: Record<string, unknown>, key: string, is: (value: unknown) => value is T): T | undefined {
  const value = object[key];
  if (value !== undefined && !is(value)) throw new Refusal(40024, `"${key}" has the wrong type`);
  return value;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const isInteger = (value: unknown): value is number => Number.isInteger(value);
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
const isActions = (value: unknown): value is unknown[] => readActionList(value) !== undefined;

/** Reads a JSON publication, keys in any case. @throws Refusal 40024 no such JSON, 40009 bad topic */
export function readJsonPublication(text: string): JsonPublication {
  const object = parseFields(text, 40024);
  const parameters: Partial<Record<ParameterName, string>> = {};
  for (const [key, name] of Object.entries(TEXT_FIELDS)) {
    const value = field(object, key, isText);
    if (value) parameters[name] = value;
  }
  const priority = field(object, "priority", isInteger);
  if (priority) parameters.priority = String(priority);
  const tags = field(object, "tags", isTexts);
  if (tags) parameters.tags = tags.join(",");
  if (field(object, "markdown", isFlag)) parameters.markdown = "1";
  const actions = field(object, "actions", isActions);
  if (actions && actions.length > 0) parameters.actions = JSON.stringify(actions);
  const body = field(object, "message", isText);
  const topic = field(object, "topic", isText) ?? "";
  if (!isTopicName(topic)) throw new Refusal(40009);
  return { topic, body: body || "triggered", parameters };
}
