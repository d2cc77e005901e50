// What a worker without a page does with what came: stores it, and shows alerts that nobody else shows.
import {
  heldBackBy,
  MAX_SINGLE,
  type NotificationData,
  type PushWorkerStrings,
  type StoredMessage,
  whyNoAlert,
} from "../../contract";
import type { ServerAddress, StorableEvent } from "../../protocol";
import type { Arrival } from "../../store";
import { forEachInTurn, sleep } from "../environment";
import { tellHubs } from "../lead/between-hubs";
import { readServers, serverOfTopic, type StoredServer } from "../read-servers";
import { rowOf } from "../server/ingest-queue";
import {
  tellWritten,
  manyNotification,
  manyTag,
  type NotifyContext,
  pushedNotification,
  pushedTag,
  unstoredNotification,
} from "./push-notifications";
import type { PushFacts, PushWorker } from "./push-worker";

/** For this long, ms, an alert belongs to this worker while it shows it; then others may. */
const HOLD_MS = 15_000;

/** How long, ms, to wait for a page, which may be frozen, to show its alert; after that the page keeps the alert. */
const WAIT_FOR_PAGE_MS = 10_000;

/** A page in sight takes what it is asked to show within this time, ms. */
const TAKEN_WITHIN_MS = 1_000;

/** Delivers a server's messages without a page. */
export class BackgroundDelivery {
  hasShown = false;
  /** The message shown before it was stored, where the browser requires that. */
  shownFirst: string | undefined;

  readonly context: NotifyContext;

  constructor(
    private readonly worker: PushWorker,
    private readonly facts: Omit<PushFacts, "record">,
    words: PushWorkerStrings,
  ) {
    const { emoji, now } = worker;
    this.context = { address: facts.server.address, words, emoji, nowMs: now() };
  }

  /** Stores what came, tells the pages, and withdraws what was deleted or cleared. Resolves to whether it is stored. */
  async store(arrivals: Arrival[]): Promise<boolean> {
    const { store, now, close } = this.worker;
    if (arrivals.length === 0) return true;
    const { heardS = 0, clockAheadS = 0 } = this.facts.server;
    const clockS = Math.max(heardS, Math.floor(now() / 1_000) + clockAheadS);
    const stored = await store.ingest({ arrivals, nowMs: now(), serverNowS: Infinity, clockS, alerts: true });
    if (stored.ok) tellWritten(this.worker, stored.value);
    else if (arrivals[0]?.via === "push") await this.#showUnstored(arrivals[0]);
    const ended = endedTags(arrivals, this.context.address);
    // Pushes come in any order, so a newer version may be on the screen, or one of that second, which stays unread.
    const isNewer = ({ key }: NotificationData, tag: string) => (key?.[1] ?? 0) >= (ended.get(tag) ?? 0);
    if (ended.size > 0) await close([...ended.keys()], isNewer);
    return stored.ok;
  }

  /** Shows what was pushed and can't be stored, as on a full disk, if it rings. It comes again with the next poll. */
  async #showUnstored(pushed: Arrival): Promise<void> {
    const { subscriptions, settings } = this.facts;
    const nowMs = this.worker.now();
    const [row] = rowOf(pushed, nowMs);
    const topic = subscriptions.find(({ subId }) => subId === pushed.subId);
    if (!row || !topic || !settings.alerts || this.shownFirst) return;
    const why = whyNoAlert(row, { nowMs, topic, heldBack: heldBackBy(settings.alertRules, nowMs) });
    if (!why) await this.show(unstoredNotification(row.event, nowMs));
  }

  /**
   * Shows alerts that nobody shows yet. Whoever takes a claim shows it, so nothing alerts twice, whichever of tab, push
   * and poll was first. A page in sight is asked first: it knows whether its user sees the message arrive.
   * @param waits for a page to take them, and for those handed to a page, which may be frozen
   */
  async showClaimed(waits = false): Promise<void> {
    const { store, now } = this.worker;
    if (!this.facts.settings.alerts) return;
    if (this.shownFirst === undefined && (await this.worker.isInSight())) {
      if (!waits) return tellHubs(this.worker.channel, { kind: "alert", passed: { kind: "claims" } });
      await sleep(this.worker, TAKEN_WITHIN_MS);
    }
    const giveUpAtMs = now() + WAIT_FOR_PAGE_MS;
    for (;;) {
      const claims = await store.takeClaims(now(), now() + HOLD_MS);
      if (!claims.ok) return;
      const { taken, nextMs } = claims.value;
      if (taken) {
        // A claim may be for any server's message, and for a topic added just now: its page may have died.
        const servers = await readServers(store);
        if (!servers.ok) return;
        await this.#showRows(taken.rows, servers.value);
        await store.settleClaim(taken.claimId);
      }
      if (!waits || nextMs === undefined || nextMs > giveUpAtMs) return;
      await sleep(this.worker, Math.max(0, nextMs - now()) + 1);
    }
  }

  async #showRows(all: readonly StoredMessage[], servers: readonly StoredServer[]): Promise<void> {
    const rows = all.filter(({ id }) => id !== this.shownFirst);
    if (rows.length > MAX_SINGLE) {
      const [before] = await this.worker.shown(manyTag(this.context.address));
      return this.show(manyNotification(rows, before?.summary ?? {}, this.context));
    }
    await forEachInTurn(rows, async (row) => {
      const there = serverOfTopic(servers, row.subId);
      if (!there) return;
      const { address } = there.server;
      const shown = pushedNotification(row, there.topic, { ...this.context, address });
      // A page that was slow to confirm may have shown it.
      const before = await this.worker.shown(shown.options.tag);
      if (!before.some(({ key }) => key?.[2] === row.id)) await this.show(shown);
    });
  }

  async show(shown: Parameters<PushWorker["show"]>[0]): Promise<void> {
    await this.worker.show(shown);
    this.hasShown = true;
  }
}

/** Tags of the sequences whose last event is a delete or clear rather than a newer version, with its time. */
function endedTags(arrivals: readonly Arrival[], address: ServerAddress): Map<string, number> {
  const last = new Map<string, StorableEvent>();
  for (const { event } of arrivals) {
    const tag = pushedTag(address, event);
    const before = last.get(tag);
    // Within one second a version wins, because it may be news.
    const isLater = !before || event.time > before.time || (event.time === before.time && event.event === "message");
    if (isLater) last.set(tag, event);
  }
  return new Map([...last].flatMap(([tag, { event, time }]) => (event === "message" ? [] : [[tag, time] as const])));
}
