import type { CommandError } from "../../../contract";
import type { Failure } from "../../../protocol";
import { unreachable } from "../../../protocol";
import { list } from "../format";

/** Why an attempt failed, in the user's terms (docs/protocol.md §10). `server`: what to call the server. */
function failure(why: Failure, server = "The server"): string {
  switch (why.kind) {
    case "network":
      return `${server} can't be reached.`;
    case "silent":
      return `${server} stopped responding.`;
    case "ended":
      return `${server} closed the connection.`;
    case "http":
      return `${server} answered with an error (${String(why.status)}).`;
    case "busy":
      return why.code === 42909
        ? `Too many failed sign-ins from this network. ${server} refuses all of them for some minutes.`
        : `${server} is limiting requests.`;
    case "unauthorized":
      return `${server} rejected the password or token.`;
    case "forbidden":
      if (why.isSignedIn) {
        return why.topics.length ? `This user may not read ${list(why.topics)}.` : "This user may not read this topic.";
      }
      return why.topics.length
        ? `${server} requires a sign-in for ${list(why.topics)}.`
        : `${server} requires a sign-in.`;
    case "no-topic-server":
      return "There is no topic server at this address.";
    case "not-allowed-by-browser":
      return "The browser doesn't let this page reach that address.";
    case "malformed":
      return `Something else is answering in place of ${server.replace(/^The/, "the")}. This network may want you to sign in first.`;
    default:
      return unreachable(why);
  }
}

/** Why an input is refused: in words where a user meets it, else as the hub says. */
function invalid(reason: string): string {
  switch (reason) {
    case "not-allowed":
      return "Whoever hosts this app doesn't allow this server.";
    case "locked":
      return "Whoever hosts this app has fixed this setting.";
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
      return "You are already subscribed to this topic.";
    case "not-found":
      return "It no longer exists.";
    case "quota":
      return "Storage is full.";
    case "storage":
      return `Storage failed: ${error.text}`;
    default:
      return unreachable(error);
  }
}

export const errors = {
  failure,
  command,
  noClipboard: "The browser doesn't let this page use the clipboard.",
};
