import { checkCredentials, fail, ok } from "../../protocol";
import { DEFAULT_SETTINGS, type Settings } from "../../store";
import { storageError, type CommandContext, type Handler } from "./context";

/** Servers, their credentials, and the settings. */
export function serverCommands({ surroundings, catalogueChanged }: CommandContext): {
  setCredentials: Handler<"setCredentials">;
  patchServer: Handler<"patchServer">;
  setSetting: Handler<"setSetting">;
} {
  const { store } = surroundings;
  return {
    async setCredentials(input) {
      const checked = input.credentials && checkCredentials(input.credentials);
      if (checked && !checked.ok) return fail({ kind: "invalid", field: "credentials", reason: checked.error.problem });
      const set = await store.setAccount(input);
      if (!set.ok) return fail(storageError(set.error));
      await catalogueChanged();
      return ok(null);
    },

    async patchServer({ serverId, name, transport }) {
      if (transport === "ws") return fail({ kind: "invalid", field: "server", reason: "transport" });
      const patched = await store.patchServer(serverId, {
        ...(name !== undefined && { name }),
        ...(transport !== undefined && { chosenTransport: transport }),
      });
      if (!patched.ok) return fail(storageError(patched.error));
      if (!patched.value) return fail({ kind: "not-found" });
      await catalogueChanged();
      return ok(null);
    },

    async setSetting({ key, value }) {
      if (!isSettingName(key) || !isLike(DEFAULT_SETTINGS[key], value)) return fail({ kind: "not-found" });
      const set = await store.setSetting(key, value);
      if (!set.ok) return fail(storageError(set.error));
      await catalogueChanged();
      return ok(null);
    },
  };
}

function isSettingName(key: string): key is keyof Settings {
  return Object.hasOwn(DEFAULT_SETTINGS, key);
}

/** Whether a value has the type of the default. */
function isLike<Value>(example: Value, value: unknown): value is Value {
  return typeof value === typeof example && Array.isArray(value) === Array.isArray(example);
}
