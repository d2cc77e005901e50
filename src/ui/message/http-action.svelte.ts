import { SvelteSet } from "svelte/reactivity";
import type { MessageKey } from "../../client";
import type { Action, Commands } from "../../protocol";
import type { App } from "../state/app.svelte";
import { words } from "../words";
import { quoted } from "./body-text";
import { webLink } from "./links";
import { visible } from "./raw-json";

/** A button that sends a request (protocol, section 6). */
export type HttpAction = Extract<Action, { action: "http" }>;

/** What the user is asked to agree to. */
export interface ActionRequest {
  key: MessageKey;
  action: HttpAction;
}

/** Requests that the user agreed to; asked again after the page was left. */
const agreed = new Set<string>();

/** Requests under way, so that a button can't be pressed twice. */
const running = new SvelteSet<string>();

/** The method that is sent (protocol, section 6: POST unless said otherwise). */
export function methodOf(action: HttpAction): string {
  return (action.method || "POST").toUpperCase();
}

/** The address as it will be asked, or undefined when it is none that a browser can ask. */
export function addressOf(action: HttpAction): string | undefined {
  return webLink(action.url);
}

/** What the request is, as one reads it in a terminal: method and address, then the body. Nothing in it hides. */
export function requestLines(action: HttpAction): string {
  const line = `${methodOf(action)} ${addressOf(action) ?? visible(action.url)}`;
  return action.body ? `${line}\n${visible(action.body)}` : line;
}

/** All that is sent: another message may ask the same address for something else. */
function consentOf(action: HttpAction): string {
  const { url, headers = {}, body } = action;
  return JSON.stringify([methodOf(action), url, Object.entries(headers), body]);
}

function nameOf({ key, action }: ActionRequest): string {
  return JSON.stringify([...key, action.id]);
}

/** Whether the request of this button is under way. */
export function isRunning(request: ActionRequest): boolean {
  return running.has(nameOf(request));
}

/** Sends the request, after the user has agreed to it once. The hub carries it out; what came of it is said. */
export function pressAction(app: App, request: ActionRequest): void {
  if (agreed.has(consentOf(request.action))) void run(app, request);
  else app.dialog = { kind: "run-action", request };
}

/** The user agrees to a request, and sends it. */
export function agree(app: App, request: ActionRequest): void {
  agreed.add(consentOf(request.action));
  void run(app, request);
}

async function run(app: App, request: ActionRequest): Promise<void> {
  const { key, action } = request;
  const name = nameOf(request);
  if (running.has(name)) return;
  running.add(name);
  const outcome = await app.client.send("runAction", { key, actionId: action.id });
  running.delete(name);
  app.say({ text: outcomeWords(quoted(action.label), outcome) });
}

/** What came of a request. An error of the address is not one of the topic server, so it is said in other words. */
function outcomeWords(label: string, outcome: Commands["runAction"]["output"]): string {
  const said = words.feed.action;
  if (outcome.ok) return said.done(label, outcome.value.status);
  const { error } = outcome;
  if (error.kind === "failed" && error.why.kind === "http") return said.refused(label, error.why.status);
  if (error.kind === "failed" && error.why.kind !== "not-allowed-by-browser") return said.unanswered(label);
  return said.failed(label, words.errors.command(error));
}
