import type { StoredMessage } from "../contract";
import { fail, ok, type Result } from "../protocol";
import {
  arrange,
  addSubscriptions,
  removeSubscription,
  restoreSubscription,
  noteKeptFor,
  patchSubscription,
  unjoin,
} from "./edit/edit-subscriptions";
import { countMessages, previewTables } from "./backup/preview";
import { takeBackup } from "./backup/take";
import { endClaims, unreadAmong, settleClaim, takeClaims } from "./ingest/claims";
import { allOf, onDatabase, DamagedCounters, oneOf, patchOf, transact, type Database } from "./database";
import {
  addAccount,
  addServer,
  findServer,
  moveServer,
  setAccount,
  editPush,
  type AccountPatch,
  type ServerPatch,
} from "./edit/edit-servers";
import { forgetClear, takeClear } from "./edit/clears";
import {
  noteHere,
  noteSent,
  patchGroup,
  readGroup,
  registersOf,
  setGroup,
  setRegisters,
  shareStored,
  tellAgain,
  unsentRegisters,
} from "./edit/shared";
import { setToldMarks, takeRegisters } from "./edit/take-registers";
import { editOutgoing, keepSnapshot, setSetting, setViews } from "./edit/edit-tables";
import { fileCounters, forgetFiles, messagesWithFiles, noteFile, sweepFiles } from "./files/file-steps";
import { addGap, readWitnesses } from "./ingest/witnesses";
import { type Reader, readerOf } from "./indexeddb-reader";
import type { IngestBatch, IngestResult } from "./changes";
import { ingest } from "./ingest/ingest";
import type { Settings } from "./schema";
import { chosenKeys, countList, mark, notePressed, readOwn, storedKeys, wakeSnoozed } from "./edit/marks";
import { openDatabase, type OpenOptions } from "./open-database";
import { purgeRemoved } from "./tidy/purge-removed";
import { readGaps, readServerTables, readSettings, readSubscriptions } from "./read/read-catalogue";
import { repair } from "./tidy/repair";
import { prune } from "./tidy/retention";
import { reconcileScheduled, settleDue } from "./ingest/scheduled";
import { updateIndex } from "./search/update-index";
import { type IngestError, type StoreError, storeErrorOf } from "./store-error";
import { readUnsettled } from "./ingest/apply-sequences";

/** What the hub does with the database; each is one transaction, or a few that each leave all counters exact. */
const METHODS = {
  unsettled: readUnsettled,
  settleDue,
  reconcileScheduled,
  wakeSnoozed,
  mark,
  notePressed,
  readOwn,
  count: countList,
  chosenKeys,
  storedKeys,
  updateIndex,
  prune,
  repair: (database: Database) => repair(database, true),
  purgeRemoved,
  addServer,
  findServer,
  servers: allOf("servers"),
  serverTables: readServerTables,
  moveServer,
  patchServer: patchOf<"servers", ServerPatch>("servers"),
  addAccount,
  accounts: allOf("accounts"),
  patchAccount: patchOf<"accounts", AccountPatch>("accounts"),
  setAccount,
  addSubscriptions,
  subscriptions: (database: Database) => transact(database, ["subscriptions"], "read", readSubscriptions),
  patchSubscription,
  arrange,
  removeSubscription,
  restoreSubscription,
  unjoin,
  noteKeptFor,
  cursor: oneOf("cursors"),
  gaps: readGaps,
  witnesses: readWitnesses,
  addGap,
  settings: (database: Database) => transact(database, ["settings"], "read", readSettings),
  setViews,
  takeClaims,
  settleClaim,
  endClaims,
  unreadAmong,
  pushes: allOf("push"),
  editPush,
  keepSnapshot,
  outbox: allOf("outbox"),
  editOutgoing,
  clears: allOf("clears"),
  takeClear,
  forgetClear,
  message: oneOf("messages"),
  // What the user's devices share.
  group: readGroup,
  setGroup,
  patchGroup,
  takeRegisters,
  setToldMarks,
  setRegisters,
  shareStored,
  unsentRegisters,
  noteHere,
  noteSent,
  registersOf,
  tellAgain,
  // The steps of an import (decision 0034): the first two only look.
  countMessages,
  previewTables,
  takeBackup,
  // Files of messages that are kept on this device.
  fileCounters,
  fileRecords: allOf("attachments"),
  fileRecord: oneOf("attachments"),
  messagesWithFiles,
  noteFile,
  forgetFiles,
  sweepFiles,
};

/** The methods without their first parameter. What the database reports is a value. */
type Methods<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (database: Database, ...args: infer Args) => Promise<infer Value>
    ? (...args: Args) => Promise<Result<Value, StoreError>>
    : never;
};

/** How the hub changes and reads what is stored. */
export interface Store extends Methods<typeof METHODS> {
  setSetting<Name extends keyof Settings>(name: Name, value: Settings[Name]): Promise<Result<null, StoreError>>;
  /** Reads for a page that can't open the database itself. */
  readonly reader: Reader;
  /**
   * Called after everything was recounted before a write: counters that were read earlier may be wrong. After an
   * upgrade they are missing, and another page of the origin may have damaged them.
   */
  onRecount?: () => void;
  /** Stores what arrived, once, with its counters, alerts and cursors, in one transaction (docs/design.md §4). */
  ingest(batch: IngestBatch): Promise<Result<IngestResult, IngestError>>;
  close(): void;
}

/** Opens the database for reading and writing, after migrating it to this version. */
export async function openStore(options?: OpenOptions): Promise<Result<Store, StoreError>> {
  const opened = await openDatabase(options);
  if (!opened.ok) return opened;
  const database = opened.value;
  /** Resolves when all is counted again. What found the counters unusable meanwhile waits for it, too. */
  let recount: Promise<unknown> | undefined;
  /** Returns the database's errors as values; bugs are thrown on. What needs the counters waits until they are usable. */
  async function attempt<Value>(work: () => Promise<Value>): Promise<Result<Value, StoreError>> {
    try {
      return ok(
        await work().catch(async (thrown: unknown) => {
          if (!(thrown instanceof DamagedCounters)) throw thrown;
          await (recount ??= repair(database, false)
            .then((hasCounted) => hasCounted && store.onRecount?.())
            .finally(() => (recount = undefined)));
          return work();
        }),
      );
    } catch (thrown) {
      const error = storeErrorOf(thrown);
      if (!error) throw thrown;
      return fail(error);
    }
  }
  const store: Store = {
    ...(onDatabase(database, METHODS, attempt) as Methods<typeof METHODS>),
    setSetting: (name, value) => attempt(() => setSetting(database, name, value)),
    reader: readerOf(database),
    close: () => database.close(),
    ingest: async (batch) => {
      let unstored = undefined as StoredMessage[] | undefined;
      const result = await attempt(() => ingest(database, batch, (rows) => (unstored = rows)));
      return result.ok || !unstored ? result : fail({ ...result.error, unstored });
    },
  };
  return ok(store);
}
