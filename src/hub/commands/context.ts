import type { CommandError, CommandName, Commands, ServerStatus } from "../../contract";
import type { Failure, ServerAddress } from "../../protocol";
import type { Changes, ServerRecord, StoreError } from "../../store";
import { changesEvent, type Announce } from "../changes-event";
import type { Requests } from "../requests";
import type { Environment } from "../environment";

/** What commands get to work with. */
export interface CommandContext {
  environment: Environment;
  hubId: string;
  announce: Announce;
  /** Whether this hub leads now. */
  isLeading(): boolean;
  /** How the servers stand, where this hub leads; none, where it doesn't. */
  statuses(): ServerStatus[];
  /**
   * Call after servers, accounts, subscriptions or settings changed in the store. Tells everyone, and waits until this
   * hub's own leader, if it leads, has taken the change up.
   */
  catalogueChanged(): Promise<void>;
  /** Makes requests to a server, known or new. They are counted with all other requests to it. */
  requests<Kind extends Requests>(
    address: ServerAddress,
    known: ServerRecord | undefined,
    kind: new (...made: ConstructorParameters<typeof Requests>) => Kind,
  ): Kind;
}

/** Carries out one command. */
export type CommandHandler<Name extends CommandName> = (
  input: Commands[Name]["input"],
) => Promise<Commands[Name]["output"]>;

/** Turns an error of the store into one of the contract. */
export function storageError(error: StoreError): CommandError {
  return { kind: error.kind === "quota" ? "quota" : "storage", text: error.text };
}

/** Turns a server's failure into an error of the contract. */
export function failed(why: Failure): CommandError {
  return { kind: "failed", why };
}

/** Announces what a command changed. */
export function announceChanges({ announce }: CommandContext, changes: Changes): void {
  const event = changesEvent(changes);
  if (event) announce(event);
}
