import {
  decodeKeepFiles,
  keptFileName,
  type FileUse,
  keyOf,
  type KeptFileState,
  type Position,
  type StoredMessage,
  oneAtATime,
  isFileOf,
  namesFile,
  webLink,
} from "../../contract";
import { ok } from "../../protocol";
import {
  hasFileCache,
  openFileCache,
  type FileList,
  type KeptFileRecord,
  type AccountRecord,
  type ServerRecord,
} from "../../store";
import { forEachInTurn, sleep, every, isRecent } from "../environment";
import { readServers, serverOfTopic, type StoredServer } from "../read-servers";
import { fetchFile, type FileAnswer } from "../requests/fetch-file";
import { PACED_EVERY_MS } from "../requests/request-count";
import { unwrap, type CommandContext, type FeatureCommands } from "./context";

/** How often, ms, the hub checks whether messages came or went. */
const LOOK_EVERY_MS = 15_000;

/** How often, ms, settings are read again at the latest, and failed files retried if due. */
const READ_EVERY_MS = 60_000;

/** How many files are fetched in a round; the next round starts with the newest messages again. */
const MAX_IN_ROUND = 50;

/** This many are fetched without a pause: servers grant few requests (docs/protocol.md §11), and messages need them. */
const AT_ONCE = 20;

/** A catch-up brings messages up to this much older than the newest known one, seconds. */
const OVERLAP_S = 86_400;

/** Lists of messages whose files are kept: all but the scheduled ones. */
const LISTS: readonly FileList[] = ["feed", "done", "snoozed"];

const MB = 1_000_000;

/**
 * Keeps files of messages on this device. In topics set to do so they are fetched in the background, one by one, before
 * their server deletes them. Only the leading hub does this, and only for what would load without a press
 * (docs/decisions/0015).
 */
export class KeptFiles {
  readonly #lookOnce: () => Promise<void>;
  /** The counters when all messages were last examined, as text. */
  #seen = "";
  #readAtMs = -Infinity;
  /** Settings, topics and servers away at the last look, as text: when they change, all messages are examined again. */
  #set = "";
  /** Messages before this server time were examined, and their files are done. */
  #from = 0;
  /** When the disk was full or a server took no more requests, device clock, ms: fetching then pauses for a while. */
  #stoppedAtMs = -Infinity;

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

