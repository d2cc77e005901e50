import type { Changed, Chosen, CommandError, MessageKey } from "../../contract";
import { fail, ok, type Result } from "../../protocol";
import { changeMany, keysOf, takeBack, type BatchChange, type UndoStep } from "./change-many";
import { announceChanges, storageError, type CommandContext, type CommandHandlers } from "./context";

/** Triage: marks, deletes, restores. The store does it, and every tab is told. */
export function triageCommands(
  context: CommandContext,
): CommandHandlers<"mark" | "delete" | "undo" | "count" | "prune" | "repair"> {
  const { store, now } = context.environment;
  const change = async (
    chosen: Chosen,
    part: (batch: MessageKey[]) => Promise<BatchChange>,
  ): Promise<Result<Changed, CommandError>> => {
    const keys = await keysOf(context, chosen);
    if (!keys.ok) return fail(storageError(keys.error));
    return changeMany(context, keys.value, part);
  };
  return {
    mark: ({ mark, ...chosen }) =>
      change(chosen, async (batch) => {
        const result = await store.mark(batch, mark, now());
        return result.ok ? ok({ ...result.value, back: result.value.inverse }) : result;
      }),

    delete: (chosen) =>
      change(chosen, async (batch) => {
        const result = await store.delete(batch, now());
        return result.ok ? ok({ ...result.value, back: [{ restore: result.value.removed }] }) : result;
      }),

    undo: ({ undo }) => takeBack(context, JSON.parse(undo) as UndoStep[]),

    async count(query) {
      const result = await store.count(query, now());
      return result.ok ? result : fail(storageError(result.error));
    },

    async repair() {
      const repaired = await store.repair();
      if (!repaired.ok) return fail(storageError(repaired.error));
      await context.catalogueChanged();
      context.announce({ kind: "missed" });
      return ok(null);
    },

    async prune() {
      let removed = 0;
      for (;;) {
        const pruned = await store.prune(now());
        if (!pruned.ok) return fail(storageError(pruned.error));
        removed += pruned.value.removed.length;
        announceChanges(context, pruned.value);
        if (!pruned.value.more) return ok({ removed });
      }
    },
  };
}
