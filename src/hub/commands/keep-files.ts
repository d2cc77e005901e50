import {
  decodeKeepFiles,
  keptFileName,
  type FileUse,
  KEPT_AT_FIELD,
  keyOf,
  type KeptFileState,
  type MessageKey,
  type Position,
  safeType,
  type StoredMessage,
  type WhyNotKept,
} from "../../contract";
import { ok } from "../../protocol";
import {
  hasFileCache,
  namesIn,
  openFileCache,
  type FileList,
  type Store,
  type KeptFileRecord,
  type ServerRecord,
} from "../../store";
import { eachAlone, sleep, oneAtATime } from "../abort";
import { every, isWithin } from "../environment";
import { fetchFile } from "../requests/fetch-file";
import { readServers } from "../read-servers";
import type { Requests } from "../requests/requests";
import { unwrap, type CommandContext, type FeatureCommands } from "./context";
import { isDue, judgeFile, Room, ROOM_AGAIN_AFTER_MS, type NotKept, type Plan, type WantedFile } from "./judge-file";

/** How often, ms, the hub checks whether messages came or went. */
const LOOK_EVERY_MS = 15_000;

/** How often, ms, settings are read again at the latest, and failed files retried if due. */
const READ_EVERY_MS = 60_000;

/** Files that are fetched at once: a browser opens six connections to a host, and messages need some of them. */
const AT_ONCE = 2;

/** How many files are fetched in a round; then the newest messages come first again. */
const MAX_IN_ROUND = 50;

/** A catch-up brings messages this much older than the newest known one, seconds. */
const OVERLAP_S = 86_400;

/** A server that takes no more requests is left alone for this long, ms. */
const BUSY_FOR_MS = 300_000;

/** How long, ms, to wait after too many errors of a server. */
const TURN_AGAIN_AFTER_MS = 60_000;

/** Lists of messages whose files are kept: all but the scheduled ones. */
const LISTS: readonly FileList[] = ["feed", "done", "snoozed"];

const MB = 1_000_000;

/** What one round knows, and what it finds out. */
interface Round {
  steps: Store["fileSteps"];
  cache: Cache;
  plan: Plan;
  /** What became of the files until now, by message. */
  states: Map<string, KeptFileState>;
  room: Room;
  nowMs: number;
  /** What is to be fetched, by message. */
  wanted: Map<string, WantedFile>;
  /** Time of the newest message that was looked at, server time. */
  newest: number;
  /** All that was looked at is kept, or has a record that says why not. */
  isWhole: boolean;
}

/**
 * Keeps files of messages on this device: in topics set so they are fetched in the background, before their server
 * deletes them. Only the leading hub does so, and only for what would load without a press (docs/decisions/0015).
 */
export class KeptFiles {
  readonly #lookOnce: () => Promise<void>;
  /** The counters when all messages were last looked through, as text. */
  #seen = "";
  #readAtMs = -Infinity;
  /** The settings at the last look, as text: when they change, all messages are looked through. */
  #set = "";
  /** Messages before this server time were looked through, and their files are done. */
  #from = 0;
  /** When the disk was last full, device clock, ms. */
  #fullAtMs = -Infinity;
  /** By server: when it last took no more requests, device clock, ms. */
  readonly #busyAtMs = new Map<number, number>();
  readonly #requests = new Map<string, Requests>();

  constructor(private readonly context: CommandContext) {
    this.#lookOnce = oneAtATime(() => this.#look(), context.environment.report);
  }

  start(): void {
    every(this.context.environment, LOOK_EVERY_MS, () => void this.look());
  }

  /**
   * Looks for files to fetch, and for those whose messages are gone; one look at a time. @param anew settings may have
   * changed
   */
  look(anew = false): Promise<void> {
    if (anew) this.#readAtMs = -Infinity;
    return this.#lookOnce();
  }

