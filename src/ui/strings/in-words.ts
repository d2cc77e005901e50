// Failures and states in the user's words.
import type { BackupFault, CommandError, ConfigProblem, ConnectionState, WantedValue } from "../../contract";
import { ERROR_CODES, type Failure, isDelayCode, isTopicCode, unreachable } from "../../protocol";
import { backupStrings, errorStrings, hostStrings, stateStrings } from "./catalogue";
import { count, duration, list, timeOfDay } from "./format";

/** Why an attempt failed, in words (docs/protocol.md §10). @param name of the server @param user who asked, if known */
export function failureText(why: Failure, name?: string, user: string = errorStrings.thisUser): string {
  const server = name ?? errorStrings.theServer;
  switch (why.kind) {
    case "network":
    case "silent":
    case "ended":
    case "unauthorized":
      return errorStrings[why.kind]({ server });
    case "http":
      if (isTopicCode(why.code)) return errorStrings.notAccepted({ server });
      if (isDelayCode(why.code)) return errorStrings.delayRefused({ server });
      if (why.code === ERROR_CODES.fileTooLarge) return errorStrings.fileTooLarge({ server });
      if (why.status === 400 && why.text) return errorStrings.refusedIt({ server, text: why.text.replace(/\.$/, "") });
      return errorStrings.http({ server, status: String(why.status) });
    case "busy":
      switch (why.code) {
        case ERROR_CODES.tooManyFailedLogins:
          return errorStrings.lockedOut({ server });
        case ERROR_CODES.tooManyNewTopics:
          return errorStrings.notAdmitted({ server });
        case ERROR_CODES.noMessageLeft:
          return errorStrings.noMessageLeft({ server });
        case ERROR_CODES.tooMuchTraffic:
          return errorStrings.trafficSpent({ server });
        default:
          return errorStrings.busy({ server });
      }
    case "forbidden": {
      const topics = list(why.topics);
      if (why.isSignedIn)
        return topics ? errorStrings.mayNotReadTopics({ user, topics }) : errorStrings.mayNotRead({ user });
      return topics ? errorStrings.needsSignInFor({ server, topics }) : errorStrings.needsSignIn({ server });
    }
    case "no-topic-server":
    case "not-allowed-by-browser":
      return name === undefined ? errorStrings[why.kind] : `${name}: ${errorStrings[why.kind]}`;
    case "malformed":
      return name === undefined ? errorStrings.malformed : errorStrings.malformedOf({ server });
    default:
      return unreachable(why);
  }
}

/** Why a command was not carried out. @param user who asked the server, if known */
export function commandText(error: CommandError, user?: string): string {
  switch (error.kind) {
    case "failed":
      return failureText(error.why, undefined, user);
    case "invalid":
      // In the user's words if a user can meet it, else as the hub says.
      if (error.reason === "not-allowed") return errorStrings.notAllowedByHost;
      return error.reason === "locked" ? errorStrings.fixedByHost : error.reason;
    case "duplicate":
    case "not-found":
    case "quota":
      return errorStrings[error.kind];
    case "storage":
      return errorStrings.storage({ text: error.text });
    default:
      return unreachable(error);
  }
}

/** Why a backup isn't read or imported; other failures are worded as for any command. */
export function backupFaultText(why: BackupFault): string {
  const strings = backupStrings.fault;
  switch (why.kind) {
    case "not-a-backup":
    case "cut-backup":
    case "ended-import":
    case "quota":
      return strings[why.kind];
    case "newer-backup":
      return strings.newer({ version: String(why.version) });
    case "bad-line":
      return strings.badLine({ line: count(why.line) });
    default:
      return `${commandText(why)} ${strings.nothingKept}`;
  }
}

function wantedText(wanted: WantedValue): string {
  const { problem } = hostStrings;
  if (typeof wanted === "string") return problem.wanted[wanted];
  return problem.oneOf({ values: list(wanted.map((value) => `"${value}"`)) });
}

export function hostProblemText(problem: ConfigProblem): string {
  const strings = hostStrings.problem;
  switch (problem.kind) {
    case "too-long":
      return strings[problem.kind];
    case "not-json":
      return strings[problem.kind](problem);
    case "unknown":
    case "not-allowed":
      return strings[problem.kind](problem);
    case "wrong": {
      const { at, found } = problem;
      const wanted = wantedText(problem.wanted);
      return at === "" ? strings.wrongFile({ wanted, found }) : strings.wrong({ at, wanted, found });
    }
    default:
      return unreachable(problem);
  }
}

/** State of one server in a word or two. Times in ms; `heardAtMs`: when it last answered. */
export function connectionText(state: ConnectionState, nowMs: number, heardAtMs?: number): string {
  const strings = stateStrings.connection;
  switch (state.kind) {
    case "live":
      // A polled server is never called live, because between two polls it is unknown whether it can be reached.
      if (state.everyMs) {
        const length = duration(state.everyMs);
        return heardAtMs === undefined
          ? strings.polled({ length })
          : strings.polledAt({ length, time: timeOfDay(heardAtMs) });
      }
      if (!state.inTurn) return strings.live;
      return strings.inTurn({ count: state.inTurn.topics, length: duration(state.inTurn.everyMs) });
    case "waiting":
      return strings.waiting({ length: duration(Math.max(0, state.nextTryAtMs - nowMs)) });
    case "stopped":
      return state.why.kind === "no-topic-server" ? strings.noTopicServer : strings.stopped;
    default:
      return strings[state.kind];
  }
}

/** The same for screen readers, with one word for all the states that alternate while reconnecting. */
export function spokenConnectionText(state: ConnectionState | undefined): string {
  const isTrying = !state || state.kind === "idle" || state.kind === "connecting" || state.kind === "waiting";
  return isTrying ? stateStrings.connection.idle : connectionText(state, 0);
}

/** The technical details of a failure, shown on demand: a server's codes and texts, the same in every language. */
export function technicalLine(why: Failure): string {
  switch (why.kind) {
    case "http":
      return [`HTTP ${String(why.status)}`, why.code && `code ${String(why.code)}`, why.text]
        .filter(Boolean)
        .join(" · ");
    case "busy":
    case "unauthorized":
    case "forbidden":
      return `code ${String(why.code)}`;
    case "malformed":
      return why.text;
    default:
      return why.kind;
  }
}
