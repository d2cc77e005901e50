import type { CommandError, CommandName, Commands, Failure, ServerAddress } from "../../protocol";
import type { Changes, ServerRecord, StoreError } from "../../store";
import { changesEvent, type Announce } from "../changes-event";
import type { Requests } from "../requests";
import type { Environment } from "../environment";

/** What a command works with. */
export interface CommandContext {
  environment: Environment;
  hubId: string;
  announce: Announce;
  /** Whether this hub leads now. */
  isLeading(): boolean;
  /** Servers, accounts, subscriptions or settings changed in the store: tells everyone, and waits until the leader of this hub knows. */
  catalogueChanged(): Promise<void>;
  /** The way to a server, known or new; what it asks for is counted with everything else that the server is asked. */
  requests<Kind extends Requests>(
    address: ServerAddress,
    known: ServerRecord | undefined,
    kind: new (...made: ConstructorParameters<typeof Requests>) => Kind,
  ): Kind;
}

/** Carries out one command. */
export type Handler<Name extends CommandName> = (input: Commands[Name]["input"]) => Promise<Commands[Name]["output"]>;

/** What the store could not do, in the words of the contract. */
export function storageError(error: StoreError): CommandError {
  return error.kind === "quota" ? { kind: "quota" } : { kind: "storage", text: error.text };
}

/** What a server did not do, in the words of the contract. */
export function failed(why: Failure): CommandError {
  return { kind: "failed", why };
}

/** Announces what a command changed. */
export function announceChanges({ announce }: CommandContext, changes: Changes): void {
  const event = changesEvent(changes);
  if (event) announce(event);
}
