import { type BackupFault, type BackupPreview, rowsEvent } from "../../contract";
import { areExtraHeaders, checkCredentials, fail, ok, type Result } from "../../protocol";
import { storageError, type CommandContext, type FeatureCommands } from "./context";
import { BackupReading, Refused, type BackupReadingAids } from "./read-backup";

/**
 * Commands that import a backup: it is read to show what would change, then read again and imported (decision 0034).
 */
export function backupCommands(context: CommandContext) {
  const { store, now } = context.environment;
  const { importer } = store;
  /** Imports that are being read or stored. */
  const underWay = new Set<string>();

  const workOn = async <Value>(
    { importId, ...choice }: Pick<BackupReadingAids, "file" | "by"> & { importId: string },
    work: (aids: BackupReadingAids) => Promise<Result<Value, BackupFault>>,
  ): Promise<Result<Value, BackupFault>> => {
    underWay.add(importId);
    try {
      return await work({
        ...choice,
        nowMs: now(),
        isEnded: () => !underWay.has(importId),
        progress: (done, of) => context.announce({ kind: "importing", importId, done, of }),
      });
    } catch (thrown) {
      if (thrown instanceof Refused) return fail(thrown.fault);
      throw thrown;
    } finally {
      underWay.delete(importId);
    }
  };

  return {
    readBackup: (input) =>
      workOn(input, async (aids) => {
        const reading = new BackupReading(aids);
        const messages: BackupPreview["messages"] = { added: 0, known: 0, deleted: 0 };
        const outdated: BackupPreview["outdated"] = { here: 0, there: 0 };
        for await (const part of reading.parts()) {
          const counted = await importer.countMessages(reading.tables, part, aids.nowMs);
          if (!counted.ok) return fail(storageError(counted.error));
          for (const name of ["added", "known", "deleted"] as const) messages[name] += counted.value[name];
          for (const name of ["here", "there"] as const) outdated[name] += counted.value.outdated[name];
        }
        const tables = await importer.previewTables(reading.tables);
        return tables.ok
          ? ok({ ...tables.value, ...reading.told, messages, outdated })
          : fail(storageError(tables.error));
      }),

    takeBackup: ({ settings, topicRules, credentials, ...input }) =>
      workOn(input, async (aids) => {
        for (const { credentials: own, headers } of credentials) {
          const checked = own && checkCredentials(own);
          if (checked?.ok === false)
            return fail({ kind: "invalid", field: "credentials", reason: checked.error.problem });
          if (headers && !areExtraHeaders(headers))
            return fail({ kind: "invalid", field: "server", reason: "headers" });
        }
        const choice = { settings, topicRules, credentials };
        const taken = await importer.take(() => new BackupReading(aids), choice, aids.nowMs);
        if (!taken.ok) return fail(storageError(taken.error));
        const { added, ...changes } = taken.value;
        // Pages read what was added, as much as they show.
        const event = rowsEvent(changes);
        if (event?.kind === "rows") context.announce({ ...event, more: event.more + added });
        await context.catalogueChanged();
        return ok({ added });
      }),

    dropBackup({ importId }) {
      underWay.delete(importId);
      return Promise.resolve(ok(null));
    },
  } satisfies FeatureCommands;
}