  async #look(): Promise<void> {
    const { environment, isLeading } = this.context;
    if (!isLeading() || environment.mode === "memory" || !hasFileCache()) {
      this.#seen = "";
      return;
    }
    const steps = environment.store.fileSteps;
    const counters = await steps.fileCounters();
    // What can't be read now is read in the next round.
    if (!counters.ok) return;
    const { nextArrival, total } = counters.value;
    const seen = `${nextArrival} ${total}`;
    if (seen === this.#seen && isWithin(environment, this.#readAtMs, READ_EVERY_MS)) return;
    this.#readAtMs = environment.now();
    const cache = await openFileCache();
    if (!cache) return;
    await this.#sweep(steps, cache).catch(environment.report);
    const plan = await this.#plan();
    if (!plan) return;
    const set = JSON.stringify([[...plan.limits], plan.allBytes, plan.allowed]);
    if (set !== this.#set) {
      this.#from = 0;
      this.#fullAtMs = -Infinity;
    }
    this.#set = set;
    this.#seen = seen;
    if (plan.limits.size === 0 || environment.savesData?.() === true) return;
    if (isWithin(environment, this.#fullAtMs, ROOM_AGAIN_AFTER_MS)) return;
    if (await this.#round(steps, cache, plan)) this.#seen = "";
  }

  /** Removes what belongs to messages that are gone. */
  async #sweep(steps: Store["fileSteps"], cache: Cache): Promise<void> {
    const [names, records] = await Promise.all([namesIn(cache), steps.fileRecords()]);
    if (names.length === 0 && records.ok && records.value.length === 0) return;
    const left = await steps.sweepFiles(names);
    if (left.ok) await eachAlone(left.value, async (name) => void (await cache.delete(name)));
  }

  async #plan(): Promise<Plan | undefined> {
    const { store } = this.context.environment;
    const [settings, stored] = await Promise.all([store.settings(), readServers(store)]);
    if (!settings.ok || !stored.ok) return undefined;
    const servers = stored.value;
    const { eachMb, allMb } = decodeKeepFiles(settings.value.keepFiles);
    const limits = servers
      .flatMap(({ subscriptions }) => subscriptions)
      .flatMap(({ subId, keepFilesMb }): [number, number][] => {
        const most = (keepFilesMb ?? eachMb) * MB;
        return most > 0 ? [[subId, most]] : [];
      });
    return {
      limits: new Map(limits),
      allBytes: allMb * MB,
      servers,
      allowed: settings.value.allowedRemote,
    };
  }

  /** Fetches what is due, as far as one round goes. Resolves to whether the next one should follow at once. */
  async #round(steps: Store["fileSteps"], cache: Cache, plan: Plan): Promise<boolean> {
    const nowMs = this.context.environment.now();
    const records = await steps.fileRecords();
    if (!records.ok) return false;
    const states = new Map(records.value.map((record) => [nameOf(record), record.state]));
    const room = new Room(plan.allBytes, states.values());
    const round: Round = {
      steps,
      cache,
      plan,
      states,
      room,
      nowMs,
      wanted: new Map(),
      newest: -Infinity,
      isWhole: true,
    };
    await this.#find(round, records.value);
    const isCut = isFull(round);
    await this.#fetchAll(round);
    // A message may be dated in the future; the others must not count as looked through because of it.
    if (round.isWhole && !isCut) this.#from = Math.max(this.#from, Math.min(round.newest, nowMs / 1_000) - OVERLAP_S);
    return round.isWhole && isCut;
  }

  /** Finds what to fetch, the newest first. */
  async #find(round: Round, records: readonly KeptFileRecord[]): Promise<void> {
    const { steps, plan, room, nowMs } = round;
    // Files to retry may belong to messages older than `#from`.
    for (const record of records) {
      const { subId, state } = record;
      const fits = { limit: plan.limits.get(subId) ?? 0, leftBytes: room.leftBytes(), nowMs };
      if (isFull(round)) return;
      if (!isDue(state, fits)) continue;
      const row = await this.context.environment.store.message(keyOf(record));
      if (row.ok && row.value) await this.#judge(round, [row.value]);
    }
    for (const list of LISTS) {
      for (let before: Position | undefined; !isFull(round);) {
        const page = await steps.messagesWithFiles({ subIds: [...plan.limits.keys()], list, before, nowMs });
        if (!page.ok) {
          round.isWhole = false;
          return;
        }
        const rows = page.value.rows.filter(({ time }) => time >= this.#from);
        await this.#judge(round, rows);
        // The list of snoozed messages is in the order of their return.
        const isOver = list !== "snoozed" && rows.length < page.value.rows.length;
        if (isOver || !page.value.next) break;
        before = page.value.next;
      }
    }
  }

