import type { CommandError, CommandName, Commands, HubEvent, ServerStatus } from "../../contract";
import {
  type Credentials,
  type Failure,
  type ServerAddress,
  type ExtraHeaders,
  type Result,
  areExtraHeaders,
  checkCredentials,
  fail,
  ok,
} from "../../protocol";
import { StoreFailure, type ServerRecord, type StoreError, type ServerPatch } from "../../store";
import type { Environment, Written } from "../environment";
import { readServers, type StoredServer } from "../read-servers";
import type { Requests } from "../requests/requests";

export interface CommandContext {
  environment: Environment;
  /** Tells every tab. */
  announce(event: HubEvent): void;
  /** Tells every tab what was written, and plans what follows from it. */
  written(what: Written): void;
  isLeading(): boolean;
  /** Whether the device has a network, as far as its browser knows. */
  isOnline(): boolean;
  /** Whether a tab of any hub is in sight. */
  isInSight(): boolean;
  /** The servers' statuses if this hub leads; otherwise none. */
  statuses(): ServerStatus[];
  /** Call this after servers, accounts, topics or settings changed. Waits until this hub's leader has applied it. */
  catalogueChanged(): Promise<void>;
  /** Makes requests to a server, known or new. They are counted with all other requests to it. */
  requests(address: ServerAddress, known: ServerRecord | undefined): Requests;
}

export type CommandHandler<Name extends CommandName> = (
  input: Commands[Name]["input"],
) => Promise<Commands[Name]["output"]>;

export type CommandHandlers<Names extends CommandName> = { [Name in Names]: CommandHandler<Name> };

/** The commands of one feature. The hub's type shows if any command of the contract has no handler. */
export type FeatureCommands = Partial<CommandHandlers<CommandName>>;

/** Why credentials or headers can't be used; undefined = they can. A link or an import may hold anything. */
export function wrongSignIn(input: {
  credentials?: Credentials | null | undefined;
  headers?: ExtraHeaders | undefined;
}): CommandError | undefined {
  const checked = input.credentials && checkCredentials(input.credentials);
  if (checked?.ok === false) return { kind: "invalid", field: "credentials", reason: checked.error.problem };
  const isWrong = input.headers && !areExtraHeaders(input.headers);
  return isWrong ? { kind: "invalid", field: "server", reason: "headers" } : undefined;
}

/** What the store returned. Throws its error, which the hub makes the command's (`storageError`). */
export function unwrap<Value>(result: Result<Value, StoreError>): Value {
  if (!result.ok) throw new StoreFailure(result.error);
  return result.value;
}

/** A server with its accounts and topics; undefined if it isn't there. */
export async function serverOf({ environment }: CommandContext, serverId: number): Promise<StoredServer | undefined> {
  return unwrap(await readServers(environment.store)).find(({ server }) => server.serverId === serverId);
}

/** Waits for a change of the small tables, which is undefined if there was nothing to change, and tells everyone. */
export async function settle(
  { catalogueChanged }: CommandContext,
  change: Promise<Result<unknown, StoreError>>,
): Promise<Result<null, CommandError>> {
  if (unwrap(await change) === undefined) return fail({ kind: "not-found" });
  await catalogueChanged();
  return ok(null);
}

/** In a group of devices: shares the marks of messages that came with them, and sets what was told of these messages. */
export async function shareMarks({ environment: { store, now }, written }: CommandContext): Promise<void> {
  const group = await store.group();
  if (!group.ok || !group.value) return;
  unwrap(await store.shareStored(now()));
  for (const changes of unwrap(await store.setToldMarks(now()))) written(changes);
}

export function storageError(error: StoreError): CommandError {
  return { kind: error.kind === "quota" ? "quota" : "storage", text: error.text };
}

export function failed(why: Failure): CommandError {
  return { kind: "failed", why };
}

/** Sets a server's extra headers; where none are left, it has none. */
export function headersPatch(headers: ExtraHeaders): ServerPatch {
  return { headers: Object.keys(headers).length > 0 ? headers : null };
}
