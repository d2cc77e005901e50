import type { Inspection } from "../../../client";
import type { ServerTest } from "../../../contract";
import { isHttps, isLoopback, isNearby, toMs, type Failure, type ServerAddress } from "../../../protocol";
import { failureText, serverStrings } from "../../strings";

/** A device clock that differs from the server's by this much, seconds, is wrong. */
const CLOCKS_AGREE_WITHIN_S = 60;

export type Finding =
  | { kind: "reached" }
  /** Why the address doesn't answer like a topic server, as far as a browser can tell. */
  | { kind: "mixed" | "local-by-http" | "local-denied" | "local-not-asked" | "offline" }
  | { kind: "no-answer" | "slow" | "unreadable" | "something-else" }
  /** The page reaches the server, but the hub, which is a worker, does not. */
  | { kind: "worker"; why: Failure }
  | { kind: "access"; accountId: number; why?: Failure }
  | { kind: "stream"; isOpen: boolean }
  | { kind: "keeps"; seconds: number | undefined }
  | { kind: "clock"; aheadS: number };

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
    ...(clockAheadS === undefined ? [] : [{ kind: "clock" as const, aheadS: clockAheadS }]),
  ];
}

/** What was found, and what could be done about it. @param nameOf name of an account; undefined for none */
export function findingText(
  finding: Finding,
  nameOf: (accountId: number) => string | undefined,
): { grade: Grade; text: string; hint?: string } {
  const strings = serverStrings.test;
  switch (finding.kind) {
    case "reached":
      return { grade: "good", text: strings.reached };
    case "worker":
      return { grade: "bad", text: strings.worker({ text: failureText(finding.why) }), hint: strings.workerHint };
    case "access": {
      const who = nameOf(finding.accountId);
      if (!finding.why) return { grade: "good", text: who === undefined ? strings.open : strings.signedIn({ who }) };
      const text = strings.refused({ who: who ?? strings.notSignedIn, text: failureText(finding.why) });
      return { grade: "bad", text };
    }
    case "stream":
      if (finding.isOpen) return { grade: "good", text: strings.stream };
      return { grade: "doubtful", text: strings.noStream, hint: strings.noStreamHint };
    case "keeps":
      if (finding.seconds) return { grade: "good", text: strings.keeps({ ms: toMs(finding.seconds) }) };
      if (finding.seconds === undefined) return { grade: "doubtful", text: strings.keepsUnknown };
      return { grade: "doubtful", text: strings.keepsNothing, hint: strings.keepsNothingHint };
    case "clock": {
      if (Math.abs(finding.aheadS) <= CLOCKS_AGREE_WITHIN_S) return { grade: "good", text: strings.clock };
      const ms = toMs(Math.abs(finding.aheadS));
      const text = finding.aheadS > 0 ? strings.ahead({ ms }) : strings.behind({ ms });
      return { grade: "doubtful", text, hint: strings.clockHint };
    }
    default:
      return { grade: "bad", text: strings[finding.kind], hint: strings[`${finding.kind}Hint`] };
  }
}

function isOfTheWay({ kind }: Failure): boolean {
  return kind === "network" || kind === "not-allowed-by-browser" || kind === "silent" || kind === "ended";
}
