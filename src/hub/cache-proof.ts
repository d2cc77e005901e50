import type { StorableEvent } from "../protocol";
import type { GapRecord, SubscriptionRecord, Witness } from "../store";
import type { Environment } from "./environment";

/** A server's clock may be so much further on than was heard, seconds, and what has expired may be gone. */
export const EXPIRY_MARGIN_S = 120;

/** Of so many topics a poll by time looks whether the server still has what it kept: those that something came for last. */
const PROVEN_BY_TIME = 3;

/** A witness, and what became of it in a poll. */
interface Looked extends Witness {
  /** The topic was known to be complete when it had come: what came later may have come after a loss. */
  isOfBefore: boolean;
  hasCome: boolean;
  /** The oldest time of what came and is newer, seconds. */
  nextS: number;
}

/**
 * Whether the server still has what it kept (docs/design.md §4, "Proof"; decision 0017). Of each topic one message is known
 * that it must have; a complete poll that reaches back that far and lacks it shows that the server lost its cache.
 */
export class CacheProof {
  readonly #looked = new Map<string, Looked>();

  /**
   * @param subscriptions as they are before the poll
   * @param most of so many topics, those that tell most
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
    // Of before the newest, so that a poll need not reach back far; of what came since the oldest, as it tells more.
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

  /** A poll brought these. */
  see(events: readonly StorableEvent[]): void {
    for (const { topic, id, time } of events) {
      const witness = this.#looked.get(topic);
      if (!witness) continue;
      if (id === witness.id) witness.hasCome = true;
      if (time > witness.time) witness.nextS = Math.min(witness.nextS, time);
    }
  }

  /** Topics of which something is missing that can't have expired. @param nowS what the server's clock shows as the poll ends */
  missing(nowS: number): string[] {
    return [...this.#looked].flatMap(([topic, { hasCome, expires }]) =>
      hasCome || expires < nowS + EXPIRY_MARGIN_S ? [] : [topic],
    );
  }

  /**
   * Where messages may be lost with the cache, once a poll of everything was complete: behind what is known to be stored, up
   * to before the first one that the server has taken since, which can be a witness in its turn.
   *
   * @param subscriptions as they were before the poll
   * @param missing what `missing` gave
   * @param askedS what the server's clock showed as the poll began
   */
  gaps(subscriptions: readonly SubscriptionRecord[], missing: readonly string[], askedS: number): GapRecord[] {
    if (missing.length === 0) return [];
    const isKept = ({ isOfBefore, hasCome }: Looked): boolean => isOfBefore && hasCome;
    // Of a server that still has something each topic stands for itself, and nobody knows since when.
    const isAllLost = ![...this.#looked.values()].some(isKept);
    const endOf = ({ time, nextS }: Looked): number => Math.max(time, Math.min(nextS - 1, askedS));
    const lost = new Map([...this.#looked].filter(([topic]) => missing.includes(topic)));
    const firstEndS = Math.min(...Array.from(lost.values(), endOf));
    return subscriptions.flatMap(({ subId, topic, timeCursor = Infinity, joined }) => {
      const witness = lost.get(topic);
      if (!witness) {
        // One that had nothing to show has lost all the same what came since.
        const isLost = isAllLost && joined && timeCursor <= firstEndS;
        return isLost ? [{ subId, from: timeCursor, to: firstEndS, forgot: 1 as const }] : [];
      }
      // It was looked for when the topic was last known to be complete, and was there.
      const to = endOf(witness);
      const wasThere = isAllLost && witness.sinceS <= timeCursor && timeCursor < to;
      const from = wasThere ? timeCursor : Math.min(witness.time, timeCursor);
      return [{ subId, from, to, forgot: 1 as const }];
    });
  }
}

/**
 * Reads of some topics the message that the server must still have.
 * @param subscriptions all that a poll is about to ask for
 * @param known those of them that have messages here
 * @param serverNowS what the server's clock shows
 * @param isWhole the poll asks for everything; one by time looks at few, as it reaches back no further than it must
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
  // Without a database nothing is stored either, and the poll fails by that.
  return new CacheProof(subscriptions, read.ok ? read.value : [], isWhole ? Infinity : 1);
}
