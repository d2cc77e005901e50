import {
  decodeAlertRules,
  heldBackBy,
  type HubEvent,
  keyOf,
  type MessageKey,
  MAX_ALERT_REPEATS,
  REPEAT_AFTER_MS,
  type StoredMessage,
  whyNoAlert,
} from "../../contract";
import { type Result, ok, priorityOf } from "../../protocol";
import { MAX_CLAIM_HOLD_MS, type StoreError } from "../../store";
import type { Environment, Timer, ToldOnce } from "../environment";
import type { AlertTaker } from "../tabs";

/** A live tab confirms well within this, ms; a frozen one never does. */
const CONFIRM_WITHIN_MS = 3_000;

/** At most this many tabs are tried, in turn. */
const MAX_TRIED = MAX_CLAIM_HOLD_MS / CONFIRM_WITHIN_MS;

/** While there are claims, those that are too old are looked for this often, ms, at least. */
const END_EVERY_MS = 60_000;

/** If there are many claims, they are ended in rounds this far apart, ms, so that other work gets its turn. */
const NEXT_ROUND_MS = 100;

/** An announcement that goes only to a tab that can show notifications. */
type Alert = HubEvent & { kind: "alert" | "notice" | "outage" };

interface Offered {
  settle: () => void;
  /** Id of the alert. */
  rows: readonly StoredMessage[];
  repeats: number;
}

/** What a hub passes on if none of its tabs can show it: a notice, or that there are alerts to take. */
export type Passed = ToldOnce | { kind: "claims" };

/**
 * Hands each alert to one tab at a time until one confirms that it shows the notification (docs/design.md §3). The
 * ingest transaction claims each alert, and the claim is stored until the confirmation. Only the hub that takes the
 * claim, in a transaction, offers the alert, so none is lost when a hub or tab dies. Claims that nobody confirms end
 * after `ALERT_WITHIN_MS`, and their messages say so.
 */
export class Alerts {
  readonly #open = new Map<number, Offered>();
  #nextLook: Timer | undefined;
  #nextEnd: Timer | undefined;
  /** The id of the next notice or repeat: negative, so that it never equals the id of a claim. */
  #noticeId = -1;

  /**
   * @param takers tabs of this hub that can show notifications, the likeliest first
   * @param pass tells the other hubs when no tab here took it
   */
  constructor(
    private readonly environment: Environment,
    private readonly takers: () => AlertTaker[],
    private readonly pass: (passed: Passed) => void,
  ) {}

  /** The ingest here has claimed the alerts of these messages. */
  claimed(rows: readonly StoredMessage[]): void {
    if (rows.length === 0) return;
    if (this.takers().length === 0) this.pass({ kind: "claims" });
    this.look();
  }

  /** Tells the user something that isn't stored; if the lead changes, the next hub finds it out again. */
  tell(told: ToldOnce, none = () => this.pass(told)): void {
    this.#offer(this.takers(), { ...told, alertId: this.#noticeId-- }, none);
  }

  /** Takes on what no tab of another hub took. */
  hear(passed: Passed): void {
    if (passed.kind === "claims") this.look();
    else this.tell(passed, () => undefined);
  }

  /**
   * A tab confirms that it shows an alert. Returns whether the alert was still open. Any hub can be told about a claim,
   * because the one that took it may be gone.
   */
  async confirm(alertId: number): Promise<Result<boolean, StoreError>> {
    const offered = this.#open.get(alertId);
    offered?.settle();
    const urgent = offered?.rows.filter(({ event }) => priorityOf(event) === 5) ?? [];
    this.#repeatLater(urgent.map(keyOf), offered?.repeats ?? 0);
    // Notices and repeats have no claim.
    return alertId < 0 ? ok(offered !== undefined) : this.environment.store.settleClaim(alertId);
  }

