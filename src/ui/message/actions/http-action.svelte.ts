import { SvelteSet } from "svelte/reactivity";
import { readActionRequest, statusOf, type Commands, type MessageKey, type Unsendable } from "../../../contract";
import type { Action, HttpAction } from "../../../protocol";
import type { App } from "../../state/app.svelte";
import { commandText, rowStrings } from "../../strings";
import { isAllowed } from "./allowed-requests";
import { quoted, visible } from "../label";
import type { ActionRequest } from "../../state/dialogs.svelte";

/** Requests under way, so that a button can't be pressed twice. */
const running = new SvelteSet<string>();

const nameOf = (key: MessageKey, { id }: HttpAction): string => JSON.stringify([...key, id]);

export function isRunning(key: MessageKey, action: HttpAction): boolean {
  return running.has(nameOf(key, action));
}

/** Sends the request, asks first, or says why no browser sends it. The hub carries it out and reports the outcome. */
export function pressAction(app: App, key: MessageKey, action: HttpAction): void {
  const read = readActionRequest(action);
  if (!read.ok) return app.notices.show({ text: unsendableText(read.error) });
  const request = { key, action, sendable: read.value };
  if (isAllowed(app, request)) void run(app, request);
  else app.dialogs.open({ kind: "run-action", request });
}

/** Sends a request that the user has seen. */
export async function run(app: App, { key, action }: ActionRequest): Promise<void> {
  const name = nameOf(key, action);
  if (running.has(name)) return;
  running.add(name);
  const outcome = await app.client.send("runAction", { key, actionId: action.id });
  running.delete(name);
  if (outcome.ok) cleared(app, key, action);
  app.notices.show({ text: outcomeText(quoted(action.label), outcome) });
}

/** Marks a message read after its button succeeded, if the button asks for that, and withdraws its notification. */
export function cleared(app: App, key: MessageKey | undefined, { clear }: Action): void {
  if (key && clear) void app.attempt("mark", { keys: [key], mark: { kind: "read", on: true } });
}

/** The outcome of a request in words. A fault of its address isn't the topic server's, so it is worded differently. */
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

/** The request as it would look in a terminal: method and address, then the body, with nothing hidden. */
export function requestLines(action: HttpAction): string {
  const request = readActionRequest(action);
  const line = request.ok ? `${request.value.method} ${request.value.url}` : `${action.method || "POST"} ${action.url}`;
  return visible(action.body ? `${line}\n${action.body}` : line);
}

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
