// User commands and alerts; loaded after the connections, which don't need them. What a first visit doesn't need of them
// comes later still, in `rest.ts`.
import { CONTRACT_VERSION } from "../../contract";
import { Alerts } from "../alerts";
import { ForeignWrites } from "../foreign-writes";
import type { HubMessage } from "../hub-message";
import type { Tabs } from "../tabs";
import type { CommandContext } from "./context";
import { hostRules } from "./host-commands";
import { refreshed } from "./refreshed";
import type { Rest } from "./rest";
import { followedBy } from "./followed-by";
import { topicCommands, type FirstCommands } from "./topic-commands";
import { userCommands, type UserCommands } from "./user-commands";

/** The parts of a hub that it loads once its first messages were received. */
export interface Later {
  commands: UserCommands;
  alerts: Alerts;
  writes: ForeignWrites;
  refreshed: typeof refreshed;
}

/** Until there is a server, it is looked for this often, ms: another hub may have added it. */
const LOOK_EVERY_MS = 15_000;

/**
 * Makes these parts, and starts what runs by itself once there is a server.
 * @param missed another hub may have written something without announcing it
 */
export function later(context: CommandContext, tabs: Tabs, missed: () => void): Later {
  const { environment } = context;
  const { channel, store } = environment;
  const alerts = new Alerts(
    environment,
    () => tabs.takers(),
    (passed) => channel.post({ version: CONTRACT_VERSION, kind: "alert", passed } satisfies HubMessage),
  );
  const host = hostRules(context);
  let loading: Promise<Rest> | undefined;
  const load = (): Promise<Rest> => {
    loading ??= import("./rest").then(
      ({ rest }) => rest(context, host, alerts),
      (problem: unknown) => {
        loading = undefined;
        throw problem;
      },
    );
    return loading;
  };
  // It isn't loaded only on demand, as the host of the app may be gone by then, or have another version.
  const lookForServers = async (): Promise<void> => {
    const servers = await store.servers();
    const isLoaded =
      servers.ok &&
      servers.value.length > 0 &&
      (await load().then(
        () => true,
        () => false,
      ));
    if (!isLoaded) environment.setTimer(() => void lookForServers(), LOOK_EVERY_MS);
  };
  void lookForServers();
  return {
    alerts,
    refreshed,
    commands: userCommands(context, firstCommands(context, host, load), load),
    writes: new ForeignWrites(environment, missed),
  };
}

function firstCommands(
  context: CommandContext,
  host: ReturnType<typeof hostRules>,
  load: () => Promise<Rest>,
): FirstCommands {
  const topics = topicCommands(context, host);
  const follow = (work: (rest: Rest) => void): void => void load().then(work).catch(context.environment.report);
  const compareAccounts = (): void => follow(({ accounts }) => void accounts.look());
  return {
    readHost: host.readHost,
    ...topics,
    subscribe: (input) => followedBy(topics.subscribe(input), compareAccounts),
    unsubscribe: (input) => followedBy(topics.unsubscribe(input), compareAccounts),
    restoreSubscription: (input) => followedBy(topics.restoreSubscription(input), compareAccounts),
    patchSubscription: (input) =>
      followedBy(topics.patchSubscription(input), () => {
        if (input.patch.keepFilesMb !== undefined) follow(({ files }) => void files.look(true));
      }),
  };
}
