import type { BackupFault, Commands } from "../../contract";
import { areExtraHeaders, checkCredentials, fail, ok, type Result } from "../../protocol";
import type { ImportResult, Store } from "../../store";
import { changesEvent } from "../announce";
import { announceChanges, storageError, unwrap, type CommandContext, type FeatureCommands } from "./context";
import { readBackup } from "./read-backup";

/**
 * Commands that import a backup: it is read and staged, then taken over whole (decision 0034). A failed or cancelled
 * import is undone, by the next hub if not by this one.
 */
export function backupCommands(context: CommandContext) {
  const { store, now } = context.environment;
  /** Imports that the user ended. */
  const ended = new Set<string>();
  /** Work on an import, by its id. */
  const underWay = new Map<string, Promise<unknown>>();

  const undo = async (importer: Store["importer"], importId: string): Promise<void> => {
    for (let more = true; more;) {
      const round = await importer.undo(now(), importId);
      // If there is no room even for that, the journal stays, and the store undoes the import once there is.
      if (!round.ok || !round.value) return;
      announceChanges(context, round.value);
      more = round.value.more;
    }
    // Messages their server sent while the import's copy was there are asked for again.
    await context.catalogueChanged();
  };

  /** Does work on an import; if it fails, all of it is undone. */
  const workOn = async <Value>(
    importId: string,
    work: (
      importer: Store["importer"],
      progress: (done: number, of: number) => void,
    ) => Promise<Result<Value, BackupFault>>,
  ): Promise<Result<Value, BackupFault>> => {
    const { importer } = store;
    const progress = (done: number, of: number): void => context.announce({ kind: "importing", importId, done, of });
    const working = (async () => {
      const result = await work(importer, progress);
      if (!result.ok) await undo(importer, importId);
      return result;
    })();
    underWay.set(importId, working);
    try {
      return await working;
    } finally {
      underWay.delete(importId);
      ended.delete(importId);
    }
  };

  return {
    readBackup: ({ importId, file, by }) =>
      workOn(importId, (importer, progress) =>
        readBackup(file, { by, importer, importId, now, progress, isEnded: () => ended.has(importId) }),
      ),

    takeBackup: ({ importId, credentials, ...choice }) =>
      workOn(importId, async (importer, progress) => {
        for (const { credentials: own, headers } of credentials) {
          const checked = own && checkCredentials(own);
          if (checked?.ok === false)
            return fail({ kind: "invalid", field: "credentials", reason: checked.error.problem });
          if (headers && !areExtraHeaders(headers))
            return fail({ kind: "invalid", field: "server", reason: "headers" });
        }
        const taken = await takeOver(
          importer,
          { importId, credentials, ...choice },
          {
            now,
            progress,
            isEnded: () => ended.has(importId),
          },
        );
        if (!taken.ok) return taken;
        const { added, ...changes } = taken.value;
        // Pages read what was added themselves, as much as they show.
        const event = changesEvent(changes);
        if (event?.kind === "rows") context.announce({ ...event, more: event.more + added });
        await context.catalogueChanged();
        return ok({ added });
      }),

    undoneImport: async () => ok(unwrap(await store.importer.takeUndone())),

    async dropBackup({ importId }) {
      const working = underWay.get(importId);
      if (working) {
        ended.add(importId);
        await working;
        return ok(null);
      }
      await undo(store.importer, importId);
      return ok(null);
    },
  } satisfies FeatureCommands;
}

/** Takes over what is staged, part by part. */
async function takeOver(
  importer: Store["importer"],
  { importId, credentials, ...choice }: Commands["takeBackup"]["input"],
  { now, progress, isEnded }: { now(): number; progress(done: number, of: number): void; isEnded(): boolean },
): Promise<Result<ImportResult, BackupFault>> {
  const started = await importer.start(importId, credentials, now());
  if (!started.ok) return fail(storageError(started.error));
  if (!started.value) return fail({ kind: "ended-import" });
  for (let left = started.value.parts; left > 0; left--) {
    if (isEnded()) return fail({ kind: "ended-import" });
    const part = await importer.takePart(importId, now());
    if (!part.ok) return fail(storageError(part.error));
    if (!part.value) return fail({ kind: "ended-import" });
    progress(part.value.done, part.value.of);
  }
  const finished = await importer.finish(importId, choice, now());
  if (!finished.ok) return fail(storageError(finished.error));
  if (finished.value === undefined) return fail({ kind: "ended-import" });
  return finished.value === "changed" ? fail({ kind: "changed-meanwhile" }) : ok(finished.value);
}