  /** Notes which files of these messages are to be fetched, and why others are not kept. */
  async #judge(round: Round, rows: readonly StoredMessage[]): Promise<void> {
    const { states, plan, room, nowMs, wanted } = round;
    const isBusy = (serverId: number): boolean => this.#isBusy(serverId);
    const changed: MessageKey[] = [];
    for (const row of rows) {
      if (isFull(round)) break;
      round.newest = Math.max(round.newest, row.time);
      const verdict = judgeFile(row, states.get(nameOf(row)), plan, { nowMs, leftBytes: room.leftBytes(), isBusy });
      if (verdict.kind === "fetch") wanted.set(nameOf(row), verdict.file);
      else if (verdict.kind === "later") round.isWhole = false;
      else if (verdict.kind === "not" && (await this.#noteNot(round, row, verdict.not))) changed.push(keyOf(row));
    }
    if (changed.length > 0) this.context.announce({ kind: "files", keys: changed });
  }

  async #fetchAll(round: Round): Promise<void> {
    const { environment } = this.context;
    const changed: MessageKey[] = [];
    let isStopped = false;
    const next = round.wanted.values();
    const work = async (): Promise<void> => {
      for (const file of next) {
        // The lead may have passed on, or the user asked to save data, while files came.
        isStopped ||= !this.context.isLeading() || environment.savesData?.() === true;
        if (isStopped || this.#isBusy(file.server.serverId)) {
          round.isWhole = false;
          continue;
        }
        const why = await this.#keep(round, file).catch((problem: unknown): NotKept => {
          environment.report(problem);
          return { why: "failed" };
        });
        if (why?.why === "disk-full") {
          this.#fullAtMs = environment.now();
          isStopped = true;
        }
        if (!why || (await this.#noteNot(round, file.row, why))) changed.push(keyOf(file.row));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (changed.length > 0) this.context.announce({ kind: "files", keys: changed });
  }

  /** Notes why a file is not kept. Resolves to whether that could be noted. */
  async #noteNot(round: Round, row: StoredMessage, not: NotKept): Promise<boolean> {
    const { steps, plan, states } = round;
    const before = states.get(nameOf(row));
    const tries = before?.kind === "not-kept" ? before.tries + 1 : 1;
    const state = { kind: "not-kept", tries, atMs: this.context.environment.now(), ...not } as const;
    const noted = await steps.noteFile(keyOf(row), state, plan);
    states.set(nameOf(row), state);
    if (!noted.ok) round.isWhole = false;
    return noted.ok;
  }

  #isBusy(serverId: number): boolean {
    return isWithin(this.context.environment, this.#busyAtMs.get(serverId) ?? -Infinity, BUSY_FOR_MS);
  }

  /** Fetches a file into the cache and notes it. Resolves to why it is not kept; undefined = it is, or its message is gone. */
  async #keep({ cache, plan, room, steps }: Round, file: WantedFile): Promise<NotKept | undefined> {
    const { environment } = this.context;
    const { row, url, isOwn, server, account, limit, type } = file;
    const requests = isOwn ? await this.#turn(server) : undefined;
    const credentials = isOwn && account?.refusedAtMs === undefined ? account?.credentials : undefined;
    /** What has come of it; it doesn't count against itself. */
    let size = (): number => 0;
    const most = (): number => Math.min(limit, room.leftBytes(size));
    if (most() <= 0) return { why: "no-room" };
    const answer = await fetchFile(environment, {
      ...{ url, credentials, headers: isOwn ? server.headers : undefined, type, most },
      answered: (status) => requests?.count.answered(status),
    });
    const reason = (why: WhyNotKept): NotKept => {
      if (why !== "too-large") return { why };
      return most() < limit ? { why: "no-room", bytes: size() } : { why, bytes: limit };
    };
    if (answer.kind === "none") {
      if (answer.busy) this.#busyAtMs.set(server.serverId, environment.now());
      return reason(answer.why);
    }
    size = answer.size;
    const name = keptFileName(keyOf(row));
    const atMs = environment.now();
    const headers = { "Content-Type": safeType(answer.type), [KEPT_AT_FIELD]: String(atMs) };
    room.comes(size);
    let isKept = false;
    try {
      await cache.put(name, new Response(answer.body, { headers }));
      const noted = await steps.noteFile(
        keyOf(row),
        { kind: "kept", bytes: size(), atMs },
        { ...plan, type: answer.type },
      );
      isKept = noted.ok && noted.value === "noted";
      // The message went meanwhile, or no more can be stored: then no unknown file may stay.
      if (!isKept) await cache.delete(name);
      if (!noted.ok) return { why: "disk-full" };
      return noted.value === "no-room" ? { why: "no-room", bytes: size() } : undefined;
    } catch (thrown) {
      // What was written of it is not in the cache.
      const isFull = thrown instanceof Error && thrown.name === "QuotaExceededError";
      await answer.body.cancel().catch(() => undefined);
      return isFull ? { why: "disk-full" } : reason(answer.why());
    } finally {
      room.ended(size, isKept);
    }
  }