  get #store() {
    return this.context.environment.store;
  }

  async #look(): Promise<void> {
    const { environment, isLeading } = this.context;
    if (!isLeading() || environment.mode === "memory" || !hasFileCache()) {
      this.#seen = "";
      return;
    }
    const counters = await this.#store.fileCounters();
    // What can't be read now is read in the next round.
    if (!counters.ok) return;
    const { nextArrival, total } = counters.value;
    const seen = `${nextArrival} ${total}`;
    if (seen === this.#seen && isRecent(environment, this.#readAtMs, READ_EVERY_MS)) return;
    this.#readAtMs = environment.now();
    const cache = await openFileCache();
    if (!cache) return;
    await this.#sweep(cache).catch(environment.report);
    const plan = await this.#plan();
    if (!plan) return;
    // What a server has kept for longer than the overlap comes when it is back.
    const isAway = ({ server }: StoredServer) =>
      !isRecent(environment, server.lastCompleteAtMs ?? 0, OVERLAP_S * 1_000);
    const away = plan.servers.filter(isAway);
    const set = JSON.stringify([
      [...plan.limits],
      plan.allBytes,
      plan.allowed,
      plan.joined,
      away.map(({ server }) => server.serverId),
    ]);
    if (set !== this.#set) {
      this.#from = 0;
      this.#stoppedAtMs = -Infinity;
    }
    this.#set = set;
    this.#seen = seen;
    if (plan.limits.size === 0 || environment.savesData?.() === true) return;
    if (isRecent(environment, this.#stoppedAtMs, ROOM_AGAIN_AFTER_MS)) return;
    if (await this.#round(cache, plan)) this.#seen = "";
  }

  /** Removes the records and files of messages that are gone. */
  async #sweep(cache: Cache): Promise<void> {
    const left = await this.#store.sweepFiles((await cache.keys()).map(({ url }) => url));
    if (left.ok) await forEachInTurn(left.value, async (name) => void (await cache.delete(name)));
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
      // The history of a new topic is stored by then.
      joined: servers
        .flatMap(({ subscriptions }) => subscriptions)
        .flatMap(({ subId, joined }) => (joined ? [subId] : [])),
      allowed: settings.value.allowedRemote,
    };
  }

  /** Fetches what is due, newest first. Resolves to whether the next round should follow soon. */
  async #round(cache: Cache, plan: Plan): Promise<boolean> {
    const { environment } = this.context;
    const nowMs = environment.now();
    const records = await this.#store.fileRecords();
    if (!records.ok) return false;
    const states = new Map(records.value.map((record) => [nameOf(record), record.state]));
    let leftBytes = plan.allBytes;
    for (const { state } of records.value) if (state.kind === "kept") leftBytes -= state.bytes;
    const fits = (subId: number): Fits => ({ limit: plan.limits.get(subId) ?? 0, leftBytes, nowMs });
    let from = this.#from;
    // Files to retry may belong to older messages.
    for (const { subId, time, state } of records.value) if (isDue(state, fits(subId))) from = Math.min(from, time);
    let newest = -Infinity;
    let fetched = 0;
    for (const list of LISTS) {
      for (let before: Position | undefined; ;) {
        const page = await this.#store.messagesWithFiles({ subIds: [...plan.limits.keys()], list, before, nowMs });
        if (!page.ok) return false;
        const rows = page.value.rows.filter(({ time }) => time >= from);
        for (const row of rows) {
          newest = Math.max(newest, row.time);
          const known = states.get(nameOf(row));
          const file = isDue(known, fits(row.subId)) && judgeFile(row, fits(row.subId), plan);
          if (!file) continue;
          if ("url" in file) {
            if (fetched === MAX_IN_ROUND) return true;
            fetched += 1;
            if (!this.#mayFetch(file)) return false;
          }
          const answer = "url" in file ? await this.#fetch(cache, row, file, fits(row.subId)) : file;
          const isNoted = await this.#note(cache, row, known, answer);
          if (!answer.why) leftBytes -= answer.bytes;
          if (!isNoted || answer.isBusy || answer.why === "disk-full") {
            this.#stoppedAtMs = environment.now();
            return false;
          }
          if ("url" in file && fetched >= AT_ONCE) await sleep(environment, PACED_EVERY_MS);
        }
        // Snoozed messages are listed in the order of their return.
        const isOver = list !== "snoozed" && rows.length < page.value.rows.length;
        if (isOver || !page.value.next) break;
        before = page.value.next;
      }
    }
    // A message may be dated in the future; the others must not count as examined because of it.
    this.#from = Math.max(this.#from, Math.min(newest, nowMs / 1_000) - OVERLAP_S);
    return false;
  }

  /** Records the result for a file. Resolves to whether the store took it; if not, the file isn't kept either. */
  async #note(
    cache: Cache,
    row: StoredMessage,
    before: KeptFileState | undefined,
    { why, bytes }: FileAnswer,
  ): Promise<boolean> {
    const atMs = this.context.environment.now();
    const tries = before?.kind === "not-kept" ? before.tries + 1 : 1;
    const state: KeptFileState = why ? { kind: "not-kept", why, tries, atMs, bytes } : { kind: "kept", bytes, atMs };
    const noted = await this.#store.noteFile(keyOf(row), state);
    if (noted.ok && noted.value) this.context.announce({ kind: "files", keys: [keyOf(row)] });
    // Its message went meanwhile, or nothing more can be stored.
    else if (!why) await cache.delete(keptFileName(keyOf(row)));
    return noted.ok;
  }

  /** While files came, the lead may have changed, or the user may have asked to save data. */
  #mayFetch({ isOwn, server }: WantedFile): boolean {
    const { environment, isLeading, requests } = this.context;
    if (!isLeading() || environment.savesData?.() === true) return false;
    // Old files are gone, and servers count asking for them as errors.
    return !isOwn || requests(server.address, server).count.room("asking") >= 1;
  }

  async #fetch(cache: Cache, row: StoredMessage, file: WantedFile, { limit, leftBytes }: Fits): Promise<FileAnswer> {
    const { environment, requests } = this.context;
    const { url, isOwn, server, account, type } = file;
    const { count } = requests(server.address, server);
    if (isOwn) count.add();
    const answer = await fetchFile(environment, {
      url,
      credentials: isOwn && account?.refusedAtMs === undefined ? account?.credentials : undefined,
      headers: isOwn ? server.headers : undefined,
      type,
      most: Math.min(limit, leftBytes),
      answered: (status) => isOwn && count.answered(status),
      keep: (response) => cache.put(keptFileName(keyOf(row)), response),
    });
    const isTight = answer.why === "too-large" && leftBytes < limit;
    return { ...answer, ...(isTight && { why: "no-room" }), isBusy: isOwn && answer.isBusy === true };
  }

  /** The commands of pages. */
  commands() {
    return {
      keptFile: async ({ key }) => ok(unwrap(await this.#store.fileRecord([key[0], key[2]]))?.state ?? null),
      fileUse: async () => ok(useOf(unwrap(await this.#store.fileRecords()))),
      dropFiles: async ({ subId }) => {
        const keys = unwrap(await this.#store.forgetFiles(subId));
        const cache = await openFileCache();
        await forEachInTurn(keys, async (key) => void (await cache?.delete(keptFileName(key))));
        this.context.announce({ kind: "files", keys });
        return ok(null);
      },
    } satisfies FeatureCommands;
  }
}

function nameOf({ subId, id }: { subId: number; id: string }): string {
  return `${String(subId)}/${id}`;
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

/** A file that couldn't be fetched is tried again after these times, ms, and then given up. */
const AGAIN_AFTER_MS = [60_000, 600_000, 3_600_000, 6 * 3_600_000] as const;

/** A file for which there was no room is tried again after this, ms. */
const ROOM_AGAIN_AFTER_MS = 600_000;

/** What the settings ask for, and the records they are read from. */
interface Plan {
  /** By subscription: the largest file to keep, bytes. */
  limits: Map<number, number>;
  allBytes: number;
  servers: StoredServer[];
  /** Subscriptions that were caught up. */
  joined: readonly number[];
  /** Subscriptions whose messages may load files from anywhere. */
  allowed: readonly number[];
}

interface WantedFile {
  url: string;
  /** Whether it is on the message's own server. */
  isOwn: boolean;
  server: ServerRecord;
  account: AccountRecord | undefined;
  /** The type according to the message. */
  type: string | undefined;
}

/** The room for a file, bytes: `limit` for each file, `leftBytes` for all still to come. */
interface Fits {
  limit: number;
  leftBytes: number;
  nowMs: number;
}

/** What to fetch for a message, or why its file can't be kept; undefined = nothing: it is kept, or not wanted. */
function judgeFile(row: StoredMessage, fits: Fits, plan: Plan): WantedFile | FileAnswer | undefined {
  const there = serverOfTopic(plan.servers, row.subId);
  const { attachment } = row.event;
  const url = attachment && webLink(attachment.url);
  if (!there || !attachment || url === undefined) return undefined;
  const { server, account } = there;
  const isOwn = isFileOf(attachment.url, server.address);
  if (!isOwn && !isAllowed(attachment.url, url, row.subId, plan)) return undefined;
  const { limit, leftBytes, nowMs } = fits;
  const serverS = nowMs / 1_000 + (server.clockAheadS ?? 0);
  if (isOwn && attachment.expires !== undefined && attachment.expires <= serverS) return { why: "gone", bytes: 0 };
  const { size = 0, type } = attachment;
  if (size > limit) return { why: "too-large", bytes: size };
  if (size > leftBytes || leftBytes <= 0) return { why: "no-room", bytes: size };
  return { url, isOwn, server, account, type };
}

/** Whether a file from elsewhere loads without a press. */
function isAllowed(text: string, url: string, subId: number, { allowed, servers }: Plan): boolean {
  if (!allowed.includes(subId)) return false;
  const address = new URL(url);
  if (address.username !== "" || address.password !== "") return false;
  return servers.some(({ server }) => isFileOf(text, server.address)) || namesFile(address);
}

/** Whether its record lets a file be fetched now. */
export function isDue(state: KeptFileState | undefined, { limit, leftBytes, nowMs }: Fits): boolean {
  if (!state) return true;
  if (state.kind === "kept") return false;
  const { why, atMs, tries, bytes } = state;
  const isOver = (ms = Infinity): boolean => !isRecent({ now: () => nowMs }, atMs, ms);
  if (why === "too-large") return limit > (bytes ?? Infinity);
  if (why === "no-room" && (leftBytes <= 0 || leftBytes < (bytes ?? 0))) return false;
  if (why === "no-room" || why === "disk-full") return isOver(ROOM_AGAIN_AFTER_MS);
  return why === "failed" && isOver(AGAIN_AFTER_MS[tries - 1]);
}
