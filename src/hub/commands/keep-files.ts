import {
  decodeKeepFiles,
  fileName,
  type FileUse,
  isFileOf,
  KEPT_AT_FIELD,
  keyOf,
  type KeptFileState,
  type MessageKey,
  namesFile,
  type StoredMessage,
  webLink,
  type WhyNotKept,
} from "../../contract";
import { fail, ok } from "../../protocol";
import {
  hasFileCache,
  namesIn,
  openFileCache,
  type AccountRecord,
  type FileSteps,
  type KeptFileRecord,
  type ServerRecord,
  type SubscriptionRecord,
} from "../../store";
import { fetchFile, safeType } from "../fetch-file";
import { Requests } from "../requests";
import { storageError, type CommandContext, type Handler } from "./context";

/** How often, ms, the hub checks whether messages came or went. */
const LOOK_EVERY_MS = 15_000;

/** After this, ms, at the latest the settings are read anew, and files that failed are tried again if they are due. */
const READ_EVERY_MS = 60_000;

/** Files that are fetched at once: a browser opens six connections to a host, and messages need some of them. */
const AT_ONCE = 2;

/** At most so many messages are looked at in one round, the newest. */
const MAX_IN_ROUND = 500;

/** A catch-up brings messages that are this much older than the newest one known, seconds. */
const OVERLAP_S = 86_400;

/** A file that could not be fetched is tried again after these times, ms, and then no more. */
const AGAIN_AFTER_MS = [60_000, 600_000, 3_600_000, 6 * 3_600_000] as const;

/** A file for which there was no room is tried again after this, ms. */
const ROOM_AGAIN_AFTER_MS = 600_000;

/** A server that takes no more requests is left alone for this long, ms. */
const BUSY_FOR_MS = 300_000;

const MB = 1_000_000;

/** What the settings ask for, and the records it is read from. */
interface Plan {
  /** By subscription: the largest file that is kept, bytes. */
  limits: Map<number, number>;
  allBytes: number;
  subscriptions: SubscriptionRecord[];
  servers: ServerRecord[];
  accounts: AccountRecord[];
  /** Subscriptions whose messages may load files from anywhere. */
  allowed: readonly number[];
}

/**
 * Keeps files of messages on this device: those of topics that are set so are fetched in the background, before their
 * server deletes them. Only the hub that leads does so. Nothing is asked for but what would load without a press
 * (docs/decisions/0015).
 */
export class KeptFiles {
  readonly #context: CommandContext;
  #looking: Promise<void> = Promise.resolve();
  #isWaiting = false;
  /** The counters when all messages were last looked through, as text. */
  #seen = "";
  #readAtMs = -Infinity;
  /** The settings at the last look, as text: when they change, all messages are looked through. */
  #set = "";
  /** Messages before this, server time, were looked through. */
  #from = 0;
  /** By server: until when it is left alone, device clock, ms. */
  readonly #busyUntilMs = new Map<number, number>();
  readonly #requests = new Map<string, Requests>();

  constructor(context: CommandContext) {
    this.#context = context;
  }

  start(): void {
    const { setTimer } = this.#context.environment;
    setTimer(() => {
      void this.look();
      this.start();
    }, LOOK_EVERY_MS);
  }

