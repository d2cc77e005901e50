import { type Failure, keyText, ok, type Result, rowKey, type StoredMessage } from "../protocol";
import { MAX_CLAIM_HOLD_MS, type StoreError } from "../store";
import type { Announcement } from "./changes-event";
import type { Environment, Timer } from "./environment";
import type { AlertTaker } from "./tabs";

/** A tab that lives confirms well within this, ms; a frozen one does not answer. */
const CONFIRM_WITHIN_MS = 3_000;

/** So many tabs are tried one after the other at most. */
const MOST_TRIED = MAX_CLAIM_HOLD_MS / CONFIRM_WITHIN_MS;

/** Of a server that stopped receiving, all of it or some topics. */
export interface Notice {
  serverId: number;
  why: Failure;
  /** Topics that it is about. */
  topics: string[];
}

/** What only a tab that can show notifications is told. */
type Alert = Announcement & { kind: "alert" | "notice" };

/** What a hub without a tab that can show it passes on: a notice, or word that alerts are there to be taken. */
export type Passed = { kind: "notice"; notice: Notice } | { kind: "claims" };

/**
 * Hands each alert to one tab at a time until one confirms that it shows the notification (docs/design.md §3). The
 * ingest transaction has claimed it before; the claim is stored until that confirmation, and of all hubs the one that
 * takes it in a transaction offers it. So one that dies meanwhile takes no alert along.
 */
export class Alerts {
  readonly #environment: Environment;
  readonly #takers: () => AlertTaker[];
  readonly #pass: (passed: Passed) => void;
  readonly #open = new Map<number, () => void>();
  /** What this hub's own ingest claimed lately, by key, so that it need not be read. */
  #fresh = new Map<string, StoredMessage>();
  #nextLook: Timer | undefined;
  /** Below the numbers of all claims. */
  #noticeId = -1;

  /**
   * @param takers tabs of this hub that can show notifications, the likeliest first
   * @param pass tells the other hubs, when no tab here took it
   */
  constructor(environment: Environment, takers: () => AlertTaker[], pass: (passed: Passed) => void) {
    this.#environment = environment;
    this.#takers = takers;
    this.#pass = pass;
  }

  /** The ingest here has claimed the alerts of these messages. */
  claimed(rows: readonly StoredMessage[]): void {
    for (const row of rows) this.#fresh.set(rowKey(row), row);
    this.look();
  }

  /** Tells of a stop. It is not stored: a hub that leads after this one meets the same stop. */
  tell(notice: Notice): void {
    this.#tell(notice, () => this.#pass({ kind: "notice", notice }));
  }

  /** Takes over what no tab of another hub took. */
  hear(passed: Passed): void {
    if (passed.kind === "claims") this.look();
    else this.#tell(passed.notice, () => undefined);
  }

  /** A tab shows it; whether it was still open. Any hub can be told of a claim, the one that took it may be gone. */
  async confirm(alertId: number): Promise<Result<boolean, StoreError>> {
    const settle = this.#open.get(alertId);
    settle?.();
    return isNotice(alertId) ? ok(settle !== undefined) : this.#environment.store.settleClaim(alertId);
  }

  /** Takes what was claimed and nobody offers, if there is a tab to hand it to. */
  look(): void {
    void this.#look().catch(this.#environment.report);
  }

  async #look(): Promise<void> {
    const { store, now } = this.#environment;
    const tried = Math.min(this.#takers().length, MOST_TRIED);
    if (tried === 0) return;
    const untilMs = now() + tried * CONFIRM_WITHIN_MS;
    const looked = await store.takeClaims(now(), untilMs);
    const fresh = this.#fresh;
    this.#fresh = new Map();
    // Who can't be asked now is asked again: whoever stores messages tells of the trouble.
    if (!looked.ok) return this.#lookAt(untilMs);
    const { taken, nextMs } = looked.value;
    if (nextMs !== undefined) this.#lookAt(nextMs);
    if (!taken) return;
    const { claimId: alertId, keys } = taken;
    const known = keys.flatMap((key) => fresh.get(keyText(key)) ?? []);
    const rows = known.length === keys.length ? ok(known) : await store.unread(keys);
    if (!rows.ok) return this.#lookAt(untilMs);
    if (rows.value.length === 0) await store.settleClaim(alertId);
    else {
      const alert = { kind: "alert", alertId, rows: rows.value } as const;
      this.#offer(this.#takers().slice(0, tried), alert, () => this.#pass({ kind: "claims" }));
    }
  }

  #lookAt(atMs: number): void {
    const { now, setTimer, clearTimer } = this.#environment;
    clearTimer(this.#nextLook);
    this.#nextLook = setTimer(() => this.look(), Math.max(0, atMs - now()));
  }

  #tell(notice: Notice, none: () => void): void {
    this.#offer(this.#takers(), { kind: "notice", alertId: this.#noticeId--, ...notice }, none);
  }

  #offer([taker, ...others]: AlertTaker[], alert: Untimed<Alert>, none: () => void): void {
    if (!taker) return none();
    const { now, setTimer, clearTimer } = this.#environment;
    const timer = setTimer(() => {
      this.#open.delete(alert.alertId);
      taker.missed();
      this.#offer(others, alert, none);
    }, CONFIRM_WITHIN_MS);
    this.#open.set(alert.alertId, () => {
      this.#open.delete(alert.alertId);
      clearTimer(timer);
    });
    taker.post({ ...alert, untilMs: now() + CONFIRM_WITHIN_MS });
  }
}

type Untimed<Told> = Told extends unknown ? Omit<Told, "untilMs"> : never;

function isNotice(alertId: number): boolean {
  return alertId < 0;
}
