import type { MessageKey, StoredMessage } from "../contract";
import { fail, ok, type Result } from "../protocol";
import {
  arrange,
  addSubscriptions,
  removeSubscription,
  restoreSubscription,
  getCursor,
  listSubscriptions,
  noteKeptFor,
  patchSubscription,
  unjoin,
} from "./edit/edit-subscriptions";
import { countMessages, previewTables } from "./backup/preview";
import { takeBackup } from "./backup/take";
import { endClaims, readUnread, settleClaim, takeClaims } from "./ingest/claims";
import { allOf, transact, type Database, DamagedCounters } from "./database";
import {
  addAccount,
  addServer,
  findServer,
  moveServer,
  patchAccount,
  setAccount,
  patchServer,
  editPush,
} from "./edit/edit-servers";
import { editOutgoing, keepSnapshot, releaseLease, setSetting, setViews, takeLease } from "./edit/edit-tables";
import { FILE_STEPS } from "./files/file-steps";
import { addGap, readWitnesses } from "./ingest/witnesses";
import { type Reader, readerOf } from "./indexeddb-reader";
import type { IngestBatch, IngestResult } from "./changes";
import { ingest } from "./ingest/ingest";
import type { Settings } from "./schema";
import {
  chosenKeys,
  countList,
  deleteMessages,
  mark,
  notePressed,
  restoreMessages,
  storedKeys,
  wakeSnoozed,
} from "./edit/marks";
import { openDatabase, type OpenOptions } from "./open-database";
import { purgeRemoved } from "./tidy/purge-removed";
import { readGaps, readSettings } from "./read/read-catalogue";
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
  delete: deleteMessages,
  restore: restoreMessages,
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
  moveServer,
  patchServer,
  addAccount,
  accounts: allOf("accounts"),
  patchAccount,
  setAccount,
  addSubscriptions,
  subscriptions: listSubscriptions,
  patchSubscription,
  arrange,
  removeSubscription,
  restoreSubscription,
  unjoin,
  noteKeptFor,
  getCursor,
  gaps: readGaps,
  witnesses: readWitnesses,
  addGap,
  settings: (database: Database) => transact(database, ["settings"], { mode: "readonly" }, readSettings),
  setSetting,
  setViews,
  takeClaims,
  settleClaim,
  endClaims,
  unread: readUnread,
  pushes: allOf("push"),
  editPush,
  keepSnapshot,
  outbox: allOf("outbox"),
  editOutgoing,
  lease: takeLease,
  releaseLease,
  message: (database: Database, key: MessageKey) =>
    transact(database, ["messages"], { mode: "readonly" }, (transaction) => transaction.store("messages").get(key)),
};

/** The steps of an import (decision 0034): the first two only look. */
const IMPORT_STEPS = { countMessages, previewTables, take: takeBackup };

/** How the hub changes and reads what is stored. */
export interface Store extends Omit<Steps<typeof METHODS>, "setSetting"> {
  setSetting<Name extends keyof Settings>(name: Name, value: Settings[Name]): Promise<Result<null, StoreError>>;
  readonly importer: Steps<typeof IMPORT_STEPS>;
  readonly fileSteps: Steps<typeof FILE_STEPS>;
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
  const attempt: Attempt = (work) => attemptOn(database, work, () => store.onRecount?.());
  const stepsOf = <Functions extends object>(functions: Functions) => stepsOn(database, functions, attempt);
  const store: Store = {
    ...(stepsOf(METHODS) as Omit<Steps<typeof METHODS>, "setSetting"> & Pick<Store, "setSetting">),
    importer: stepsOf(IMPORT_STEPS),
    fileSteps: stepsOf(FILE_STEPS),
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

/** Does work on the database; what the database reports is returned as a value. */
type Attempt = <Value>(work: () => Promise<Value>) => Promise<Result<Value, StoreError>>;

type Step<Function> = Function extends (database: Database, ...args: infer Args) => Promise<infer Value>
  ? (...args: Args) => Promise<Result<Value, StoreError>>
  : never;

/** Functions that take the database first, without that parameter. */
type Steps<Functions> = { [Name in keyof Functions]: Step<Functions[Name]> };

/** Makes steps on a database. What the database reports is a value, as for all methods of the store. */
function stepsOn<Functions extends object>(
  database: Database,
  functions: Functions,
  attempt: Attempt,
): Steps<Functions> {
  const steps = Object.entries(functions).map(([name, work]: [string, (...args: unknown[]) => Promise<unknown>]) => [
    name,
    (...args: unknown[]) => attempt(() => work(database, ...args)),
  ]);
  return Object.fromEntries(steps) as Steps<Functions>;
}

/** Returns the database's errors as values; bugs are thrown on. Work that needs the counters waits until they can be used. */
async function attemptOn<Value>(
  database: Database,
  work: () => Promise<Value>,
  onRecount: () => void,
): Promise<Result<Value, StoreError>> {
  try {
    return ok(
      await work().catch(async (thrown: unknown) => {
        if (!(thrown instanceof DamagedCounters)) throw thrown;
        if (await repair(database, false)) onRecount();
        return work();
      }),
    );
  } catch (thrown) {
    const error = storeErrorOf(thrown);
    if (!error) throw thrown;
    return fail(error);
  }
}
