import type { StorableEvent } from "../../protocol";
import type { GapRecord, SubscriptionRecord, Witness } from "../../store";
import type { Environment } from "../environment";

/** How far the server's clock may be ahead of what was heard, seconds: what expires within this may already be gone. */
export const EXPIRY_MARGIN_S = 120;

/** A poll by time checks the most telling witness among this many topics, those with the newest messages. */
const PROVEN_BY_TIME = 3;

/** A message that a poll must bring, and what the poll has shown of it so far. */
interface ExpectedMessage extends Pick<Witness, "id" | "time" | "expires"> {
  hasCome: boolean;
  /** The oldest time among the messages that came and are newer than this one, seconds. */
  nextS: number;
}

/** A topic, and the messages of it that a poll must bring. */
interface CheckedTopic {
  topic: string;
  witness: ExpectedMessage;
  /** See `Witness`. */
  sinceS: number;
  /** Not newer than the time cursor. A newer one may have come after a loss, so it proves less. */
  isOfBefore: boolean;
  latest?: ExpectedMessage;
}

/** A server may send this long before it stores, seconds: if one message was lost, others of that time may be too. */
const SENT_BEFORE_S = 30;

/**
 * Checks whether the server still has what it kept (docs/design.md §4, "Proof"; decision 0017). For each topic, one
 * message is known that the server must have; if a complete poll reaches back that far and lacks it, the server lost
 * its cache. If only the newest is missing, it lost what it hadn't written yet.
 */
export class CacheProof {
  readonly #checked: CheckedTopic[];
  /** The topics of which only the newest message is looked for. */
  readonly #latest: CheckedTopic[];
  readonly #byTopic: ReadonlyMap<string, CheckedTopic>;

  /**
   * @param subscriptions as they are before the poll
   * @param most how many topics to check at most, the most telling ones. In the others the newest message is looked
   * for, for which the poll needn't reach back
   */
  constructor(subscriptions: readonly SubscriptionRecord[], witnesses: readonly Witness[], most = Infinity) {
    const bySubId = new Map(subscriptions.map((subscription) => [subscription.subId, subscription]));
    const checked = witnesses.flatMap((witness): CheckedTopic[] => {
      const subscription = bySubId.get(witness.subId);
      if (!subscription) return [];
      const { topic, timeCursor = Infinity } = subscription;
      const { sinceS, latest } = witness;
      const isOfBefore = witness.time <= timeCursor;
      return [{ topic, witness: expected(witness), sinceS, isOfBefore, ...(latest && { latest: expected(latest) }) }];
    });
    // Witnesses from before the time cursor come first, newest first, so that a poll needn't reach back far. Later ones
    // follow, oldest first, because those prove more.
    checked.sort((a, b) => {
      if (a.isOfBefore !== b.isOfBefore) return a.isOfBefore ? -1 : 1;
      return a.isOfBefore ? b.witness.time - a.witness.time : a.witness.time - b.witness.time;
    });
    this.#checked = checked.slice(0, most);
    this.#latest = checked.slice(most);
    this.#byTopic = new Map(checked.map((one) => [one.topic, one]));
  }

