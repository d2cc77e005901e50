import {
  type CommandError,
  type CommandName,
  type Commands,
  type ServerStatus,
  CONTRACT_VERSION,
} from "../../contract";
import type { Failure, ServerAddress, ExtraHeaders, Result } from "../../protocol";
import { StoreFailure, type ServerRecord, type StoreError, type ServerPatch } from "../../store";
import type { Announce } from "../announce";
import type { Environment, Timer } from "../environment";
import type { Requests } from "../requests/requests";
import type { HubMessage } from "../lead/between-hubs";

/** What commands work with. */
export interface CommandContext {
  environment: Environment;
  hubId: string;
  announce: Announce;
  /** Whether this hub leads now. */
  isLeading(): boolean;
  /** The servers' statuses if this hub leads; otherwise none. */
  statuses(): ServerStatus[];
  /** Call after servers, accounts, topics or settings changed. Waits until this hub's leader has applied it. */
  catalogueChanged(): Promise<void>;
  /** Makes requests to a server, known or new. They count with all other requests to it. */
  requests(address: ServerAddress, known: ServerRecord | undefined): Requests;
}

/** Carries out one command. */
export type CommandHandler<Name extends CommandName> = (
  input: Commands[Name]["input"],
) => Promise<Commands[Name]["output"]>;

/** Carries out these commands. */
export type CommandHandlers<Names extends CommandName> = { [Name in Names]: CommandHandler<Name> };

/** The commands of a feature. The hub's type tells if one of the contract has no handler. */
export type FeatureCommands = Partial<CommandHandlers<CommandName>>;

/** What the store returned. Throws its error, which the hub turns into the command's (`storageError`). */
export function unwrap<Value>(result: Result<Value, StoreError>): Value {
  if (!result.ok) throw new StoreFailure(result.error);
  return result.value;
}

/** Turns an error of the store into one of the contract. */
export function storageError(error: StoreError): CommandError {
  return { kind: error.kind === "quota" ? "quota" : "storage", text: error.text };
}

/** Turns a server's failure into an error of the contract. */
export function failed(why: Failure): CommandError {
  return { kind: "failed", why };
}

/** The effect of extra headers: browsers send none with a WebSocket, so messages come as JSON lines. */
export function headersPatch(headers: ExtraHeaders): ServerPatch {
  return Object.keys(headers).length > 0 ? { headers, chosenTransport: "json" } : { headers: null };
}

/** How often, ms, a writing hub says so: often enough not to be taken for one that has ended. */
const SAY_EVERY_MS = 4_000;

/** Unique within this worker. */
let nextId = 1;

/** Carries out a command that writes. A hub that doesn't lead tells the others meanwhile; see `ForeignWrites`. */
export async function whileTelling<Value>(context: CommandContext, work: () => Promise<Value>): Promise<Value> {
  if (context.isLeading()) return work();
  const { setTimer, clearTimer, channel } = context.environment;
  const { hubId: from } = context;
  const id = nextId++;
  const post = (kind: "writing" | "written"): void =>
    channel.post({ version: CONTRACT_VERSION, kind, from, id } satisfies HubMessage);
  let timer: Timer;
  const say = (): void => {
    post("writing");
    timer = setTimer(say, SAY_EVERY_MS);
  };
  say();
  try {
    return await work();
  } finally {
    clearTimer(timer);
    post("written");
  }
}
