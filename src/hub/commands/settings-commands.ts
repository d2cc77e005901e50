import { checkViews, KEEP_FILES_OFF } from "../../contract";
import { fail, ok } from "../../protocol";
import { DEFAULT_SETTINGS, type Settings } from "../../store";
import { storageError, type CommandContext, type CommandHandler } from "./context";
import type { HostRules } from "./host-commands";

/** Commands for the settings and the saved views. */
export function settingsCommands(
  { environment: { store }, catalogueChanged }: CommandContext,
  host: HostRules,
): {
  setSetting: CommandHandler<"setSetting">;
  setViews: CommandHandler<"setViews">;
} {
  return {
    async setSetting({ key, value }) {
      if (!isSettingName(key) || !isLike(EXAMPLES[key], value)) return fail({ kind: "not-found" });
      const locked = await host.locked(key);
      if (locked) return fail(locked);
      const set = await store.setSetting(key, value);
      if (!set.ok) return fail(storageError(set.error));
      await catalogueChanged();
      return ok(null);
    },

    async setViews({ views }) {
      const checked = checkViews(views);
      if (!checked.ok) return fail({ kind: "invalid", field: "view", reason: checked.error });
      const set = await store.setViews(views);
      if (!set.ok) return fail(storageError(set.error));
      await catalogueChanged();
      return ok(null);
    },
  };
}

/** A value of each setting that can be set. */
const EXAMPLES: Readonly<Settings> = { ...DEFAULT_SETTINGS, display: {}, keepFiles: KEEP_FILES_OFF };

function isSettingName(key: string): key is keyof Settings {
  return Object.hasOwn(EXAMPLES, key);
}

/** Whether a value has the type of the default. */
function isLike<Value>(example: Value, value: unknown): value is Value {
  return typeof value === typeof example && Array.isArray(value) === Array.isArray(example);
}