  /** Waits for the turn of a request: a server grants few (docs/protocol.md §11), and messages need them. */
  async #turn(server: ServerRecord): Promise<Requests> {
    const { address } = server;
    const requests = this.#requests.get(address) ?? this.context.requests(address, server);
    this.#requests.set(address, requests);
    await requests.pace(MAX_IN_ROUND);
    // Old files are gone, which servers count as errors.
    while (requests.count.room("asking") < 1) await sleep(this.context.environment, TURN_AGAIN_AFTER_MS);
    requests.count.add();
    return requests;
  }

  /** The commands of pages. */
  commands() {
    const { fileSteps } = this.context.environment.store;
    return {
      keptFile: async ({ key }) => ok(unwrap(await fileSteps.fileRecord(key))?.state ?? null),
      fileUse: async () => ok(useOf(unwrap(await fileSteps.fileRecords()))),
      dropFiles: async ({ subId }) => {
        const keys = unwrap(await fileSteps.forgetFiles(subId));
        const cache = await openFileCache();
        await eachAlone(keys, async (key) => void (await cache?.delete(keptFileName(key))));
        this.context.announce({ kind: "files", keys });
        return ok(null);
      },
    } satisfies FeatureCommands;
  }
}

/** A message's file as kept, with its server's type; undefined = it isn't kept. */
export async function keptFile(
  { environment }: CommandContext,
  key: MessageKey,
): Promise<{ response: Response; type: string | undefined } | undefined> {
  const response = await (await openFileCache())?.match(keptFileName(key));
  if (!response) return undefined;
  const record = await environment.store.fileSteps.fileRecord(key);
  return { response, type: record.ok ? record.value?.type : undefined };
}

function nameOf({ subId, id }: { subId: number; id: string }): string {
  return `${String(subId)}/${id}`;
}

function isFull({ wanted }: Round): boolean {
  return wanted.size >= MAX_IN_ROUND;
}

function useOf(records: readonly KeptFileRecord[]): FileUse[] {
  const uses = new Map<number, FileUse>();
  for (const { subId, state } of records) {
    const use = uses.get(subId) ?? { subId, files: 0, bytes: 0, notKept: {} };
    uses.set(subId, use);
    if (state.kind === "kept") {
      use.files += 1;
      use.bytes += state.bytes;
    } else use.notKept[state.why] = (use.notKept[state.why] ?? 0) + 1;
  }
  return [...uses.values()];
}
