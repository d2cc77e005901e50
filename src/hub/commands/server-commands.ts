import { checkViews, type CommandError } from "../../contract";
import { checkCredentials, fail, ok, type Credentials, type Result } from "../../protocol";
import { DEFAULT_SETTINGS, type Settings } from "../../store";
import { Requests } from "../requests";
import { checkAccess } from "./check-access";
import { failed, storageError, type CommandContext, type Handler } from "./context";
import type { HostRules } from "./host-commands";

/** Commands for servers, their credentials, the settings and the saved views. */
export function serverCommands(
  { environment, catalogueChanged, requests: requestsTo }: CommandContext,
  host: HostRules,
): {
  setCredentials: Handler<"setCredentials">;
  patchServer: Handler<"patchServer">;
  setSetting: Handler<"setSetting">;
  setViews: Handler<"setViews">;
} {
  const { store } = environment;

  /**
   * Tries new credentials first, so that a mistyped password doesn't replace one that works: every topic would stop.
   */
  const tryCredentials = async (
    serverId: number,
    subIds: readonly number[] | undefined,
    credentials: Credentials,
  ): Promise<Result<null, CommandError>> => {
    const [servers, subscriptions] = await Promise.all([store.servers(), store.subscriptions()]);
    if (!servers.ok) return fail(storageError(servers.error));
    if (!subscriptions.ok) return fail(storageError(subscriptions.error));
    const server = servers.value.find((one) => one.serverId === serverId);
    const one = subscriptions.value.find(
      (subscription) => subscription.serverId === serverId && (subIds?.includes(subscription.subId) ?? true),
    );
    if (!server || !one) return fail({ kind: "not-found" });
    const requests = requestsTo(server.address, server, Requests);
    const access = await checkAccess(environment, requests, [one.topic], credentials);
    // A topic that stays forbidden says nothing about the others, and an unreachable server says nothing at all.
    if (access.ok || (access.error.kind !== "unauthorized" && access.error.kind !== "busy")) return ok(null);
    return fail(failed(access.error));
  };

  return {
    async setCredentials(input) {
      const checked = input.credentials && checkCredentials(input.credentials);
      if (checked && !checked.ok) return fail({ kind: "invalid", field: "credentials", reason: checked.error.problem });
      if (input.credentials) {
        const tried = await tryCredentials(input.serverId, input.subIds, input.credentials);
        if (!tried.ok) return tried;
      }
      const set = await store.setAccount(input);
      if (!set.ok) return fail(storageError(set.error));
      await catalogueChanged();
      return ok(null);
    },

    async patchServer({ serverId, name, transport }) {
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

function isSettingName(key: string): key is keyof Settings {
  return Object.hasOwn(DEFAULT_SETTINGS, key);
}

/** Whether a value has the type of the default. */
function isLike<Value>(example: Value, value: unknown): value is Value {
  return typeof value === typeof example && Array.isArray(value) === Array.isArray(example);
}
