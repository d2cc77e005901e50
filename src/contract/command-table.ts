import type { CommandName } from "./contract";

/** What code needs to know about a command besides its input and output. */
type CommandTraits = {
  /**
   * What a page does with the command when its worker ends. `again`: sends it again if unanswered. `once`: fails it, as it
   * may have had its effect. `sticky`: sends it to every new worker, answered or not, as it holds until changed.
   */
  repeats: "again" | "once" | "sticky";
} & (
  | {
      /** Any hub carries it out, with code that is loaded later. */
      by: "user";
      /** What tabs show may change by it, so a hub that doesn't lead tells the others while it writes. */
      writes?: true;
    }
  /**
   * Carried out by the hub of the tab that gives it, which never passes it on (`tab`); by any hub, from its start (`hub`);
   * or by the hub that holds the connections, to which others relay it (`leader`).
   */
  | { by: "tab" | "hub" | "leader" }
);

/** Every command. A missing one doesn't compile, and the lists that code needs at run time are checked against it. */
export const COMMAND_TABLE = {
  subscribe: { by: "user", writes: true, repeats: "once" },
  unsubscribe: { by: "user", writes: true, repeats: "again" },
  restoreSubscription: { by: "user", writes: true, repeats: "again" },
  patchSubscription: { by: "user", writes: true, repeats: "again" },
  arrange: { by: "user", writes: true, repeats: "again" },
  setViews: { by: "user", writes: true, repeats: "again" },
  setCredentials: { by: "user", writes: true, repeats: "again" },
  patchServer: { by: "user", writes: true, repeats: "again" },
  accountTopics: { by: "user", repeats: "again" },
  keepInStep: { by: "user", writes: true, repeats: "again" },
  testServer: { by: "user", repeats: "again" },
  mark: { by: "user", writes: true, repeats: "again" },
  markAllRead: { by: "user", writes: true, repeats: "again" },
  delete: { by: "user", writes: true, repeats: "again" },
  undo: { by: "user", writes: true, repeats: "again" },
  setSetting: { by: "user", writes: true, repeats: "again" },
  prune: { by: "user", writes: true, repeats: "again" },
  readHost: { by: "user", repeats: "again" },
  count: { by: "user", repeats: "again" },
  preview: { by: "user", repeats: "again" },
  tail: { by: "user", repeats: "again" },
  endTail: { by: "user", repeats: "again" },
  publish: { by: "user", writes: true, repeats: "once" },
  runAction: { by: "user", repeats: "once" },
  readAttachment: { by: "user", repeats: "again" },
  keptFile: { by: "user", repeats: "again" },
  fileUse: { by: "user", repeats: "again" },
  dropFiles: { by: "user", repeats: "again" },
  pushStates: { by: "user", repeats: "again" },
  pushKey: { by: "user", repeats: "again" },
  registerPush: { by: "user", repeats: "again" },
  endPush: { by: "user", repeats: "again" },
  readBackup: { by: "user", repeats: "once" },
  takeBackup: { by: "user", writes: true, repeats: "once" },
  dropBackup: { by: "user", writes: true, repeats: "again" },
  undoneImport: { by: "user", repeats: "again" },
  refresh: { by: "leader", repeats: "again" },
  tryNow: { by: "leader", repeats: "again" },
  resume: { by: "leader", repeats: "again" },
  setOnline: { by: "leader", repeats: "sticky" },
  status: { by: "leader", repeats: "again" },
  read: { by: "hub", repeats: "again" },
  confirmAlert: { by: "hub", repeats: "again" },
  ping: { by: "hub", repeats: "again" },
  setAlerting: { by: "tab", repeats: "sticky" },
} as const satisfies Record<CommandName, CommandTraits>;

type Table = typeof COMMAND_TABLE;

/** The commands with these traits. */
export type CommandsThat<Traits extends Partial<Pick<CommandTraits, "by" | "repeats">>> = {
  [Name in CommandName]: Table[Name] extends Traits ? Name : never;
}[CommandName];
