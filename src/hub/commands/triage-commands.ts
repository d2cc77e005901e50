import { keyText, type Changed, type Chosen, type CommandError, type MessageKey, type Changes } from "../../contract";
import { fail, ok, type Result } from "../../protocol";
import { type Marking, partsOf, type StoreError } from "../../store";
import { storageError, unwrap, type CommandContext, type FeatureCommands } from "./context";

/** Triage: marks, deletes, restores. The store does the work, and every tab is told. */
export function triageCommands(context: CommandContext) {
  const { store, now } = context.environment;
  return {
    mark: async ({ mark, ...chosen }) =>
      changeMany(context, await keysOf(context, chosen), async (batch) => {
        const result = await store.mark(batch, mark, now());
        return result.ok ? ok({ ...result.value, back: result.value.inverse }) : result;
      }),

    delete: async (chosen) => hideMessages(context, await keysOf(context, chosen)),

    undo: ({ undo }) => takeBack(context, JSON.parse(undo) as UndoStep[]),

    count: async (query) => ok(unwrap(await store.count(query, now()))),

    async repair() {
      unwrap(await store.repair());
      await context.catalogueChanged();
      context.announce({ kind: "missed" });
      return ok(null);
    },

    async prune() {
      let removed = 0;
      for (;;) {
        const pruned = unwrap(await store.prune(now()));
        removed += pruned.removed.length;
        context.written(pruned);
        if (!pruned.more) return ok({ removed });
      }
    },
  } satisfies FeatureCommands;
}

/** Hides messages; see the command `delete`. */
export function hideMessages(context: CommandContext, keys: MessageKey[]): Promise<Result<Changed, CommandError>> {
  const { store, now } = context.environment;
  return changeMany(context, keys, async (batch) => {
    const result = await store.delete(batch, now());
    return result.ok ? ok({ ...result.value, back: [{ restore: result.value.removed }] }) : result;
  });
}

type UndoStep = Marking | { restore: MessageKey[] };

/** What a batch changed, and how to undo it. */
type BatchChange = Result<Changes & { back: UndoStep[] }, StoreError>;

/** The keys of the chosen messages; the choice may name one twice. */
export async function keysOf({ environment: { store, now } }: CommandContext, chosen: Chosen): Promise<MessageKey[]> {
  if ("keys" in chosen) return chosen.keys;
  if ("stored" in chosen) return unwrap(await store.storedKeys(chosen.stored.subIds));
  const keys = unwrap(await store.chosenKeys(chosen.every, now()));
  const except = new Set(chosen.except.map(keyText));
  return keys.filter((key) => !except.has(keyText(key)));
}

/** Changes messages in batches, each announced at once. If storage fails, all is undone; what can't be is named. */
async function changeMany(
  context: CommandContext,
  keys: readonly MessageKey[],
  change: (batch: MessageKey[]) => Promise<BatchChange>,
): Promise<Result<Changed, CommandError>> {
  const back: UndoStep[] = [];
  for (const batch of partsOf(keys)) {
    const part = await change(batch);
    if (!part.ok) {
      const fault = storageError(part.error);
      await takeBack(context, back);
      return back.length === 0 ? fail(fault) : ok({ ...changedBy(back), fault });
    }
    context.written(part.value);
    back.push(...part.value.back);
  }
  return ok(changedBy(back));
}

function changedBy(steps: readonly UndoStep[]): Changed {
  const count = steps.reduce((sum, step) => sum + ("restore" in step ? step.restore : step.keys).length, 0);
  return { count, undo: JSON.stringify(steps) };
}

/** Undoes the steps in reverse order, and takes them off the list. */
async function takeBack(context: CommandContext, steps: UndoStep[]): Promise<Result<null, CommandError>> {
  const { store, now } = context.environment;
  for (let step = steps.at(-1); step; step = steps.at(-1)) {
    const change = "restore" in step ? store.restore(step.restore, now()) : store.mark(step.keys, step.mark, now());
    const result = await change;
    if (!result.ok) return fail(storageError(result.error));
    context.written(result.value);
    steps.pop();
  }
  return ok(null);
}