  /** The oldest witness's time, seconds; Infinity = there is none. */
  get fromS(): number {
    return Math.min(...this.#checked.map(({ witness }) => witness.time));
  }

  /** Records what a poll brought. */
  see(events: readonly StorableEvent[]): void {
    for (const { topic, id, time } of events) {
      const { witness, latest } = this.#byTopic.get(topic) ?? {};
      for (const one of [witness, latest]) {
        if (!one) continue;
        if (id === one.id) one.hasCome = true;
        if (time > one.time) one.nextS = Math.min(one.nextS, time);
      }
    }
  }

  /** Topics that lack something that can't have expired. @param nowS what the server's clock shows as the poll ends */
  missing(nowS: number): string[] {
    const isMissing = (one: ExpectedMessage | undefined): boolean =>
      one !== undefined && !one.hasCome && one.expires >= nowS + EXPIRY_MARGIN_S;
    const lacking = this.#checked.filter(({ witness, latest }) => isMissing(witness) || isMissing(latest));
    return [...lacking, ...this.#latest.filter(({ latest }) => isMissing(latest))].map(({ topic }) => topic);
  }

  /**
   * The spans in which messages may have been lost with the cache, after a complete poll of everything. A span starts
   * at what is known to be stored and ends just before the first message since, which can be a witness itself.
   *
   * @param subscriptions as they were before the poll
   * @param missing what `missing` returned
   * @param askedS what the server's clock showed as the poll began
   */
  gaps(subscriptions: readonly SubscriptionRecord[], missing: readonly string[], askedS: number): GapRecord[] {
    if (missing.length === 0) return [];
    // If the server still has something from before, each topic is judged on its own, and since when it lacks messages
    // is unknown.
    const isAllLost = !this.#checked.some(({ isOfBefore, witness }) => isOfBefore && witness.hasCome);
    const endOf = ({ time, nextS }: ExpectedMessage): number => Math.max(time, Math.min(nextS - 1, askedS));
    const lost = new Map(
      this.#checked.filter(({ topic }) => missing.includes(topic)).map((checked) => [checked.topic, checked]),
    );
    const firstEndS = Math.min(...Array.from(lost.values(), ({ witness }) => endOf(witness)));
    return subscriptions.flatMap(({ subId, topic, timeCursor = Infinity, joined }) => {
      const { witness, latest, sinceS = Infinity } = lost.get(topic) ?? {};
      if (!witness) {
        // A topic without a witness has nevertheless lost what came since.
        const isLost = isAllLost && joined && timeCursor <= firstEndS;
        return isLost ? [{ subId, from: timeCursor, to: firstEndS, forgot: 1 as const }] : [];
      }
      if (witness.hasCome && latest) {
        const from = Math.max(witness.time, latest.time - SENT_BEFORE_S);
        return [{ subId, from, to: endOf(latest), forgot: 1 as const }];
      }
      // The last poll looked for the witness as the topic's newest message, so the loss came after that.
      const to = endOf(witness);
      const wasThere = isAllLost && sinceS <= timeCursor && timeCursor < to;
      const from = wasThere ? timeCursor : Math.min(witness.time, timeCursor);
      return [{ subId, from, to, forgot: 1 as const }];
    });
  }
}

function expected({ id, time, expires }: Pick<Witness, "id" | "time" | "expires">): ExpectedMessage {
  return { id, time, expires, hasCome: false, nextS: Infinity };
}

/**
 * For each of some topics, reads the message that the server must still have.
 * @param subscriptions all that a poll is about to ask for
 * @param known those of them that have messages here
 * @param serverNowS what the server's clock shows, Unix seconds
 * @param isWhole the poll asks for everything; a poll by time checks only one witness, so that it needn't reach back
 * far, and the newest message of some topics
 */
export async function readCacheProof(
  { store, now }: Environment,
  subscriptions: readonly SubscriptionRecord[],
  { known, serverNowS, isWhole }: { known: SubscriptionRecord[]; serverNowS: number; isWhole: boolean },
): Promise<CacheProof> {
  const byNewest = known.toSorted((a, b) => (b.newest?.time ?? 0) - (a.newest?.time ?? 0));
  const asked = isWhole ? known : byNewest.slice(0, PROVEN_BY_TIME);
  const subIds = asked.map(({ subId }) => subId);
  const keptUntilS = serverNowS + EXPIRY_MARGIN_S;
  const read = await store.witnesses({ subIds, nowMs: now(), serverNowS, keptUntilS });
  // Without a database nothing can be stored either, so the poll fails anyway.
  return new CacheProof(subscriptions, read.ok ? read.value : [], isWhole ? Infinity : 1);
}
