import { keyText, type Changed, type Chosen, type CommandError, type Mark, type MessageKey } from "../../contract";
import { fail, ok, partsOf, type Result } from "../../protocol";
import { type Marking, MAX_CHANGED } from "../../store";
import { storageError, unwrap, type CommandContext, type FeatureCommands } from "./context";

/** Triage. The store does the work, and every tab is told. */
export function triageCommands(context: CommandContext) {
  const { store, now } = context.environment;
  return {
    mark: async ({ mark, ...chosen }) => markMany(context, await keysOf(context, chosen), mark),

    undo: ({ undo }) => takeBack(context, JSON.parse(undo) as Marking[]),

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

/** The keys of the chosen messages; the choice may name one twice. */
export async function keysOf({ environment: { store, now } }: CommandContext, chosen: Chosen): Promise<MessageKey[]> {
  if ("keys" in chosen) return chosen.keys;
  if ("stored" in chosen) return unwrap(await store.storedKeys(chosen.stored.subIds));
  const keys = unwrap(await store.chosenKeys(chosen.every, now()));
  const except = new Set(chosen.except.map(keyText));
  return keys.filter((key) => !except.has(keyText(key)));
}

/** Marks messages in batches, each announced at once. If storage fails, all is undone; what can't be is named. */
export async function markMany(
  context: CommandContext,
  keys: readonly MessageKey[],
  mark: Mark,
): Promise<Result<Changed, CommandError>> {
  const { store, now } = context.environment;
  const back: Marking[] = [];
  for (const batch of partsOf(keys, MAX_CHANGED)) {
    const part = await store.mark(batch, mark, now());
    if (!part.ok) {
      const fault = storageError(part.error);
      await takeBack(context, back);
      return back.length === 0 ? fail(fault) : ok({ ...changedBy(back), fault });
    }
    context.written(part.value);
    back.push(...part.value.inverse);
  }
  return ok(changedBy(back));
}

function changedBy(back: readonly Marking[]): Changed {
  return { count: back.reduce((sum, { keys }) => sum + keys.length, 0), undo: JSON.stringify(back) };
}

/** Undoes the steps in reverse order, and takes them off the list. */
async function takeBack(context: CommandContext, steps: Marking[]): Promise<Result<null, CommandError>> {
  const { store, now } = context.environment;
  for (let step = steps.at(-1); step; step = steps.at(-1)) {
    const result = await store.mark(step.keys, step.mark, now());
    if (!result.ok) return fail(storageError(result.error));
    context.written(result.value);
    steps.pop();
  }
  return ok(null);
}
