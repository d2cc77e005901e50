import { isFileOf, namesFile, webLink, type KeptFileState, type StoredMessage } from "../../contract";
import type { AccountRecord, ServerRecord } from "../../store";
import { isRecent } from "../environment";
import type { FileAnswer } from "../requests/fetch-file";
import { serverOfTopic, type StoredServer } from "../read-servers";

/** A file that couldn't be fetched is tried again after these times, ms, and then no more. */
const AGAIN_AFTER_MS = [60_000, 600_000, 3_600_000, 6 * 3_600_000] as const;

/** A file for which there was no room is tried again after this, ms. */
export const ROOM_AGAIN_AFTER_MS = 600_000;

/** What the settings ask for, and the records they are read from. */
export interface Plan {
  /** By subscription: the largest file that is kept, bytes. */
  limits: Map<number, number>;
  allBytes: number;
  servers: StoredServer[];
  /** Subscriptions whose messages may load files from anywhere. */
  allowed: readonly number[];
}

export interface WantedFile {
  url: string;
  /** It is one of the message's own server. */
  isOwn: boolean;
  server: ServerRecord;
  account: AccountRecord | undefined;
  /** The type according to the message. */
  type: string | undefined;
}

/** The room for a file, bytes: `limit` for each file, `leftBytes` for all still to come. */
export interface Fits {
  limit: number;
  leftBytes: number;
  nowMs: number;
}

/** What to fetch for a message, or why its file can't be kept; undefined = nothing, as it is kept or not wanted. */
export function judgeFile(row: StoredMessage, fits: Fits, plan: Plan): WantedFile | FileAnswer | undefined {
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
