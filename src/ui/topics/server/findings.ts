import type { Inspection } from "../../../client";
import type { ServerTest } from "../../../contract";
import { isHttps, isLoopback, isNearby, type Failure, type ServerAddress } from "../../../protocol";

/** A device clock that differs from the server's by this much, seconds, is wrong. */
const CLOCKS_AGREE_WITHIN_S = 60;

/** One finding of a test, shown as `good`, `doubtful` or `bad`. */
export type Finding =
  | { kind: "reached" }
  /** Why the address doesn't answer like a topic server, as far as a browser can tell. */
  | { kind: Unreached }
  /** The page reaches the server, but the hub, which is a worker, does not. */
  | { kind: "worker"; why: Failure }
  | { kind: "access"; accountId: number; why?: Failure }
  | { kind: "stream"; isOpen: boolean }
  | { kind: "keeps"; seconds: number | undefined }
  | { kind: "clock"; aheadS: number; agrees: boolean };

/** The ways in which an address fails to answer as a topic server. */
export type Unreached =
  | "mixed"
  | "local-by-http"
  | "local-denied"
  | "local-not-asked"
  | "offline"
  | "no-answer"
  | "slow"
  | "unreadable"
  | "something-else";

export type Grade = "good" | "doubtful" | "bad";

/** What the page knows about the address and the way to it. */
export interface AddressFacts extends Inspection {
  address: ServerAddress;
  /** Whether the page was loaded over https. */
  isHttps: boolean;
  /** Whether the page itself came from a private network. */
  isNear: boolean;
  isOnline: boolean;
}

/** What the address itself shows. Browsers' rules for the local network: docs/design.md §10. */
export function reached({ address, answer, localNetwork, ...page }: AddressFacts): Finding {
  if (answer === "topic-server") return { kind: "reached" };
  if (answer === "not-a-topic-server") return { kind: "something-else" };
  if (answer === "unreadable") return { kind: "unreadable" };
  const isNear = isNearby(address);
  const isAsked = isNear && !page.isNear;
  if (isAsked && !page.isHttps) return { kind: "local-by-http" };
  if (isAsked && localNetwork === "denied") return { kind: "local-denied" };
  // Only browsers that ask about the local network allow plain http to it.
  const mayBePlain = isLoopback(address) || (isNear && localNetwork !== "unknown");
  if (page.isHttps && !isHttps(address) && !mayBePlain) return { kind: "mixed" };
  if (isAsked && localNetwork === "prompt") return { kind: "local-not-asked" };
  if (!page.isOnline && !isNear) return { kind: "offline" };
  return { kind: answer === "slow" ? "slow" : "no-answer" };
}

/** The results of the hub's own tries, in the order in which one would look for a fault. */
export function tried({ access, hasStream, keepsS, clockAheadS }: ServerTest, knownToKeepNothing: boolean): Finding[] {
  const unreached = access.find(({ why }) => why && isOfTheWay(why));
  if (unreached?.why) return [{ kind: "worker", why: unreached.why }];
  return [
    ...access.map((one) => ({ kind: "access" as const, ...one })),
    ...(hasStream === undefined ? [] : [{ kind: "stream" as const, isOpen: hasStream }]),
    { kind: "keeps", seconds: keepsS ?? (knownToKeepNothing ? 0 : undefined) },
    ...(clockAheadS === undefined
      ? []
      : [{ kind: "clock" as const, aheadS: clockAheadS, agrees: Math.abs(clockAheadS) <= CLOCKS_AGREE_WITHIN_S }]),
  ];
}

export function gradeOf(finding: Finding): Grade {
  switch (finding.kind) {
    case "reached":
      return "good";
    case "access":
      return finding.why ? "bad" : "good";
    case "stream":
      return finding.isOpen ? "good" : "doubtful";
    case "keeps":
      return finding.seconds ? "good" : "doubtful";
    case "clock":
      return finding.agrees ? "good" : "doubtful";
    default:
      return "bad";
  }
}

function isOfTheWay({ kind }: Failure): boolean {
  return kind === "network" || kind === "not-allowed-by-browser" || kind === "silent" || kind === "ended";
}
