import { DAY_MS } from "../../protocol";

/** Messages to the group on a day (UTC), at most, unless the user asks for more: servers give a visitor 250. */
export const MOST_A_DAY = 40;

/** So many are sent as things change; the others are spread over the rest of the day. */
const QUICK_A_DAY = 20;

/** The least time between what isn't asked for, ms. */
const EVERY_MS = 30_000;

/** What is done at the same time goes together: a change waits for others this long, ms. */
export const GATHERED_MS = 600;

/** How many all devices sent on a day, counted from 1970 (UTC), and when this one last did, device clock, ms. */
export interface Sent {
  day: number;
  count: number;
  atMs: number;
}

export function dayOf(nowMs: number): number {
  return Math.floor(nowMs / DAY_MS);
}

export function sentToday(sent: Sent, nowMs: number): number {
  return sent.day === dayOf(nowMs) ? sent.count : 0;
}

/** When something may be sent next, device clock, ms. */
export function nextSendAtMs(sent: Sent, nowMs: number): number {
  const count = sentToday(sent, nowMs);
  const midnightMs = (dayOf(nowMs) + 1) * DAY_MS;
  if (count >= MOST_A_DAY) return midnightMs;
  // After a clock was set back, the last one seems to lie ahead.
  const lastMs = Math.min(sent.atMs, nowMs);
  const gapMs = count < QUICK_A_DAY ? EVERY_MS : (midnightMs - lastMs) / (MOST_A_DAY + 1 - count);
  return lastMs + Math.max(EVERY_MS, gapMs);
}
