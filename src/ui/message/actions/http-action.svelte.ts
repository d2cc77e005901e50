import { SvelteSet } from "svelte/reactivity";
import {
  type CommandError,
  readActionRequest,
  type Commands,
  type MessageKey,
  type Unsendable,
} from "../../../contract";
import { type Action, type HttpAction, isJsonObject } from "../../../protocol";
import type { App } from "../../state/app.svelte";
import { commandText, rowStrings } from "../../strings";
import { isAllowed } from "./allowed-requests";
import { quoted, visible } from "../label";
import { keep, kept } from "../../state/device-storage";
import type { ActionRequest } from "../../state/dialogs.svelte";

/** Requests under way, so that a button can't be pressed twice. */
const running = new SvelteSet<string>();

function nameOf({ key, action }: ActionRequest): string {
  return JSON.stringify([...key, action.id]);
}

/** What a request came to; `status` of the answer, if there was one. */
export interface Outcome {
  ok: boolean;
  atMs: number;
  status?: number;
}

/** Device storage: what the last requests came to, so that their buttons still say it after a reload. */
const KEPT_OUTCOMES = "earshot-pressed";

/** The most that are kept; the oldest are forgotten first. */
const MOST_KEPT = 200;

/** The latest moment that can be shown, ms. */
const LATEST_MS = 8.64e15;

/** Those of this page's presses and before; absent until the first press. */
let outcomes = $state.raw<ReadonlyMap<string, Outcome>>();
let before: ReadonlyMap<string, Outcome> | undefined;
const known = () => outcomes ?? (before ??= readOutcomes(kept(KEPT_OUTCOMES)));

/** The outcomes in a stored text. Whatever else is served from this origin may have written it. */
export function readOutcomes(text = "[]"): ReadonlyMap<string, Outcome> {
  try {
    const stored = JSON.parse(text) as unknown;
    return new Map(Array.isArray(stored) ? stored.filter(isOutcome).slice(-MOST_KEPT) : []);
  } catch (error) {
    if (error instanceof SyntaxError) return new Map();
    throw error;
  }
}

function isOutcome(entry: unknown): entry is [string, Outcome] {
  const [name, outcome] = Array.isArray(entry) ? (entry as unknown[]) : [];
  if (typeof name !== "string" || !isJsonObject(outcome)) return false;
  const { ok, atMs, status } = outcome;
  const isTime = typeof atMs === "number" && Math.abs(atMs) <= LATEST_MS;
  return typeof ok === "boolean" && isTime && ["number", "undefined"].includes(typeof status);
}

/** What the request of this button came to the last time, if it was sent from this device. */
export function outcomeOf(request: ActionRequest): Outcome | undefined {
  return known().get(nameOf(request));
}

function keepOutcome(name: string, outcome: Outcome): void {
  const others = [...known()].filter(([other]) => other !== name);
  const latest = [...others, [name, outcome] as const].slice(-MOST_KEPT);
  outcomes = new Map(latest);
  keep(KEPT_OUTCOMES, JSON.stringify(latest));
}

/** Whether the request of this button is under way. */
export function isRunning(request: ActionRequest): boolean {
  return running.has(nameOf(request));
}

/**
 * Sends the request, or asks first, or says why no browser sends it. The hub carries it out, and the outcome is
 * reported.
 */
export function pressAction(app: App, request: ActionRequest): void {
  const sendable = readActionRequest(request.action);
  if (!sendable.ok) app.notices.show({ text: unsendableText(sendable.error) });
  else if (isAllowed(app, request)) void run(app, request);
  else app.dialogs.open({ kind: "run-action", request });
}

/** Sends a request that the user has seen. */
export async function run(app: App, request: ActionRequest): Promise<void> {
  const { key, action } = request;
  const name = nameOf(request);
  if (running.has(name)) return;
  running.add(name);
  const outcome = await app.client.send("runAction", { key, actionId: action.id });
  running.delete(name);
  const status = outcome.ok ? outcome.value.status : statusOf(outcome.error);
  keepOutcome(name, { ok: outcome.ok, atMs: Date.now(), ...(status !== undefined && { status }) });
  if (outcome.ok) cleared(app, key, action);
  app.notices.show({ text: outcomeText(quoted(action.label), outcome) });
}

/** Marks a message read after its button succeeded, if the button asks for that; its notification goes too. */
export function cleared(app: App, key: MessageKey | undefined, { clear }: Action): void {
  if (key && clear) void app.attempt("mark", { keys: [key], mark: { kind: "read", on: true } });
}

function statusOf(error: CommandError): number | undefined {
  return error.kind === "failed" && error.why.kind === "http" ? error.why.status : undefined;
}

/** The outcome of a request. An error of its address isn't the topic server's, so it has other words. */
function outcomeText(label: string, outcome: Commands["runAction"]["output"]): string {
  const strings = rowStrings.action;
  if (outcome.ok) return strings.done({ label, status: String(outcome.value.status) });
  const { error } = outcome;
  const status = statusOf(error);
  if (status !== undefined) {
    // A redirect; the hub doesn't follow it.
    return status < 400 ? strings.redirected({ label }) : strings.refused({ label, status: String(status) });
  }
  if (error.kind === "failed" && error.why.kind !== "not-allowed-by-browser") return strings.unanswered({ label });
  return strings.failed({ label, why: commandText(error) });
}

/** The request as in a terminal: method and address, then the body, with nothing hidden. */
export function requestLines(action: HttpAction): string {
  const request = readActionRequest(action);
  const line = request.ok ? `${request.value.method} ${request.value.url}` : `${action.method || "POST"} ${action.url}`;
  return visible(action.body ? `${line}\n${action.body}` : line);
}

/** Why a browser can't send a request. */
export function unsendableText(why: Unsendable): string {
  const strings = rowStrings.action;
  switch (why.kind) {
    case "address":
      return strings.noTarget;
    case "method":
      return strings.noMethod({ method: visible(why.method) });
    case "body":
      return strings.noBody({ method: why.method });
    case "port":
      return strings.noPort({ port: why.port });
    case "header":
      return strings.noHeader({ name: visible(why.name) });
  }
}
