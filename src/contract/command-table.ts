import type { CommandName } from "./commands";

/** What code needs to know about a command besides its input and output. */
type CommandTraits = {
  /**
   * Whether a page sends the command again to the next worker when its worker ended. `if-unanswered`: sends it once more
   * unless an answer came. `never`: fails it, as it may have had its effect. `always`: sends its newest input to every new
   * worker, as it holds until changed.
   */
  resend: "if-unanswered" | "never" | "always";
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
  subscribe: { by: "user", writes: true, resend: "never" },
  unsubscribe: { by: "user", writes: true, resend: "if-unanswered" },
  restoreSubscription: { by: "user", writes: true, resend: "if-unanswered" },
  patchSubscription: { by: "user", writes: true, resend: "if-unanswered" },
  arrange: { by: "user", writes: true, resend: "if-unanswered" },
  setViews: { by: "user", writes: true, resend: "if-unanswered" },
  setCredentials: { by: "user", writes: true, resend: "if-unanswered" },
  patchServer: { by: "user", writes: true, resend: "if-unanswered" },
  accountTopics: { by: "user", resend: "if-unanswered" },
  keepInStep: { by: "user", writes: true, resend: "if-unanswered" },
  testServer: { by: "user", resend: "if-unanswered" },
  mark: { by: "user", writes: true, resend: "if-unanswered" },
  markAllRead: { by: "user", writes: true, resend: "if-unanswered" },
  delete: { by: "user", writes: true, resend: "if-unanswered" },
  cancelScheduled: { by: "user", writes: true, resend: "never" },
  sendNow: { by: "user", writes: true, resend: "never" },
  undo: { by: "user", writes: true, resend: "if-unanswered" },
  setSetting: { by: "user", writes: true, resend: "if-unanswered" },
  prune: { by: "user", writes: true, resend: "if-unanswered" },
  repair: { by: "user", writes: true, resend: "if-unanswered" },
  readHost: { by: "user", resend: "if-unanswered" },
  count: { by: "user", resend: "if-unanswered" },
  preview: { by: "user", resend: "if-unanswered" },
  tail: { by: "user", resend: "if-unanswered" },
  endTail: { by: "user", resend: "if-unanswered" },
  publish: { by: "user", writes: true, resend: "never" },
  runAction: { by: "user", resend: "never" },
  readAttachment: { by: "user", resend: "if-unanswered" },
  keptFile: { by: "user", resend: "if-unanswered" },
  fileUse: { by: "user", resend: "if-unanswered" },
  dropFiles: { by: "user", resend: "if-unanswered" },
  pushStates: { by: "user", resend: "if-unanswered" },
  pushKey: { by: "user", resend: "if-unanswered" },
  registerPush: { by: "user", resend: "if-unanswered" },
  endPush: { by: "user", resend: "if-unanswered" },
  readBackup: { by: "user", resend: "never" },
  takeBackup: { by: "user", writes: true, resend: "never" },
  dropBackup: { by: "user", writes: true, resend: "if-unanswered" },
  undoneImport: { by: "user", resend: "if-unanswered" },
  refresh: { by: "leader", resend: "if-unanswered" },
  tryNow: { by: "leader", resend: "if-unanswered" },
  resume: { by: "leader", resend: "if-unanswered" },
  setOnline: { by: "leader", resend: "always" },
  status: { by: "leader", resend: "if-unanswered" },
  read: { by: "hub", resend: "if-unanswered" },
  confirmAlert: { by: "hub", resend: "if-unanswered" },
  ping: { by: "hub", resend: "if-unanswered" },
  setAlerting: { by: "tab", resend: "always" },
} as const satisfies Record<CommandName, CommandTraits>;

type Table = typeof COMMAND_TABLE;

/** The commands with these traits. */
export type CommandsThat<Traits extends Partial<Pick<CommandTraits, "by" | "resend">>> = {
  [Name in CommandName]: Table[Name] extends Traits ? Name : never;
}[CommandName];
