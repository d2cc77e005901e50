import type { StorableEvent } from "../protocol";
import type { GapRecord, SubscriptionRecord, Witness } from "../store";
import type { Environment } from "./environment";

/** How far the server's clock may be ahead of what was heard, seconds: what expires within this may be gone already. */
export const EXPIRY_MARGIN_S = 120;

/**
 * A poll by time reads the witnesses of this many topics, those with the newest messages, and checks the one that tells
 * most.
 */
const PROVEN_BY_TIME = 3;

/** A witness and what a poll showed of it. */
interface Looked extends Witness {
  /**
   * The witness isn't newer than the topic's time cursor. A newer one may have come after a loss, so it proves less.
   */
  isOfBefore: boolean;
  hasCome: boolean;
  /** The oldest time among the messages that came and are newer than the witness, seconds. */
  nextS: number;
}

/**
 * Tells whether the server still has what it kept (docs/design.md §4, "Proof"; decision 0017). For each topic one
 * message is known that the server must have; when a complete poll reaches back that far and lacks it, the server has
 * lost its cache.
 */
export class CacheProof {
  readonly #looked = new Map<string, Looked>();

  /**
   * @param subscriptions as they are before the poll
   * @param most how many topics are checked at most; those that tell most are chosen
   */
  constructor(subscriptions: readonly SubscriptionRecord[], witnesses: readonly Witness[], most = Infinity) {
    const bySubId = new Map(subscriptions.map((subscription) => [subscription.subId, subscription]));
    const looked = witnesses.flatMap((witness) => {
      const subscription = bySubId.get(witness.subId);
      if (!subscription) return [];
      const { topic, timeCursor = Infinity } = subscription;
      const isOfBefore = witness.time <= timeCursor;
      return [{ ...witness, topic, isOfBefore, hasCome: false, nextS: Infinity }];
    });
    // Witnesses from before the time cursor come first, the newest of them first, so that a poll needn't reach back
    // far. Later ones follow, the oldest first, as those tell more.
    looked.sort((a, b) => {
      if (a.isOfBefore !== b.isOfBefore) return a.isOfBefore ? -1 : 1;
      return a.isOfBefore ? b.time - a.time : a.time - b.time;
    });
    for (const { topic, ...witness } of looked.slice(0, most)) this.#looked.set(topic, witness);
  }

  /** The oldest witness's time, seconds; Infinity = there is none. */
  get fromS(): number {
    return Math.min(...Array.from(this.#looked.values(), ({ time }) => time));
  }

  /** Notes what a poll brought. */
  see(events: readonly StorableEvent[]): void {
    for (const { topic, id, time } of events) {
      const witness = this.#looked.get(topic);
      if (!witness) continue;
      if (id === witness.id) witness.hasCome = true;
      if (time > witness.time) witness.nextS = Math.min(witness.nextS, time);
    }
  }

  /** Topics that lack something that can't have expired. @param nowS what the server's clock shows as the poll ends */
  missing(nowS: number): string[] {
    return [...this.#looked].flatMap(([topic, { hasCome, expires }]) =>
      hasCome || expires < nowS + EXPIRY_MARGIN_S ? [] : [topic],
    );
  }

  /**
   * The spans in which messages may be lost with the cache, once a poll of everything was complete. A span starts at
   * what is known to be stored, and ends just before the first message that the server has taken since, which can be a
   * witness itself.
   *
   * @param subscriptions as they were before the poll
   * @param missing what `missing` returned
   * @param askedS what the server's clock showed as the poll began
   */
  gaps(subscriptions: readonly SubscriptionRecord[], missing: readonly string[], askedS: number): GapRecord[] {
    if (missing.length === 0) return [];
    const isKept = ({ isOfBefore, hasCome }: Looked): boolean => isOfBefore && hasCome;
    // If the server still has something from before, each topic is judged by itself, and nobody knows since when it
    // lacks messages.
    const isAllLost = ![...this.#looked.values()].some(isKept);
    const endOf = ({ time, nextS }: Looked): number => Math.max(time, Math.min(nextS - 1, askedS));
    const lost = new Map([...this.#looked].filter(([topic]) => missing.includes(topic)));
    const firstEndS = Math.min(...Array.from(lost.values(), endOf));
    return subscriptions.flatMap(({ subId, topic, timeCursor = Infinity, joined }) => {
      const witness = lost.get(topic);
      if (!witness) {
        // A topic without a witness has still lost what came since.
        const isLost = isAllLost && joined && timeCursor <= firstEndS;
        return isLost ? [{ subId, from: timeCursor, to: firstEndS, forgot: 1 as const }] : [];
      }
      // The witness was found when the topic was last known to be complete, so the loss came after that.
      const to = endOf(witness);
      const wasThere = isAllLost && witness.sinceS <= timeCursor && timeCursor < to;
      const from = wasThere ? timeCursor : Math.min(witness.time, timeCursor);
      return [{ subId, from, to, forgot: 1 as const }];
    });
  }
}

/**
 * Reads, for some topics, the message that the server must still have.
 * @param subscriptions all that a poll is about to ask for
 * @param known those of them that have messages here
 * @param serverNowS what the server's clock shows, Unix seconds
 * @param isWhole the poll asks for everything; a poll by time checks only one witness, so that it needn't reach back
 * far
 */
export async function readCacheProof(
  { store, now }: Environment,
  subscriptions: readonly SubscriptionRecord[],
  { known, serverNowS, isWhole }: { known: SubscriptionRecord[]; serverNowS: number; isWhole: boolean },
): Promise<CacheProof> {
  const newestFirst = known.toSorted((a, b) => (b.newest?.time ?? 0) - (a.newest?.time ?? 0));
  const asked = isWhole ? known : newestFirst.slice(0, PROVEN_BY_TIME);
  const subIds = asked.map(({ subId }) => subId);
  const keptUntilS = serverNowS + EXPIRY_MARGIN_S;
  const read = await store.witnesses({ subIds, nowMs: now(), serverNowS, keptUntilS });
  // Without a database nothing can be stored either, so the poll fails anyway.
  return new CacheProof(subscriptions, read.ok ? read.value : [], isWhole ? Infinity : 1);
}
