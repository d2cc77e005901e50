import type { Catalogue, Damage, PageEnvironment } from "../../../client";
import type { GroupState, ServerStatus } from "../../../contract";
import { isoTime } from "../../strings";

export interface DiagnosisInput {
  catalogue: Pick<Catalogue, "servers" | "accounts" | "subscriptions" | "gaps" | "total">;
  statuses: ReadonlyMap<number, ServerStatus>;
  group: GroupState | undefined;
  /** Damaged records; undefined = they could not be counted. */
  damage: Damage | undefined;
  environment: PageEnvironment;
  build: string;
  browser: string;
  online: boolean;
  /** Device clock, ms. */
  nowMs: number;
}

/** The fields of records that are included. The others hold what a user typed or a server sent. */
const TOLD = [
  ...["build", "at", "nowMs", "browser", "online", "secure", "storage", "worker", "total", "damaged"],
  ...["serverId", "chosenTransport", "learntTransport", "credentialsBy", "credentialsByAtMs", "keepaliveMs"],
  ...["retentionS", "clockAheadS", "lastCompleteAtMs", "lastContactAtMs", "checking", "malformed", "recentRequests"],
  ...["state", "kind", "attempt", "transport", "sinceMs", "everyMs", "nextTryAtMs", "why", "status", "code"],
  ...["accountId", "issued", "expires", "refusedAtMs"],
  ...["subId", "joined", "fromTime", "timeCursor", "refusedCode", "mutedUntilMs", "minPriority", "unread"],
  ...["devices", "inStep", "waiting", "trouble"],
  ...["removedAtMs", "from", "to", "forgot", "cut"],
];

/** The state of the app as text for someone who helps: a line per record, numbered the same every time. */
export function diagnosis({ catalogue, statuses, group, damage, environment, ...page }: DiagnosisInput): string {
  const { servers, accounts, subscriptions, gaps, total } = catalogue;
  const damaged = damage && Object.entries(damage).map(([store, count]) => `${String(count)} ${store}`);
  const lines: [string, readonly object[]][] = [
    ["app", [{ ...page, at: isoTime(page.nowMs), ...environment, total, damaged: damaged?.join(", ") ?? "unknown" }]],
    ["server", servers],
    ["connection", [...statuses.values()]],
    ["devices", group ? [devicesIn(group)] : []],
    ["account", accounts],
    ["topic", subscriptions],
    ["gap", gaps],
  ];
  return lines
    .flatMap(([name, records]) => records.map((record) => `${name} ${JSON.stringify(record, TOLD)}\n`))
    .join("");
}

function devicesIn(group: GroupState): object {
  if (group.kind !== "member") return group;
  return { ...group, devices: group.devices.length, inStep: group.devices.filter((one) => one.isInStep).length };
}
