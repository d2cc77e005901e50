import type { BackupFault } from "../../contract";
import { areExtraHeaders, checkCredentials, fail, ok, type Result } from "../../protocol";
import { changesEvent } from "../announce";
import { storageError, unwrap, type CommandContext, type FeatureCommands } from "./context";
import { readBackup } from "./read-backup";

/** Commands that import a backup: it is read and staged, then taken over whole or dropped (decision 0034). */
export function backupCommands(context: CommandContext) {
  const { store, now } = context.environment;
  const { importer } = store;
  /** Imports that the user ended. */
  const ended = new Set<string>();
  /** Work on an import, by its id. */
  const underWay = new Map<string, Promise<unknown>>();

  /** Does work on an import; if it fails, nothing of it stays. */
  const workOn = async <Value>(
    importId: string,
    work: (progress: (done: number, of: number) => void) => Promise<Result<Value, BackupFault>>,
  ): Promise<Result<Value, BackupFault>> => {
    const working = work((done, of) => context.announce({ kind: "importing", importId, done, of }));
    underWay.set(importId, working);
    try {
      const result = await working;
      // If there is no room even for that, retention forgets it later.
      if (!result.ok) await importer.drop(importId);
      return result;
    } finally {
      underWay.delete(importId);
      ended.delete(importId);
    }
  };

  return {
    readBackup: ({ importId, file, by }) =>
      workOn(importId, (progress) =>
        readBackup(file, { by, importer, importId, now, progress, isEnded: () => ended.has(importId) }),
      ),

    takeBackup: ({ importId, ...choice }) =>
      workOn(importId, async (progress) => {
        for (const { credentials: own, headers } of choice.credentials) {
          const checked = own && checkCredentials(own);
          if (checked?.ok === false)
            return fail({ kind: "invalid", field: "credentials", reason: checked.error.problem });
          if (headers && !areExtraHeaders(headers))
            return fail({ kind: "invalid", field: "server", reason: "headers" });
        }
        const taken = await importer.take(importId, choice, now(), (done, of) => {
          progress(done, of);
          return !ended.has(importId);
        });
        if (!taken.ok) return fail(storageError(taken.error));
        if (!taken.value) return fail({ kind: "ended-import" });
        const { added, ...changes } = taken.value;
        // Pages read what was added themselves, as much as they show.
        const event = changesEvent(changes);
        if (event?.kind === "rows") context.announce({ ...event, more: event.more + added });
        await context.catalogueChanged();
        return ok({ added });
      }),

    async dropBackup({ importId }) {
      const working = underWay.get(importId);
      if (working) {
        ended.add(importId);
        await working;
      } else unwrap(await importer.drop(importId));
      return ok(null);
    },
  } satisfies FeatureCommands;
}
