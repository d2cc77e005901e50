import { keyText, type Chosen, type CommandError, type MessageKey } from "../../contract";
import { fail, ok, type Result } from "../../protocol";
import { MAX_CHANGED, type Changes, type Marking, type StoreError } from "../../store";
import { announceChanges, storageError, type CommandContext } from "./context";

/** One step of an undo. */
export type UndoStep = Marking | { restore: MessageKey[] };

/** What a batch changed, and how to undo it. */
export type BatchChange = Result<Changes & { back: UndoStep[] }, StoreError>;

/** The keys of the chosen messages; one may be named twice. */
export async function keysOf(
  { environment }: CommandContext,
  chosen: Chosen,
): Promise<Result<MessageKey[], StoreError>> {
  if ("keys" in chosen) return ok(chosen.keys);
  if ("stored" in chosen) return environment.store.storedKeys(chosen.stored.subIds);
  const keys = await environment.store.chosenKeys(chosen.every, environment.now());
  if (!keys.ok) return keys;
  const except = new Set(chosen.except.map(keyText));
  return ok(keys.value.filter((key) => !except.has(keyText(key))));
}

/**
 * Changes any number of messages in batches of bounded size, and announces each batch at once. It changes all or none:
 * when the storage fails on the way, what was changed is undone.
 */
export async function changeMany(
  context: CommandContext,
  keys: readonly MessageKey[],
  change: (batch: MessageKey[]) => Promise<BatchChange>,
): Promise<Result<UndoStep[], CommandError>> {
  const back: UndoStep[] = [];
  for (const batch of partsOf(keys)) {
    const part = await change(batch);
    if (!part.ok) {
      // If that fails too, the counters and announcements are still correct, as each batch is one transaction.
      await takeBack(context, back);
      return fail(storageError(part.error));
    }
    announceChanges(context, part.value);
    back.push(...part.value.back);
  }
  return ok(back);
}

/** Splits keys into batches, each for one transaction. */
export function partsOf(keys: readonly MessageKey[]): MessageKey[][] {
  const parts: MessageKey[][] = [];
  for (let at = 0; at < keys.length; at += MAX_CHANGED) parts.push(keys.slice(at, at + MAX_CHANGED));
  return parts;
}

/** Undoes the steps, the last one first. */
export async function takeBack(
  context: CommandContext,
  steps: readonly UndoStep[],
): Promise<Result<null, CommandError>> {
  const { store, now } = context.environment;
  for (const step of steps.toReversed()) {
    const change = "restore" in step ? store.restore(step.restore) : store.mark(step.keys, step.mark, now());
    const result = await change;
    if (!result.ok) return fail(storageError(result.error));
    announceChanges(context, result.value);
  }
  return ok(null);
}

/** How many messages the steps would change back. */
export function sizeOf(steps: readonly UndoStep[]): number {
  return steps.reduce((sum, step) => sum + ("restore" in step ? step.restore : step.keys).length, 0);
}
