import { checkViews, KEEP_FILES_OFF } from "../../contract";
import { fail, ok } from "../../protocol";
import { DEFAULT_SETTINGS, isIntactSetting, type Settings } from "../../store";
import { type CommandContext, type FeatureCommands, unwrap } from "./context";
import type { HostRules } from "./host-commands";

export function settingsCommands({ environment: { store }, catalogueChanged }: CommandContext, host: HostRules) {
  return {
    async setSetting({ key, value }) {
      if (!isSettingName(key)) return fail({ kind: "not-found" });
      if (!isValue(key, value)) return fail({ kind: "invalid", field: "setting", reason: `not a value of ${key}` });
      const locked = await host.locked(key);
      if (locked) return fail(locked);
      unwrap(await store.setSetting(key, value));
      await catalogueChanged();
      return ok(null);
    },

    async setViews({ views }) {
      const checked = checkViews(views);
      if (!checked.ok) return fail({ kind: "invalid", field: "view", reason: checked.error });
      unwrap(await store.setViews(views));
      await catalogueChanged();
      return ok(null);
    },

    keepSnapshot: async ({ snapshot, shown }) => ok(unwrap(await store.keepSnapshot(snapshot, shown))),
  } satisfies FeatureCommands;
}

/** The settings that can be set. */
const SETTABLE: Readonly<Settings> = { ...DEFAULT_SETTINGS, display: {}, keepFiles: KEEP_FILES_OFF };

function isSettingName(key: string): key is keyof Settings {
  return Object.hasOwn(SETTABLE, key);
}

function isValue<Name extends keyof Settings>(name: Name, value: unknown): value is Settings[Name] {
  return value !== undefined && isIntactSetting(name, value);
}
