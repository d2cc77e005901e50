import { isFileOf, namesFile, webLink, type KeptFileState, type StoredMessage, type WhyNotKept } from "../../contract";
import type { AccountRecord, ServerRecord } from "../../store";
import { serverOfTopic, type StoredServer } from "../read-servers";
import { isWithin } from "../environment";

/** A file that could not be fetched is tried again after these times, ms, and then no more. */
const AGAIN_AFTER_MS = [60_000, 600_000, 3_600_000, 6 * 3_600_000] as const;

/** A file for which there was no room is tried again after this, ms. */
export const ROOM_AGAIN_AFTER_MS = 600_000;

/** What the settings ask for, and the records it is read from. */
export interface Plan {
  /** By subscription: the largest file that is kept, bytes. */
  limits: Map<number, number>;
  allBytes: number;
  servers: StoredServer[];
  /** Subscriptions whose messages may load files from anywhere. */
  allowed: readonly number[];
}

/** Why a file is not kept. */
export interface NotKept {
  why: WhyNotKept;
  bytes?: number;
}

/** A file that is to be fetched. */
export interface WantedFile {
  row: StoredMessage;
  url: string;
  /** It is one of the message's own server. */
  isOwn: boolean;
  server: ServerRecord;
  account: AccountRecord | undefined;
  /** The largest that is kept, bytes. */
  limit: number;
  /** The type that the message gives. */
  type: string | undefined;
}

export type FileVerdict =
  /** It is kept, shouldn't be kept, or can't be requested without a press. */
  | { kind: "nothing" }
  /** Its server is left alone for now. */
  | { kind: "later" }
  /** It can't be kept, as is plain without asking for it. */
  | { kind: "not"; not: NotKept }
  | { kind: "fetch"; file: WantedFile };

const NOTHING: FileVerdict = { kind: "nothing" };

/**
 * What to do about a message's file.
 * @param state what became of it until now
 * @param leftBytes what there is room for
 */
export function judgeFile(
  row: StoredMessage,
  state: KeptFileState | undefined,
  plan: Plan,
  { nowMs, leftBytes, isBusy }: { nowMs: number; leftBytes: number; isBusy: (serverId: number) => boolean },
): FileVerdict {
  const limit = plan.limits.get(row.subId);
  if (limit === undefined || !isDue(state, { limit, leftBytes, nowMs })) return NOTHING;
  const there = serverOfTopic(plan.servers, row.subId);
  const { attachment } = row.event;
  const url = attachment && webLink(attachment.url);
  if (!there || !attachment || url === undefined) return NOTHING;
  const { server, account } = there;
  const isOwn = isFileOf(attachment.url, server.address);
  if (!isOwn && !isAllowed(attachment.url, url, row.subId, plan)) return NOTHING;
  const serverS = nowMs / 1_000 + (server.clockAheadS ?? 0);
  if (isOwn && attachment.expires !== undefined && attachment.expires <= serverS) return not({ why: "gone" });
  const { size = 0, type } = attachment;
  if (size > limit) return not({ why: "too-large", bytes: size });
  if (size > leftBytes || leftBytes <= 0) return not({ why: "no-room", bytes: size });
  if (isBusy(server.serverId)) return { kind: "later" };
  return { kind: "fetch", file: { row, url, isOwn, server, account, limit, type } };
}

function not(why: NotKept): FileVerdict {
  return { kind: "not", not: why };
}

/** Whether a file from elsewhere loads without a press. */
function isAllowed(text: string, url: string, subId: number, { allowed, servers }: Plan): boolean {
  if (!allowed.includes(subId)) return false;
  const address = new URL(url);
  if (address.username !== "" || address.password !== "") return false;
  return servers.some(({ server }) => isFileOf(text, server.address)) || namesFile(address);
}

/** The room for a file, bytes: `limit` for each file, `leftBytes` for all still to come. */
export interface Fits {
  limit: number;
  leftBytes: number;
  nowMs: number;
}

/** Whether a file is to be fetched now, as far as its record tells. */
export function isDue(state: KeptFileState | undefined, { limit, leftBytes, nowMs }: Fits): boolean {
  if (!state) return true;
  if (state.kind === "kept") return false;
  const isOver = (ms: number): boolean => !isWithin({ now: () => nowMs }, state.atMs, ms);
  switch (state.why) {
    case "gone":
    case "refused":
    case "deleted":
      return false;
    case "too-large":
      return limit > (state.bytes ?? Infinity);
    case "no-room":
      return leftBytes > 0 && leftBytes >= (state.bytes ?? 0) && isOver(ROOM_AGAIN_AFTER_MS);
    case "disk-full":
      return isOver(ROOM_AGAIN_AFTER_MS);
    case "failed":
      return isOver(AGAIN_AFTER_MS[state.tries - 1] ?? Infinity);
  }
}

/** The space of kept files, with those still coming. */
export class Room {
  #usedBytes = 0;
  readonly #coming = new Set<() => number>();

  constructor(
    private readonly allBytes: number,
    states: Iterable<KeptFileState>,
  ) {
    for (const state of states) if (state.kind === "kept") this.#usedBytes += state.bytes;
  }

  /** @param own the bytes of a file that is coming, which don't count against itself */
  leftBytes(own?: () => number): number {
    let left = this.allBytes - this.#usedBytes;
    for (const bytes of this.#coming) if (bytes !== own) left -= bytes();
    return left;
  }

  comes(bytes: () => number): void {
    this.#coming.add(bytes);
  }

  ended(bytes: () => number, isKept: boolean): void {
    this.#coming.delete(bytes);
    if (isKept) this.#usedBytes += bytes();
  }
}