  /** Takes claimed alerts that nobody offers, if there is a tab to hand them to, and ends them once it is too late. */
  look(): void {
    if (this.#nextEnd === undefined) this.#endAfter(END_EVERY_MS);
    void this.#look().catch(this.environment.report);
  }

  async #look(): Promise<void> {
    const { store, now } = this.environment;
    const tried = Math.min(this.takers().length, MAX_TRIED);
    if (tried === 0) return;
    const untilMs = now() + tried * CONFIRM_WITHIN_MS;
    const looked = await store.takeClaims(now(), untilMs);
    // If the store can't be read now, it is read later, unless it is closed; the ingest reports storage trouble.
    if (!looked.ok) return looked.error.kind === "unavailable" ? undefined : this.#lookAt(untilMs);
    const { taken, nextMs } = looked.value;
    if (nextMs !== undefined) this.#lookAt(nextMs);
    if (!taken) return;
    const alert = { kind: "alert", alertId: taken.claimId, rows: taken.rows } as const;
    this.#offer(this.takers().slice(0, tried), alert, () => this.pass({ kind: "claims" }));
  }

  /** Repeats an alert after a while, if repeats are still set then and the messages still unread. */
  #repeatLater(keys: readonly MessageKey[], repeats: number): void {
    if (keys.length === 0 || repeats >= MAX_ALERT_REPEATS) return;
    const { setTimer, report } = this.environment;
    setTimer(() => void this.#repeat(keys, repeats + 1).catch(report), REPEAT_AFTER_MS);
  }

  async #repeat(keys: readonly MessageKey[], repeats: number): Promise<void> {
    const { store, now } = this.environment;
    const [settings, subscriptions, unread] = await Promise.all([
      store.settings(),
      store.subscriptions(),
      store.unreadAmong(keys),
    ]);
    // If it can't be read now, the next repeat reads it.
    if (!settings.ok || !subscriptions.ok || !unread.ok) return this.#repeatLater(keys, repeats);
    const { alerts, alertRules } = settings.value;
    if (!alerts || !decodeAlertRules(alertRules).repeatUrgent) return;
    const heldBack = heldBackBy(alertRules, now());
    const rows = unread.value.filter((row) => {
      const topic = subscriptions.value.find(({ subId }) => subId === row.subId);
      return topic && !whyNoAlert(row, { nowMs: now(), topic, heldBack });
    });
    const later = (): void => this.#repeatLater(unread.value.map(keyOf), repeats);
    // Rules that hold them back now may end before the repeats do.
    if (rows.length === 0) return later();
    this.#offer(this.takers(), { kind: "alert", alertId: this.#noticeId--, rows, repeated: true }, later, repeats);
  }

  #endAfter(delayMs: number): void {
    const end = () => void this.#endClaims().catch(this.environment.report);
    this.#nextEnd = this.environment.setTimer(end, delayMs);
  }

  /** Ends claims that are too old. If the store can't be written now, it is tried again, unless it is closed. */
  async #endClaims(): Promise<void> {
    const { store, now } = this.environment;
    const ended = await store.endClaims(now());
    this.#nextEnd = undefined;
    if (ended.ok ? ended.value === undefined : ended.error.kind === "unavailable") return;
    const nextMs = (ended.ok && ended.value ? ended.value : Infinity) - now();
    this.#endAfter(Math.min(Math.max(nextMs, NEXT_ROUND_MS), END_EVERY_MS));
  }

  #lookAt(atMs: number): void {
    const { now, setTimer, clearTimer } = this.environment;
    clearTimer(this.#nextLook);
    this.#nextLook = setTimer(() => this.look(), Math.max(0, atMs - now()));
  }

  /** @param repeats how often its messages were repeated */
  #offer([taker, ...others]: AlertTaker[], alert: Untimed<Alert>, none: () => void, repeats = 0): void {
    if (!taker) return none();
    const { now, setTimer, clearTimer } = this.environment;
    const timer = setTimer(() => {
      this.#open.delete(alert.alertId);
      taker.missed();
      this.#offer(others, alert, none, repeats);
    }, CONFIRM_WITHIN_MS);
    const settle = (): void => {
      this.#open.delete(alert.alertId);
      clearTimer(timer);
    };
    this.#open.set(alert.alertId, { settle, repeats, rows: alert.kind === "alert" ? alert.rows : [] });
    taker.post({ ...alert, untilMs: now() + CONFIRM_WITHIN_MS });
  }
}

type Untimed<Told> = Told extends unknown ? Omit<Told, "untilMs"> : never;