  /** Looks for files to fetch, and for those whose messages are gone; one look at a time. @param anew what is set may have changed */
  look(anew = false): Promise<void> {
    if (anew) this.#readAtMs = -Infinity;
    // A look that is already queued covers this call.
    if (this.#isWaiting) return this.#looking;
    this.#isWaiting = true;
    this.#looking = this.#looking
      .then(() => {
        this.#isWaiting = false;
        return this.#look();
      })
      .catch(this.#context.environment.report);
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { environment, isLeading } = this.#context;
    if (!isLeading() || environment.mode === "memory" || !hasFileCache()) {
      this.#seen = "";
      return;
    }
    const steps = await this.#steps();
    const counters = await steps?.fileCounters();
    // What can't be read now is read in the next round.
    if (!steps || !counters?.ok) return;
    const nowMs = environment.now();
    const { nextArrival, total } = counters.value;
    const seen = `${nextArrival} ${total}`;
    const agoMs = nowMs - this.#readAtMs;
    if (seen === this.#seen && agoMs >= 0 && agoMs < READ_EVERY_MS) return;
    this.#readAtMs = nowMs;
    const cache = await openFileCache();
    if (!cache) return;
    await this.#sweep(steps, cache);
    const plan = await this.#plan();
    if (!plan) return;
    const set = JSON.stringify([[...plan.limits], plan.allBytes, plan.allowed]);
    if (set !== this.#set) this.#from = 0;
    this.#set = set;
    this.#seen = seen;
    if (plan.limits.size > 0 && environment.savesData?.() !== true) await this.#fetchAll(steps, cache, plan);
  }

  /** Removes what belongs to messages that are gone. */
  async #sweep(steps: FileSteps, cache: Cache): Promise<void> {
    const [names, records] = await Promise.all([namesIn(cache), steps.fileRecords()]);
    if (names.length === 0 && records.ok && records.value.length === 0) return;
    const left = await steps.sweepFiles(names);
    if (left.ok) for (const name of left.value) await cache.delete(name);
  }

  async #plan(): Promise<Plan | undefined> {
    const { store } = this.#context.environment;
    const [settings, subscriptions, servers, accounts] = await Promise.all([
      store.settings(),
      store.subscriptions(),
      store.servers(),
      store.accounts(),
    ]);
    if (!settings.ok || !subscriptions.ok || !servers.ok || !accounts.ok) return undefined;
    const { eachMb, allMb } = decodeKeepFiles(settings.value.keepFiles);
    const limits = subscriptions.value.flatMap(({ subId, keepFilesMb }): [number, number][] => {
      const most = (keepFilesMb ?? eachMb) * MB;
      return most > 0 ? [[subId, most]] : [];
    });
    return {
      limits: new Map(limits),
      allBytes: allMb * MB,
      subscriptions: subscriptions.value,
      servers: servers.value,
      accounts: accounts.value,
      allowed: settings.value.allowedRemote,
    };
  }

  async #fetchAll(steps: FileSteps, cache: Cache, plan: Plan): Promise<void> {
    const { environment } = this.#context;
    const nowMs = environment.now();
    const records = await steps.fileRecords();
    const subIds = [...plan.limits.keys()];
    const rows = await steps.messagesWithFiles({ subIds, from: this.#from, most: MAX_IN_ROUND, nowMs });
    if (!records.ok || !rows.ok) return;
    const known = new Map(records.value.map((record) => [nameOf(record.subId, record.id), record]));
    const newest = rows.value[0]?.time;
    // A message may give a time that is still to come; the others must not count as looked through because of it.
    if (newest !== undefined) this.#from = Math.max(this.#from, Math.min(newest, nowMs / 1_000) - OVERLAP_S);
    // Files to retry may belong to messages older than `#from`.
    const again = await this.#again(records.value, rows.value, plan, nowMs);
    const due = [...rows.value, ...again].filter((row) => {
      const limit = plan.limits.get(row.subId);
      return limit !== undefined && isDue(known.get(nameOf(row.subId, row.id))?.state, limit, nowMs);
    });
    let usedBytes = records.value.reduce((sum, { state }) => sum + (state.kind === "kept" ? state.bytes : 0), 0);
    const changed: MessageKey[] = [];
    let isFull = false;
    const next = due.values();
    const work = async (): Promise<void> => {
      for (const row of next) {
        // The lead may have passed on, and the user may have asked to save data, while files came.
        if (isFull || !this.#context.isLeading() || environment.savesData?.() === true) return;
        const before = known.get(nameOf(row.subId, row.id))?.state;
        const done = await this.#keep(cache, row, plan, plan.allBytes - usedBytes);
        if (!done) continue;
        const tries = before?.kind === "not-kept" ? before.tries : 0;
        const state: KeptFileState =
          done.kind === "kept"
            ? done.state
            : { kind: "not-kept", tries: tries + 1, atMs: environment.now(), ...done.not };
        const type = done.kind === "kept" ? done.type : undefined;
        const noted = await steps.noteFile(keyOf(row), state, type);
        // The message went meanwhile, or nothing more can be stored: then no file may stay that nobody knows of.
        if (done.kind === "kept" && (!noted.ok || !noted.value)) await cache.delete(fileName(keyOf(row)));
        else if (state.kind === "kept") usedBytes += state.bytes;
        isFull = !noted.ok || (state.kind === "not-kept" && state.why === "disk-full");
        changed.push(keyOf(row));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (changed.length > 0) this.#context.announce({ kind: "files", keys: changed });
  }

  /** Messages whose files were tried, and that are not among those found. */
  async #again(
    records: readonly KeptFileRecord[],
    found: readonly StoredMessage[],
    { limits }: Plan,
    nowMs: number,
  ): Promise<StoredMessage[]> {
    const { store } = this.#context.environment;
    const there = new Set(found.map((row) => nameOf(row.subId, row.id)));
    const due = records.filter(
      ({ subId, id, state }) =>
        state.kind === "not-kept" && !there.has(nameOf(subId, id)) && isDue(state, limits.get(subId) ?? 0, nowMs),
    );
    const rows = await Promise.all(
      due.slice(0, MAX_IN_ROUND).map(({ subId, time, id }) => store.message([subId, time, id])),
    );
    return rows.flatMap((row) => (row.ok && row.value ? [row.value] : []));
  }

  /** Fetches a message's file into the cache; undefined = it can't be asked for now, or not without a press. */
  async #keep(
    cache: Cache,
    row: StoredMessage,
    plan: Plan,
    leftBytes: number,
  ): Promise<
    | { kind: "kept"; state: KeptFileState; type: string }
    | { kind: "not-kept"; not: { why: WhyNotKept; bytes?: number } }
    | undefined
  > {
    const { environment } = this.#context;
    const subscription = plan.subscriptions.find(({ subId }) => subId === row.subId);
    const server = plan.servers.find(({ serverId }) => serverId === subscription?.serverId);
    const { attachment } = row.event;
    const url = attachment && webLink(attachment.url);
    if (!subscription || !server || !attachment || url === undefined) return undefined;
    const limit = plan.limits.get(row.subId) ?? 0;
    const isOwn = isFileOf(attachment.url, server.address);
    if (!isOwn && !isAllowed(attachment.url, url, row.subId, plan)) return undefined;
    const nowMs = environment.now();
    if ((this.#busyUntilMs.get(server.serverId) ?? 0) > nowMs) return undefined;
    const not = (why: WhyNotKept, bytes?: number) =>
      ({ kind: "not-kept", not: { why, ...(bytes !== undefined && { bytes }) } }) as const;
    const serverS = nowMs / 1_000 + (server.clockAheadS ?? 0);
    if (isOwn && attachment.expires !== undefined && attachment.expires <= serverS) return not("gone");
    const { size = 0 } = attachment;
    if (size > limit) return not("too-large", size);
    if (size > leftBytes || leftBytes <= 0) return not("no-room");
    const account = plan.accounts.find(({ accountId }) => accountId === subscription.accountId);
    if (isOwn) await this.#turn(server);
    const most = Math.min(limit, leftBytes);
    const credentials = isOwn && account?.refusedAtMs === undefined ? account?.credentials : undefined;
    const answer = await fetchFile(environment, {
      ...{ url, credentials, headers: isOwn ? server.headers : undefined },
      type: attachment.type,
      most,
    });
    const tooLarge = (why: WhyNotKept) =>
      why !== "too-large" ? not(why) : most < limit ? not("no-room") : not("too-large", most);
    if (answer.kind === "none") {
      if (answer.busy) this.#busyUntilMs.set(server.serverId, nowMs + BUSY_FOR_MS);
      return tooLarge(answer.why);
    }
    const name = fileName(keyOf(row));
    const headers = { "Content-Type": safeType(answer.type), [KEPT_AT_FIELD]: String(nowMs) };
    try {
      await cache.put(name, new Response(answer.body, { headers }));
    } catch (thrown) {
      // What was written of it is not in the cache.
      const isFull = thrown instanceof Error && thrown.name === "QuotaExceededError";
      await answer.body.cancel().catch(() => undefined);
      return isFull ? not("disk-full") : tooLarge(answer.why());
    }
    return { kind: "kept", state: { kind: "kept", bytes: answer.size(), atMs: nowMs }, type: answer.type };
  }

  /** Waits for the turn of a request: a server grants few (docs/protocol.md §11), and messages need them. */
  async #turn(server: ServerRecord): Promise<void> {
    const { address } = server;
    const requests = this.#requests.get(address) ?? this.#context.requests(address, server, Requests);
    this.#requests.set(address, requests);
    await requests.pace(MAX_IN_ROUND);
    requests.count.add();
  }

  async #steps(): Promise<FileSteps | undefined> {
    const opened = await this.#context.environment.store.steps();
    return opened.ok ? opened.value.files : undefined;
  }

  /** The commands of pages. */
  commands(): {
    keptFile: Handler<"keptFile">;
    fileUse: Handler<"fileUse">;
    dropFiles: Handler<"dropFiles">;
  } {
    const { store } = this.#context.environment;
    return {
      async keptFile({ key }) {
        const opened = await store.steps();
        if (!opened.ok) return fail(storageError(opened.error));
        const record = await opened.value.files.fileRecord(key);
        return record.ok ? ok(record.value?.state ?? null) : fail(storageError(record.error));
      },
      async fileUse() {
        const opened = await store.steps();
        if (!opened.ok) return fail(storageError(opened.error));
        const records = await opened.value.files.fileRecords();
        return records.ok ? ok(useOf(records.value)) : fail(storageError(records.error));
      },
      dropFiles: async ({ subId }) => {
        const opened = await store.steps();
        if (!opened.ok) return fail(storageError(opened.error));
        const keys = await opened.value.files.forgetFiles(subId);
        if (!keys.ok) return fail(storageError(keys.error));
        const cache = await openFileCache();
        for (const key of keys.value) await cache?.delete(fileName(key));
        this.#context.announce({ kind: "files", keys: keys.value });
        return ok(null);
      },
    };
  }
}

/** A message's file as it is kept, with the type that its server gave; undefined = it is not kept. */
export async function keptFile(
  { environment }: CommandContext,
  key: MessageKey,
): Promise<{ response: Response; type: string | undefined } | undefined> {
  const response = await (await openFileCache())?.match(fileName(key));
  if (!response) return undefined;
  const opened = await environment.store.steps();
  const record = opened.ok ? await opened.value.files.fileRecord(key) : opened;
  return { response, type: record.ok ? record.value?.type : undefined };
}

function nameOf(subId: number, id: string): string {
  return `${String(subId)}/${id}`;
}

/** Whether a file from elsewhere loads without a press. */
function isAllowed(text: string, url: string, subId: number, { allowed, servers }: Plan): boolean {
  if (!allowed.includes(subId)) return false;
  const address = new URL(url);
  if (address.username !== "" || address.password !== "") return false;
  return servers.some((server) => isFileOf(text, server.address)) || namesFile(address);
}

/** Whether a file is to be fetched now. @param limit the largest that is kept, bytes */
export function isDue(state: KeptFileState | undefined, limit: number, nowMs: number): boolean {
  if (!state) return true;
  if (state.kind === "kept") return false;
  const agoMs = nowMs - state.atMs;
  switch (state.why) {
    case "gone":
    case "refused":
    case "deleted":
      return false;
    case "too-large":
      return limit > (state.bytes ?? Infinity);
    case "no-room":
    case "disk-full":
      return agoMs < 0 || agoMs >= ROOM_AGAIN_AFTER_MS;
    case "failed":
      return agoMs < 0 || agoMs >= (AGAIN_AFTER_MS[state.tries - 1] ?? Infinity);
  }
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
