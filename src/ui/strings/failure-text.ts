import type { CommandError } from "../../contract";
import type { Failure } from "../../protocol";
import { ERROR_CODES, unreachable } from "../../protocol";
import { list } from "./format";

/** What a language says of failures. `server`: what to call the server; `topics`: their names in a list, if there are any. */
export interface FailureStrings {
  /** What to call a server at the start of a sentence. */
  theServer: string;
  network: (server: string) => string;
  silent: (server: string) => string;
  ended: (server: string) => string;
  http: (server: string, status: string) => string;
  /** It refuses each sign-in for a while. */
  lockedOut: (server: string) => string;
  /** What the server sends one visitor on a day is used up; absent = as `busy`. */
  trafficSpent?: (server: string) => string;
  busy: (server: string) => string;
  /** It takes no more new topics for now. */
  notAdmitted?: (server: string) => string;
  unauthorized: (server: string) => string;
  mayNotRead: (topics: string | undefined) => string;
  needsSignIn: (server: string, topics: string | undefined) => string;
  noTopicServer: string;
  notAllowedByBrowser: string;
  /** @param server absent = the server */
  malformed: (server: string | undefined) => string;
  /** The host of the app doesn't allow a server. */
  notAllowedByHost: string;
  /** The host of the app has fixed a setting. */
  fixedByHost: string;
  duplicate: string;
  notFound: string;
  quota: string;
  storage: (text: string) => string;
}

/** Writes failures, and commands that failed, with these strings. */
export function failureTextFrom(strings: FailureStrings) {
  /** Why an attempt failed, in the user's terms (docs/protocol.md §10). */
  function failure(why: Failure, name?: string): string {
    const server = name ?? strings.theServer;
    switch (why.kind) {
      case "network":
      case "silent":
      case "ended":
      case "unauthorized":
        return strings[why.kind](server);
      case "http":
        return strings.http(server, String(why.status));
      case "busy":
        if (why.code === ERROR_CODES.tooManyFailedLogins) return strings.lockedOut(server);
        return (
          (why.code === ERROR_CODES.tooManyNewTopics ? strings.notAdmitted : undefined)?.(server) ??
          (why.code === ERROR_CODES.tooMuchTraffic ? strings.trafficSpent : undefined)?.(server) ??
          strings.busy(server)
        );
      case "forbidden": {
        const topics = why.topics.length > 0 ? list(why.topics) : undefined;
        return why.isSignedIn ? strings.mayNotRead(topics) : strings.needsSignIn(server, topics);
      }
      case "no-topic-server":
        return strings.noTopicServer;
      case "not-allowed-by-browser":
        return strings.notAllowedByBrowser;
      case "malformed":
        return strings.malformed(name);
      default:
        return unreachable(why);
    }
  }

  /** Why an input is refused: in words where a user meets it, else as the hub says. */
  function invalid(reason: string): string {
    switch (reason) {
      case "not-allowed":
        return strings.notAllowedByHost;
      case "locked":
        return strings.fixedByHost;
      default:
        return reason;
    }
  }

  /** Why a command was not carried out. */
  function command(error: CommandError): string {
    switch (error.kind) {
      case "failed":
        return failure(error.why);
      case "invalid":
        return invalid(error.reason);
      case "duplicate":
        return strings.duplicate;
      case "not-found":
        return strings.notFound;
      case "quota":
        return strings.quota;
      case "storage":
        return strings.storage(error.text);
      default:
        return unreachable(error);
    }
  }

  return { failure, command };
}
