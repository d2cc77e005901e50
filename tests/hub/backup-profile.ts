import type { BackupCredentials, BackupFault, BackupPreview, HubEvent } from "../../src/contract";
import { backupCommands } from "../../src/hub/commands/backup-commands";
import type { CommandContext } from "../../src/hub/commands/context";
import { ok, type Result } from "../../src/protocol";
import type { Store } from "../../src/store";
import { writeBackup, type BackupOrder } from "../../src/ui/backup/write-backup";
import { must, NOW_MS } from "../store/samples";

/** The commands that import, on a store alone. @param heard is told each announcement */
export function importing(store: Store, heard: (event: HubEvent) => void = () => undefined) {
  const context = {
    environment: { store, now: () => NOW_MS },
    hubId: "hub",
    isLeading: () => true,
    announce: heard,
    catalogueChanged: () => Promise.resolve(),
  } as unknown as CommandContext;
  return backupCommands(context);
}

/** The text of a backup of a store. */
export async function backupOf(store: Store, order: Partial<BackupOrder> = {}): Promise<string> {
  const texts: string[] = [];
  const tables = await store.reader.catalogue();
  const written = await writeBackup(
    { tables, read: async (work) => ok(await work(store.reader)) },
    { write: (text) => Promise.resolve(void texts.push(text)) },
    { scope: "everything", nowMs: NOW_MS, ...order },
  );
  must(written);
  return texts.join("");
}

/** Reads a backup into a store. */
export function read(
  store: Store,
  text: string,
  importId = "one",
  by: "link" | "file" = "file",
): Promise<Result<BackupPreview, BackupFault>> {
  return importing(store).readBackup({ importId, file: new Blob([text]), by });
}

/** Reads a backup and takes it over. */
export async function bring(
  store: Store,
  text: string,
  settings = true,
  credentials: BackupCredentials[] = [],
  by: "link" | "file" = "file",
): Promise<BackupPreview> {
  const commands = importing(store);
  const preview = must(await commands.readBackup({ importId: "one", file: new Blob([text]), by }));
  const taken = must(
    await commands.takeBackup({
      ...{ importId: "one", credentials, topicRules: settings },
      settings: settings ? preview.settings.map(({ name }) => name) : [],
    }),
  );
  if (taken.added !== preview.messages.added) throw new Error("The preview counted other messages.");
  return preview;
}
