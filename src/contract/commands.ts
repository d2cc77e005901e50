// What a page can ask of the hub: every command with its input and its output.
import type {
  Credentials,
  ExtraHeaders,
  Failure,
  MessageEvent,
  PublishInput,
  Result,
  ServerAddress,
} from "../protocol";
import type { BackupCredentials } from "./backup/lines";
import type { BackupFault, BackupPreview } from "./backup/preview";
import type { ServerStatus, ServerTest, Transport } from "./server-status";
import type { HostRecord } from "./host-config";
import type { FileUse, KeptFileState } from "./kept-files";
import type { PushFault, PushState, RegisterPushInput } from "./push-state";
import type { TailLine, TailState } from "./raw-tail";
import type { MessageKey } from "./stored-message";
import type { Arrangement, ListedTopics, SavedView, SubscribeInput, SubscriptionPatch } from "./topics";
import type { Changed, Chosen, ListQuery, Mark } from "./triage";

/** Why a command was not carried out. */
export type CommandError =
  | { kind: "failed"; why: Failure }
  | { kind: "invalid"; field: "topic" | "server" | "credentials" | "message" | "view" | "setting"; reason: string }
  | { kind: "duplicate"; subId: number }
  | { kind: "not-found" }
  /** `text` is the browser's own wording, for the details. */
  | { kind: "quota"; text?: string }
  | { kind: "storage"; text: string };

