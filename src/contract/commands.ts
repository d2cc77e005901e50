// What a page can ask of the hub: every command with its input and its output.
import {
  type Credentials,
  type ExtraHeaders,
  type Failure,
  isJsonObject,
  type MessageEvent,
  type PublishInput,
  type Result,
  type ServerAddress,
} from "../protocol";
import type { BackupCredentials, SealedCredentials } from "./backup/lines";
import type { ServerStatus, ServerTest, Transport, TailLine, TailState } from "./server-status";
import type { HostRecord } from "./host-config";
import type { FileUse, KeptFileState } from "./kept-files";
import type { PushFault, PushState, RegisterPushInput } from "./alerts/push";
import type { Snapshot, MessageKey } from "./stored-message";
import type { Arrangement, ListedTopics, SavedView, SubscribeInput, SubscriptionPatch } from "./topics";
import type { ListQuery } from "./filter/hides";
import type { Chosen, Mark } from "./triage";
import type { HubEvent } from "./announcements";
import type { GroupState, ShareKind } from "./devices";

export type CommandError =
  | { kind: "failed"; why: Failure }
  | { kind: "invalid"; field: "topic" | "server" | "credentials" | "message" | "view" | "setting"; reason: string }
  | { kind: "duplicate"; subId: number }
  | { kind: "not-found" }
  /** `text` is the browser's own wording, for the details. */
  | { kind: "quota"; text?: string }
  | { kind: "storage"; text: string };

/** The HTTP status of the answer that failed a command, if there was one. */
export function statusOf(error: CommandError): number | undefined {
  return error.kind === "failed" && error.why.kind === "http" ? error.why.status : undefined;
}

/** A backup that is being read or imported. */
export interface ImportedFile {
  importId: string;
  file: Blob;
}

/** What a backup would change here, shown before anything changes. */
export interface BackupPreview {
  /** When it was made, by the clock of its device, ms. */
  madeAtMs: number;
  /** Addresses of servers that no topic here is on. */
  newServers: ServerAddress[];
  newTopics: {
    server: ServerAddress;
    topic: string;
    displayName?: string;
    /** What it says about muting and retention, applied only if chosen. */
    rules: { name: string; to: unknown }[];
  }[];
  /** How many of its topics are here already. */
  knownTopics: number;
  /** Names of saved views that aren't here. */
  newViews: string[];
  /** Settings that are different here. `isByHand`: it may delete or silence messages. */
  settings: { name: string; from: unknown; to: unknown; isByHand?: true }[];
  /** Names of settings that can't be read and are left out. */
  badSettings: string[];
  /** How many of its messages would be added, are here already, or were deleted here and stay deleted. */
  messages: { added: number; known: number; deleted: number };
  /** How many of those to be added retention would soon remove, by this device's rules and by the backup's. */
  outdated: { here: number; there: number };
  /** How many lines can't be read and would be left out. */
  unreadable: number;
  sealed?: SealedCredentials;
}

/** Why a backup isn't read or imported; nothing of it is kept. */
export type BackupFault =
  | { kind: "not-a-backup" }
  | { kind: "newer-backup"; version: number }
  /** The file's end is missing or can't be read: the file was moved, or its disk is gone. */
  | { kind: "cut-backup" }
  /** A line that others depend on is wrong; lines count from 1. */
  | { kind: "bad-line"; line: number }
  /** The user cancelled it. */
  | { kind: "ended-import" }
  | CommandError;

export interface Changed {
  count: number;
  /** Pass it to `undo` as it is. A string is cheap to hand between threads. */
  undo: string;
  /** Why only a part changed and couldn't be undone at once. */
  fault?: CommandError;
}

/** What code needs to know about a command besides input and output. */
interface CommandTraits {
  /**
   * Whether a page sends the command again if its worker died. Absent: once, unless an answer came. `never`: it fails,
   * because it may have taken effect. `always`: its newest input goes to every new worker.
   */
  resend?: "never" | "always";
  /** Whether it is sent again after a reload unless it was answered. Only for JSON without secrets. */
  noted?: (input: Record<string, unknown>) => boolean;
}

