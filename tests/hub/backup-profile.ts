import type { BackupCredentials, BackupFault, BackupPreview, HubEvent } from "../../src/contract";
import { backupCommands } from "../../src/hub/commands/backup-commands";
import type { CommandContext } from "../../src/hub/commands/context";
import { ok, type Result } from "../../src/protocol";
import type { Store } from "../../src/store";
import { allPages, backupPieces } from "../../src/ui/backup/write-backup";
import { must, NOW_MS } from "../store/samples";

/** The commands that import, on a store alone. @param heard is told each announcement */
export function importing(store: Store, heard: (event: HubEvent) => void = () => undefined) {
  const context = {
    environment: { store, now: () => NOW_MS },
    hubId: "hub",
    isLeading: () => true,
    announce: heard,
    written: () => undefined,
    catalogueChanged: () => Promise.resolve(),
  } as unknown as CommandContext;
  return backupCommands(context);
}

/** How the export reads a store. */
export const reads =
  (store: Store) =>
  async <Value>(work: (reader: Store["reader"]) => Promise<Value>) =>
    ok(await work(store.reader));

/** The text of a backup of a store. */
export async function backupOf(store: Store): Promise<string> {
  const texts: string[] = [];
  const tables = await store.reader.catalogue();
  const pieces = backupPieces(tables, { scope: "everything", nowMs: NOW_MS }, allPages(reads(store)));
  for await (const { text } of pieces) texts.push(text);
  return texts.join("");
}

/** A backup as a file that is to be imported, and is read piece by piece. */
export const asked = (text: string, importId = "one") => ({
  importId,
  file: new Blob(text.match(/[^]{1,50000}/g) ?? []),
});

/** Takes over nothing by hand. */
export const CHOICE = { settings: [], topicRules: false, credentials: [] };

/** Reads a backup, to see what it would change in a store. */
export function read(store: Store, text: string): Promise<Result<BackupPreview, BackupFault>> {
  return importing(store).readBackup(asked(text));
}

/** Reads a backup and takes it over. */
export async function bring(
  store: Store,
  text: string,
  settings = true,
  credentials: BackupCredentials[] = [],
): Promise<BackupPreview> {
  const commands = importing(store);
  const preview = must(await commands.readBackup(asked(text)));
  const taken = must(
    await commands.takeBackup({
      ...asked(text),
      ...{ credentials, topicRules: settings },
      settings: settings ? preview.settings.map(({ name }) => name) : [],
    }),
  );
  if (taken.added !== preview.messages.added) throw new Error("The preview counted other messages.");
  return preview;
}