/** Every command: its input and its output. */
export interface Commands {
  /** Adds topics. They are checked with the server first; nothing is stored if that fails. */
  subscribe: { input: SubscribeInput; output: Result<{ subIds: number[] }, CommandError> };
  /** Hides the topic; it is purged with its messages after the undo time. */
  unsubscribe: { input: { subId: number }; output: Result<null, CommandError> };
  restoreSubscription: { input: { subId: number }; output: Result<null, CommandError> };
  patchSubscription: { input: { subId: number; patch: SubscriptionPatch }; output: Result<null, CommandError> };
  /** Sets the groups and the order of all topics at once. A topic that isn't named keeps its group and comes last. */
  arrange: { input: Arrangement; output: Result<null, CommandError> };
  /** Replaces all saved views at once, in their order: used to save, rename, move and remove one, and to undo that. */
  setViews: { input: { views: SavedView[] }; output: Result<null, CommandError> };
  /**
   * Sets, replaces or (with `null`) removes the credentials of a server's subscriptions, and tries again. A password is
   * exchanged for a token where the server issues them; one that nothing uses any more is removed there. `leftToken`: the
   * server could not be told, so that the token is good until it ends.
   */
  setCredentials: {
    input: { serverId: number; subIds?: number[]; credentials: Credentials | null };
    output: Result<{ leftToken?: true }, CommandError>;
  };
  patchServer: {
    /** `move`: to another address, with its credentials or without. It ends the pushes from the old one. */
    input: {
      serverId: number;
      name?: string | null;
      transport?: Transport | null;
      /** With any, messages come as JSON lines, as browsers send none with a WebSocket. */
      headers?: ExtraHeaders;
      move?: { address: ServerAddress; keepsSignIn: boolean };
    };
    output: Result<null, CommandError>;
  };
  /** Reads the topics of a signed-in user on the server. */
  accountTopics: { input: { serverId: number }; output: Result<ListedTopics, CommandError> };
  /** Keeps an account's topics in step with those of this device, both ways, or no longer. */
  keepInStep: { input: { accountId: number; on: boolean }; output: Result<null, CommandError> };
  /** Tries a server apart from its connection: whether topics can be read, streams open, messages are kept, clocks agree. */
  testServer: { input: { serverId: number }; output: Result<ServerTest, CommandError> };
  mark: { input: Chosen & { mark: Mark }; output: Result<Changed, CommandError> };
  /** Marks messages of these subscriptions as read, up to and including the arrival number `upTo`. */
  markAllRead: { input: { subIds: number[]; upTo: number }; output: Result<Changed, CommandError> };
  /**
   * Hides messages. Within the undo time `undo` brings them back; after it they are removed for good, and leave
   * tombstones.
   */
  delete: { input: Chosen; output: Result<Changed, CommandError> };
  /**
   * Cancels scheduled messages on their server, each by itself. Where a server can't, they are hidden here as by `delete`,
   * and are delivered all the same. With the first that fails otherwise it ends, and the rest stays.
   */
  cancelScheduled: { input: Chosen; output: Result<{ cancelled: number; hidden: Changed }, CommandError> };
  /**
   * Publishes a scheduled message at once, as the version that replaces it. `isCancelled`: false where the server knows no
   * versions, so that it delivers it again at its time.
   */
  sendNow: { input: { key: MessageKey }; output: Result<{ isCancelled: boolean }, CommandError> };
  /** Undoes one change, and nothing else: what was so before that change stays so. */
  undo: { input: { undo: string }; output: Result<null, CommandError> };
  /** How many messages a list shows now, and the newest arrival number of all. */
  count: { input: ListQuery; output: Result<{ count: number; upTo: number }, CommandError> };
  /** Polls once and stores nothing. */
  preview: {
    input: { address: ServerAddress; topics: string[]; credentials?: Credentials };
    output: Result<{ messages: MessageEvent[] }, CommandError>;
  };
  /**
   * Follows a topic's raw stream, under a name that the page gives it; nothing is stored. Resolves to what came since
   * the last answer, as soon as there is something, else after a while. The stream ends when nobody asks any more.
   */
  tail: {
    input: { tailId: string; address: ServerAddress; topic: string; accountId?: number };
    /** `left`: how many lines were left out. */
    output: Result<{ lines: TailLine[]; left: number; state: TailState }, CommandError>;
  };
  endTail: { input: { tailId: string }; output: Result<null, CommandError> };
  publish: { input: PublishInput; output: Result<{ message: MessageEvent }, CommandError> };
  /** Carries out an `http` action of a message after the user agreed. */
  runAction: { input: { key: MessageKey; actionId: string }; output: Result<{ status: number }, CommandError> };
  /** Reads the beginning of a message's attachment as text, after the user asked for it. */
  readAttachment: {
    input: { key: MessageKey };
    output: Result<{ kind: "text"; text: string; bytes: number; isCut: boolean } | { kind: "bytes" }, CommandError>;
  };
  /** What became of a message's file: whether it is kept on this device, or why not; `null` = it was not tried. */
  keptFile: { input: { key: MessageKey }; output: Result<KeptFileState | null, CommandError> };
  /** What kept files take, by topic. */
  fileUse: { input: Record<string, never>; output: Result<FileUse[], CommandError> };
  /** Deletes kept files: those of a topic, or all. Their messages stay. */
  dropFiles: { input: { subId?: number }; output: Result<null, CommandError> };
  /**
   * Does a full catch-up (`since=all`) of a server or of one subscription. Resolves to how many messages were missing,
   * and the newest of them. `forgot`: the server lost messages that it should still have, so nobody knows what is
   * missing.
   */
  refresh: {
    input: { serverId: number; subId?: number };
    output: Result<{ missing: number; found: MessageKey[]; forgot?: true }, CommandError>;
  };
  /** Ends the wait for the next try at a server. */
  tryNow: { input: { serverId: number }; output: Result<null, CommandError> };
  /** The page came back (visible, thawed, online): poll at once. */
  resume: {
    input: { reason: "visible" | "pageshow" | "resume" | "online" | "clock" };
    output: Result<null, CommandError>;
  };
  setOnline: { input: { online: boolean }; output: Result<null, CommandError> };
  /** The state of the pushes of all servers that have any. */
  pushStates: { input: Record<string, never>; output: Result<PushState[], CommandError> };
  /** Asks a server for its public key. */
  pushKey: { input: { serverId: number }; output: Result<string, PushFault> };
  /** Registers topics for pushes with their server. Topics that may not be read are left out. */
  registerPush: { input: RegisterPushInput; output: Result<PushState, PushFault | CommandError> };
  /** Tells a server to push no more, and forgets about it, whether or not the server can be reached. */
  endPush: { input: { serverId: number }; output: Result<null, CommandError> };
  /** Whether this tab can show notifications now: only such tabs are given alerts. Holds until changed. */
  setAlerting: { input: { able: boolean }; output: Result<null, CommandError> };
  /** This tab has shown the notification of an `alert` or a `notice`; without this, the next tab is asked. */
  confirmAlert: { input: { alertId: number }; output: Result<null, CommandError> };
  setSetting: { input: { key: string; value: unknown }; output: Result<null, CommandError> };
  /**
   * Reads the host's `config.json` beside the app, and finds the topic server where the app is, unless the file or the
   * page names one. `base`: the app's address, with its final slash. `named`: the server that the page names. `isNew`:
   * nothing is subscribed yet, so it is worth looking for a server again.
   */
  readHost: {
    input: { base: string; named: ServerAddress | null; isNew: boolean };
    /**
     * `hasServer`: absent = nobody looked, or nobody answered. `movedFrom`: links that name no server meant this one until
     * now; told once, to the page that then writes stored links anew.
     */
    output: Result<{ host: HostRecord; hasServer?: boolean; movedFrom?: ServerAddress }, CommandError>;
  };
  /** Runs retention now; resolves to how many messages were removed. */
  prune: { input: Record<string, never>; output: Result<{ removed: number }, CommandError> };
  /** Removes damaged records, and counts everything anew. */
  repair: { input: Record<string, never>; output: Result<null, CommandError> };
  /** Reads a backup and keeps it aside; nothing that is shown changes. `importId` names it from now on. */
  readBackup: {
    input: { importId: string; file: Blob; by: "link" | "file" };
    output: Result<BackupPreview, BackupFault>;
  };
  /**
   * Takes over a backup that was read: all of it, or nothing, with the settings of these names and, if chosen, the muting and
   * retention of new topics. Resolves to how many messages were added.
   */
  takeBackup: {
    input: { importId: string; settings: string[]; topicRules: boolean; credentials: BackupCredentials[] };
    output: Result<{ added: number }, BackupFault>;
  };
  /** Ends an import, also while it is read or taken over: nothing of it stays. */
  dropBackup: { input: { importId: string }; output: Result<null, CommandError> };
  /**
   * Whether an import was cut off and undone, and the user has not been told; the answer is yes only once. `isPending`: an
   * import is being taken over or undone, so ask again.
   */
  undoneImport: {
    input: Record<string, never>;
    output: Result<{ isUndone: boolean; isPending: boolean }, CommandError>;
  };
  /** State of all servers, as the leading hub knows it. */
  status: { input: Record<string, never>; output: ServerStatus[] };
  /** Reads for a page whose database can't be opened; the methods are those of the client's `Reader`. */
  read: { input: { method: string; args: unknown[] }; output: Result<unknown, CommandError> };
  /** `inSight`: somebody looks at this tab, so problems should be noticed sooner. Holds for a while. */
  ping: { input: { inSight: boolean }; output: { build: string; mode: "database" | "memory"; leading: boolean } };
}

export type CommandName = keyof Commands;
