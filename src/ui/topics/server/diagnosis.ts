import type { Catalogue, Damage, ServerRecord, SubscriptionRecord, PageEnvironment } from "../../../client";
import { isMuted, type ConnectionState, type ServerStatus } from "../../../contract";
import { type Failure, unreachable, toMs } from "../../../protocol";
import { completeness } from "../../state/topics/completeness";
import { isoTime } from "../../strings/dates";

/** The input of a diagnosis. */
export interface DiagnosisInput {
  catalogue: Pick<Catalogue, "servers" | "accounts" | "subscriptions" | "gaps" | "total">;
  statuses: ReadonlyMap<number, ServerStatus>;
  /** Damaged records; undefined = they could not be counted. */
  damage: Damage | undefined;
  environment: PageEnvironment;
  build: string;
  browser: string;
  online: boolean;
  /** Device clock, ms. */
  nowMs: number;
}

/**
 * The state of the app as text for someone who helps. Servers and topics have numbers, the same in every diagnosis. It
 * holds nothing a user typed or a server sent.
 */
export function diagnosis(input: DiagnosisInput): string {
  const { catalogue, environment, build, browser, online, nowMs } = input;
  const { secure, storage, worker } = environment;
  const kept = catalogue.subscriptions.filter((subscription) => subscription.removedAtMs === undefined);
  const lines = [
    `Earshot ${build}`,
    `at ${isoTime(nowMs)}`,
    `browser: ${browser}`,
    `page: ${secure ? "secure" : "plain http"}, ${online ? "online" : "offline"}, worker ${worker}, storage ${storage}`,
    `stored: ${String(catalogue.total)} messages of ${String(kept.length)} topics`,
    `damaged: ${damageText(input.damage)}`,
  ];
  for (const server of catalogue.servers) {
    const own = kept.filter((subscription) => subscription.serverId === server.serverId);
    if (own.length > 0) lines.push("", ...serverLines(server, own, input));
  }
  return `${lines.join("\n")}\n`;
}

function damageText(damage: Damage | undefined): string {
  if (!damage) return "unknown";
  return (
    Object.entries(damage)
      .map(([store, count]) => `${String(count)} ${store}`)
      .join(", ") || "nothing"
  );
}

function serverLines(server: ServerRecord, own: readonly SubscriptionRecord[], input: DiagnosisInput): string[] {
  const { serverId, chosenTransport, learntTransport, keepaliveMs, retentionS } = server;
  const status = input.statuses.get(serverId);
  const completeAtMs = status?.lastCompleteAtMs ?? server.lastCompleteAtMs;
  const ago = (ms: number | undefined) =>
    ms === undefined ? "never" : `${String(Math.max(0, Math.round((input.nowMs - ms) / 1000)))} s ago`;
  const seconds = (ms: number | undefined) => (ms === undefined ? "unknown" : `${String(Math.round(ms / 1000))} s`);
  const accounts = input.catalogue.accounts.filter((account) => account.serverId === serverId);
  const inQuery =
    server.credentialsBy && `, sent by query, last refused in the header ${ago(server.credentialsByAtMs)}`;
  return [
    `server ${String(serverId)}`,
    `  state: ${status ? stateText(status.state, input.nowMs) : "unknown"}${status?.checking ? ", checking" : ""}`,
    `  transport: ${chosenTransport ? `${chosenTransport} by hand` : "automatic"}, worked last: ${learntTransport ?? "none"}`,
    `  last contact: ${ago(status?.lastContactAtMs)}, last complete check: ${ago(completeAtMs)}`,
    `  keepalive: ${seconds(keepaliveMs)}, kept there: ${seconds(retentionS === undefined ? undefined : toMs(retentionS))}`,
    `  requests in five minutes: ${String(status?.recentRequests ?? 0)}, lines skipped: ${String(status?.malformed ?? 0)}`,
    `  accounts: ${String(accounts.length)}${inQuery ?? ""}, refused: ${String(
      accounts.filter((account) => account.refusedAtMs !== undefined).length,
    )}`,
    ...own.map((subscription) => topicLine(subscription, input)),
  ];
}

function topicLine(subscription: SubscriptionRecord, { catalogue: { gaps }, nowMs }: DiagnosisInput): string {
  const { subId, total, unread, accountId, mutedUntilMs, refusedCode } = subscription;
  const known = completeness(subscription, gaps);
  const since = known.kind === "since" ? ` ${isoTime(toMs(known.time))}` : "";
  return [
    `  topic ${String(subId)}: ${known.kind}${since}`,
    ...(refusedCode === undefined ? [] : [`code ${String(refusedCode)}`]),
    `${String(total)} stored, ${String(unread)} unread`,
    `${String(gaps.filter((gap) => gap.subId === subId).length)} gaps`,
    ...(accountId === 0 ? [] : ["signed in"]),
    ...(isMuted(mutedUntilMs, nowMs) ? ["muted"] : []),
  ].join(", ");
}

function stateText(state: ConnectionState, nowMs: number): string {
  switch (state.kind) {
    case "idle":
      return "idle";
    case "offline":
      return "offline";
    case "live":
      return `live by ${state.transport} for ${String(Math.round((nowMs - state.sinceMs) / 1000))} s`;
    case "connecting":
      return `connecting, attempt ${String(state.attempt)}`;
    case "waiting":
      return `waiting after attempt ${String(state.attempt)}: ${failureText(state.why)}`;
    case "refused":
    case "stopped":
      return `${state.kind}: ${failureText(state.why)}`;
    default:
      return unreachable(state);
  }
}

/** A failure by kind and numbers; server texts may contain names. */
function failureText(why: Failure): string {
  const code = "code" in why && why.code !== undefined ? ` ${String(why.code)}` : "";
  return `${why.kind}${why.kind === "http" ? ` ${String(why.status)}` : ""}${code}`;
}