interface Declared<Input, Output> extends CommandTraits {
  /** Never set; it only carries the types. */
  types?: { input: Input; output: Output };
}

function command<Input, Output>(traits: CommandTraits = {}): Declared<Input, Output> {
  return traits;
}

type Nothing = Record<string, never>;

/** Every command with its input, its output, and how it is sent. The hub runs them. */
export const COMMANDS = {
  /** Adds topics. They are first checked with the server; if that fails, nothing is stored. */
  subscribe: command<SubscribeInput, Result<{ subIds: number[] }, CommandError>>({ resend: "never" }),
  /** Hides the topic; it is purged with its messages after the undo time. */
  unsubscribe: command<{ subId: number }, Result<null, CommandError>>(),
  restoreSubscription: command<{ subId: number }, Result<null, CommandError>>(),
  patchSubscription: command<{ subId: number; patch: SubscriptionPatch }, Result<null, CommandError>>(),
  /** Sets the groups and the order of all topics at once. Topics that aren't named keep their group and come last. */
  arrange: command<Arrangement, Result<null, CommandError>>(),
  /** Replaces all saved views at once, in order: used to save, rename, move, remove, and undo. */
  setViews: command<{ views: SavedView[] }, Result<null, CommandError>>(),
  /**
   * Sets, replaces or (with `null`) removes the credentials of a server's subscriptions, and tries again. A password is
   * exchanged for a token if the server issues them; an unused one is removed there. `leftToken`: the server couldn't
   * be told, so the token stays valid until it expires.
   */
  setCredentials: command<
    { serverId: number; subIds?: number[]; credentials: Credentials | null },
    Result<{ leftToken?: true }, CommandError>
  >(),
  /** `move`: to another address, with or without credentials. Pushes from the old one end. */
  patchServer: command<
    {
      serverId: number;
      name?: string | null;
      transport?: Transport | null;
      /** With any, messages come as JSON lines, because browsers send none with a WebSocket. */
      headers?: ExtraHeaders;
      move?: { address: ServerAddress; keepsSignIn: boolean };
    },
    Result<null, CommandError>
  >(),
  /** Reads the topics of a signed-in user on the server. */
  accountTopics: command<{ serverId: number }, Result<ListedTopics, CommandError>>(),
  /** Tests a server without using its connection: access, streams, retention, clock. */
  testServer: command<{ serverId: number }, Result<ServerTest, CommandError>>(),
  /** Sets or removes a mark. What `undo` doesn't bring back within the undo time is removed and leaves tombstones. */
  mark: command<Chosen & { mark: Mark }, Result<Changed, CommandError>>({
    // Nothing is deleted by a page that offers no Undo.
    noted: ({ mark }) => isJsonObject(mark) && mark["kind"] !== "deleted",
  }),
  /**
   * Cancels scheduled messages on their server, one by one. If a server can't, they are deleted here, but it still
   * delivers them. Stops at any other failure.
   */
  cancelScheduled: command<Chosen, Result<{ cancelled: number; hidden: Changed }, CommandError>>({
    resend: "never",
  }),
  /**
   * Publishes a scheduled message at once, as the version that replaces it. `isCancelled`: false if the server knows no
   * versions and will deliver it again at its time.
   */
  sendNow: command<{ key: MessageKey }, Result<{ isCancelled: boolean }, CommandError>>({
    resend: "never",
  }),
  /** Undoes one change and nothing else. */
  undo: command<{ undo: string }, Result<null, CommandError>>(),
  /** How many messages a list shows now, and the newest arrival number of all. */
  count: command<ListQuery, Result<{ count: number; upTo: number; atMs: number }, CommandError>>(),
  /** Polls once and stores nothing. */
  preview: command<
    { address: ServerAddress; topics: string[]; credentials?: Credentials },
    Result<{ messages: MessageEvent[] }, CommandError>
  >(),
  /**
   * Follows a topic's raw stream, under a name chosen by the page; nothing is stored. Resolves to what came since the
   * last answer, as soon as there is something, else after a while. The stream ends when nobody asks any more. `left`:
   * how many lines were left out.
   */
  tail: command<
    { tailId: string; address: ServerAddress; topic: string; accountId?: number },
    Result<{ lines: TailLine[]; left: number; state: TailState }, CommandError>
  >(),
  endTail: command<{ tailId: string }, Result<null, CommandError>>(),
  /** How many messages may still be published today, and how large a file may be; absent = the server doesn't say. */
  allowance: command<
    { address: ServerAddress; accountId?: number },
    Result<{ messagesLeft?: number; fileBytes?: number }, CommandError>
  >(),
  /**
   * Publishes a message. With a `sequence`, one to a subscribed topic that may not have reached its server stays in the
   * outbox and is sent from there; then no message is returned.
   */
  publish: command<PublishInput, Result<{ message?: MessageEvent }, CommandError>>({ resend: "never" }),
  /** Takes a message out of the outbox. */
  dropOutgoing: command<{ subId: number; sequence: string }, Result<null, CommandError>>(),
  /** Sends an `http` action after the user agreed. */
  runAction: command<{ key: MessageKey; actionId: string }, Result<{ status: number }, CommandError>>({
    resend: "never",
  }),
  /** Reads the start of an attachment as text, for a user who asked. */
  readAttachment: command<
    { key: MessageKey },
    Result<{ kind: "text"; text: string; bytes: number; isCut: boolean } | { kind: "bytes" }, CommandError>
  >(),
  /** What became of a message's file: kept on this device, or why not; `null` = not tried. */
  keptFile: command<{ key: MessageKey }, Result<KeptFileState | null, CommandError>>(),
  /** The space that kept files take, by topic. */
  fileUse: command<Nothing, Result<FileUse[], CommandError>>(),
  /** Deletes kept files: those of a topic, or all. Their messages stay. */
  dropFiles: command<{ subId?: number }, Result<null, CommandError>>(),
  /**
   * Does a full catch-up (`since=all`) of a server or of one subscription. Resolves to how many messages were missing,
   * and the newest of them. `forgot`: the server lost messages that it should still have, so what is missing is
   * unknown.
   */
  refresh: command<
    { serverId: number; subId?: number },
    Result<{ missing: number; found: MessageKey[]; forgot?: true }, CommandError>
  >(),
  /** Ends the wait before the next try at a server. */
  tryNow: command<{ serverId: number }, Result<null, CommandError>>(),
  /** The page came back (visible, thawed, online): poll at once. */
  resume: command<Nothing, Result<null, CommandError>>(),
  setOnline: command<{ online: boolean }, Result<null, CommandError>>({ resend: "always" }),
  /** The state of the pushes of all servers that have any. */
  pushStates: command<Nothing, Result<PushState[], CommandError>>(),
  /** Asks a server for its public key. */
  pushKey: command<{ serverId: number }, Result<string, PushFault>>(),
  /** Registers topics for pushes with their server. Topics that may not be read are left out. */
  registerPush: command<RegisterPushInput, Result<PushState, PushFault | CommandError>>(),
  /** Tells a server to stop pushing and forgets the registration, whether or not the server can be reached. */
  endPush: command<{ serverId: number }, Result<null, CommandError>>(),
  /** Whether this tab can show notifications now: only such tabs get alerts, first the one with the focus. Holds until changed. */
  setAlerting: command<{ able: boolean; hasFocus?: boolean }, Result<null, CommandError>>({ resend: "always" }),
  /** This tab has shown the notification of an `alert` or a `notice`; otherwise the next tab is asked. */
  confirmAlert: command<{ alertId: number }, Result<null, CommandError>>(),
  /** Stores the page's screen for its next start, with the keys of the messages on it. */
  keepSnapshot: command<{ snapshot: Snapshot; shown: MessageKey[] }, Result<null, CommandError>>(),
  setSetting: command<{ key: string; value: unknown }, Result<null, CommandError>>({ noted: () => true }),
  /**
   * Reads the host's `config.json` beside the app. `base`: the app's address, with its final slash. `page`: the server
   * that the page names, else its origin. `movedFrom`: links that name no server meant this one until now; told once,
   * to the page that then writes stored links anew.
   */
  readHost: command<
    { base: string; page: ServerAddress },
    Result<{ host: HostRecord; movedFrom?: ServerAddress }, CommandError>
  >(),
  /** Runs retention now; resolves to how many messages were removed. */
  prune: command<Nothing, Result<{ removed: number }, CommandError>>(),
  /** Removes damaged records, and counts everything again. */
  repair: command<Nothing, Result<null, CommandError>>(),
  /** Reads a backup and reports what it would change; nothing changes yet. `importId` identifies it meanwhile. */
  readBackup: command<ImportedFile, Result<BackupPreview, BackupFault>>({ resend: "never" }),
  /**
   * Imports a backup, all of it or nothing, with the settings of these names and, if chosen, muting and retention of
   * new topics. Resolves to how many messages were added.
   */
  takeBackup: command<
    ImportedFile & { settings: string[]; topicRules: boolean; credentials: BackupCredentials[] },
    Result<{ added: number }, BackupFault>
  >({ resend: "never" }),
  /** Cancels reading or importing a backup: nothing of it is kept. */
  dropBackup: command<{ importId: string }, Result<null, CommandError>>(),
  /** What this device is to a group of the user's devices. */
  deviceGroup: command<Nothing, Result<GroupState, CommandError>>(),
  /** Makes a group of this device alone, carried by a new topic of the server. */
  startGroup: command<{ serverId: number; deviceName: string }, Result<null, CommandError>>({ resend: "never" }),
  /** Opens an invitation, in place of an earlier one. */
  inviteDevice: command<Nothing, Result<{ invitation: string; untilMs: number }, CommandError>>({ resend: "never" }),
  /** Ends it: a device that wants to join isn't let in, or this one no longer asks. */
  endInvitation: command<Nothing, Result<null, CommandError>>(),
  /** Both devices showed the same digits. `withSignIns`: the newcomer also gets the credentials of servers. */
  letIn: command<{ deviceId: string; withSignIns: boolean }, Result<null, CommandError>>({ resend: "never" }),
  /** Asks to join by an invitation, as its link holds it. */
  joinGroup: command<{ invitation: string; deviceName: string }, Result<null, CommandError>>({ resend: "never" }),
  /** Leaves the group. What was shared stays here. */
  leaveGroup: command<Nothing, Result<null, CommandError>>(),
  /** Removes another device: the group moves to a new topic with a new key. */
  removeDevice: command<{ deviceId: string }, Result<null, CommandError>>({ resend: "never" }),
  /** Changes this device's name, or what it shares. */
  setOwnDevice: command<{ name?: string; shares?: ShareKind[] }, Result<null, CommandError>>(),
  /** State of all servers, as the leading hub knows it. */
  status: command<Nothing, ServerStatus[]>(),
  /** Reads for a page that can't open the database; the methods are those of the client's `Reader`. */
  read: command<{ method: string; args: unknown[] }, Result<unknown, CommandError>>(),
  /** `inSight`: someone is looking at this tab, so problems should be noticed sooner. Holds for a while. */
  ping: command<{ inSight: boolean }, { build: string; mode: "database" | "memory"; leading: boolean }>(),
};

export type Commands = {
  [Name in keyof typeof COMMANDS]: NonNullable<(typeof COMMANDS)[Name]["types"]>;
};

export type CommandName = keyof typeof COMMANDS;

export function traitsOf(name: CommandName): CommandTraits {
  return COMMANDS[name];
}

/** Tabs and hubs of different versions ignore each other, except to agree on who leads. */
export const CONTRACT_VERSION = 41;

/** One name for all versions, because their hubs must agree on who leads. */
export const CHANNEL_NAME = "earshot";

/** Sent over the port, from page to worker. */
export type PageMessage = {
  [Name in CommandName]: { version: number; id: number; name: Name; input: Commands[Name]["input"] };
}[CommandName];

/** Sent over the port, from worker to page. */
export type WorkerMessage =
  | { version: number; kind: "answer"; id: number; output: unknown }
  | { version: number; kind: "event"; event: HubEvent };
