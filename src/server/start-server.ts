import type { AddressInfo } from "node:net";
import type { MessageEvent, PollRequestEvent } from "../protocol";
import { Accounts } from "./accounts";
import { createApp } from "./app";
import { Attachments } from "./attachments";
import { type HostClock, nowS, systemClock } from "./clock";
import { Core } from "./core";
import { MessageCache } from "./message-cache";
import { type OpenStream, OpenStreams } from "./open-streams";
import {
  type PushSettings,
  type ServerOptions,
  type ResolvedOptions,
  type PushKeys,
  makePushKeys,
  OptionsError,
  readOptions,
} from "./options";
import { publishLocally, type LocalMessage } from "./publish";
import { PushRegister } from "./push-register";
import type { RequestEntry } from "./call";
import { StateFile, type Keep } from "./state-file";
import { Statistics } from "./statistics";
import { Turns } from "./keyed-queue";
import { acceptUpgrades } from "./upgrades";
import { WebPush } from "./web-push";

/** Arguments of a server besides its options. */
export interface ServerEnvironment {
  clock?: HostClock;
  /** Sends pushes; by default the machine's own. */
  fetch?: typeof globalThis.fetch;
  /** Called for every answered request. */
  log?: (entry: RequestEntry) => void;
  /** Called with internal errors; by default they go to standard error. */
  report?: (error: unknown) => void;
}

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

function toStandardError(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}

interface OpenedCore {
  core: Core;
  stateFile: StateFile | undefined;
}

async function openCore(
  settings: ResolvedOptions,
  { clock, fetch, report }: Required<Omit<ServerEnvironment, "log">>,
): Promise<OpenedCore> {
  const keep: Keep = async (line) => stateFile?.keep(line);
  const cache = new MessageCache();
  const accounts = settings.access && new Accounts(settings.access, clock, keep);
  const statistics = new Statistics(settings.cleanupInterval);
  const register = new PushRegister(keep);
  const kept = { cache, accounts, push: register, statistics };
  const stateFile = settings.stateFile === undefined ? undefined : new StateFile(settings.stateFile, kept, report);
  await stateFile?.open();
  cache.removeExpired(nowS(clock));
  cache.keepWithin(settings.limits.cacheBytes);
  const attachments = settings.attachments && new Attachments(settings.attachments, report);
  await attachments?.restore(cache.all());
  const turns = new Turns();
  const { webPush } = settings;
  const keysOf = async ({ publicKey, privateKey }: PushSettings): Promise<PushKeys> => {
    if (publicKey !== undefined && privateKey !== undefined) return { publicKey, privateKey };
    if (register.keys) return register.keys;
    const pushKeys = (register.keys = makePushKeys());
    await keep({ pushKeys }).catch(report);
    return pushKeys;
  };
  const push =
    webPush && new WebPush({ ...settings, webPush }, await keysOf(webPush), register, { clock, turns, fetch, report });
  const keepers = { cache, accounts, attachments, push, keep };
  return { core: new Core(settings, clock, statistics, turns, report, keepers), stateFile };
}

/**
 * Starts a topic server (docs/protocol.md §1 to 14 and 17) on its own port; port 0 takes a free one.
 * @throws OptionsError; or the system's error if the port is taken (`code` `EADDRINUSE`) or a file can't be used
 */
export async function startServer(
  options: ServerOptions = {},
  environment: ServerEnvironment = {},
): Promise<TopicServer> {
  const {
    clock = systemClock,
    fetch = globalThis.fetch,
    log = () => undefined,
    report = toStandardError,
  } = environment;
  const settings = readOptions(options);
  if (!settings.ok) throw new OptionsError(settings.error);
  const { core, stateFile } = await openCore(settings.value, { clock, fetch, report });
  const streams = new OpenStreams(core);
  const app = await createApp(core, streams, log);
  acceptUpgrades(app.server, core, streams, log);
  const { host, port, scheduleInterval, cleanupInterval } = settings.value;
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    await stateFile?.close();
    await core.attachments?.close();
    throw error;
  }
  const address = app.server.address() as AddressInfo;
  const jobs = [
    clock.every(scheduleInterval, () => core.deliverDue()),
    clock.every(cleanupInterval, () => core.cleanUp()),
  ];
  async function close(): Promise<void> {
    for (const stop of jobs) stop();
    streams.cut();
    await app.close();
    await core.push?.close();
    await stateFile?.close();
    await core.attachments?.close();
  }
  let closing: Promise<void> | undefined;
  return {
    url: `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`,
    port: address.port,
    settings: settings.value,
    nowS: () => nowS(clock),
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
