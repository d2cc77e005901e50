import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import type { MessageEvent, PollRequestEvent } from "../protocol";
import { createApp } from "./app";
import { nowS, systemClock } from "./clock";
import { Core, type CoreEnvironment } from "./core";
import { type OpenStream, OpenStreams } from "./open-streams";
import { OptionsError, readOptions, type ResolvedOptions, type ServerOptions } from "./options";
import { publishLocally, type LocalMessage } from "./publish";
import { acceptUpgrades } from "./upgrades";

/** Arguments of a server besides its options; absent = the machine's own. */
export type ServerEnvironment = Partial<CoreEnvironment>;

/** A running topic server. */
export interface TopicServer {
  /** Address without final slash, such as `http://127.0.0.1:8080`. */
  url: string;
  port: number;
  settings: ResolvedOptions;
  /** The server's clock, Unix seconds. */
  nowS(): number;
  /** Publishes from inside, past all limits and rules. */
  publish(message: LocalMessage): Promise<MessageEvent | PollRequestEvent>;
  /** Whether the cache holds messages of a topic. */
  holds(topic: string): boolean;
  /** Streams that are open now, polls left out. */
  streams(): OpenStream[];
  /** Cuts every open stream, as a broken network would; the server goes on. */
  cutStreams(): void;
  /** Sends scheduled messages that are due, without waiting for the job. */
  deliverDue(): void;
  /** Removes what has expired, without waiting for the job. */
  cleanUp(): void;
  /** Resolves when every push has been answered. */
  pushed(): Promise<void>;
  /** Cuts every stream and connection at once, and writes the state file. */
  close(): Promise<void>;
}

/** The machine's own clock and network; internal errors go to standard error. */
const MACHINE: CoreEnvironment = {
  clock: systemClock,
  fetch: (...request) => fetch(...request),
  log: () => undefined,
  report: (error) => process.stderr.write(`${inspect(error)}\n`),
};

/**
 * Starts a topic server (docs/protocol.md §1 to 14 and 17) on its own port; port 0 takes a free one.
 * @throws OptionsError; or the system's error if the port is taken (`code` `EADDRINUSE`) or a file can't be used
 */
export async function startServer(
  options: ServerOptions = {},
  environment: ServerEnvironment = {},
): Promise<TopicServer> {
  const settings = readOptions(options);
  if (!settings.ok) throw new OptionsError(settings.error);
  const core = new Core(settings.value, { ...MACHINE, ...environment });
  await core.open();
  const streams = new OpenStreams(core);
  const app = await createApp(core, streams);
  acceptUpgrades(app.server);
  const { host, port, scheduleInterval, cleanupInterval } = settings.value;
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    await core.close();
    throw error;
  }
  const address = app.server.address() as AddressInfo;
  const jobs = [
    core.clock.every(scheduleInterval, () => core.deliverDue()),
    core.clock.every(cleanupInterval, () => core.cleanUp()),
  ];
  async function close(): Promise<void> {
    for (const stop of jobs) stop();
    streams.cut();
    await app.close();
    await core.close();
  }
  let closing: Promise<void> | undefined;
  return {
    url: `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`,
    port: address.port,
    settings: settings.value,
    nowS: () => nowS(core.clock),
    publish: (message) => publishLocally(core, address.port, message),
    holds: (topic) => core.cache.holds(topic),
    streams: () => streams.list(),
    cutStreams: () => streams.cut(),
    deliverDue: () => core.deliverDue(),
    cleanUp: () => core.cleanUp(),
    pushed: async () => core.push?.settled(),
    close: () => (closing ??= close()),
  };
}
