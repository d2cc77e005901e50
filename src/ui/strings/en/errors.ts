import type { CommandError } from "../../../contract";
import type { Failure } from "../../../protocol";
import { unreachable } from "../../../protocol";
import { list } from "../format";

/** Why an attempt failed, in the user's terms (docs/protocol.md §10). */
function failure(why: Failure): string {
  switch (why.kind) {
    case "network":
      return "The server can't be reached.";
    case "silent":
      return "The server fell silent.";
    case "ended":
      return "The server ended the connection.";
    case "http":
      return `The server answered with an error (${String(why.status)}).`;
    case "busy":
      return why.code === 42909
        ? "Too many failed sign-ins from this network. The server lets nobody in for some minutes."
        : "The server asks to slow down.";
    case "unauthorized":
      return "The server refused this user and password or token.";
    case "forbidden":
      if (why.isSignedIn) {
        return why.topics.length ? `This user may not read ${list(why.topics)}.` : "This user may not read this topic.";
      }
      return why.topics.length
        ? `The server asks for a sign-in for ${list(why.topics)}.`
        : "The server asks for a sign-in.";
    case "no-topic-server":
      return "There is no topic server at this address.";
    case "not-allowed-by-browser":
      return "The browser does not let this page reach that address.";
    case "malformed":
      return "Something else answers in the server's place. This network may ask for a sign-in of its own.";
    default:
      return unreachable(why);
  }
}

/** Why a command was not carried out. */
function command(error: CommandError): string {
  switch (error.kind) {
    case "failed":
      return failure(error.why);
    case "invalid":
      return error.reason;
    case "duplicate":
      return "You are subscribed to this topic already.";
    case "not-found":
      return "It is no longer there.";
    case "quota":
      return "The storage is full.";
    case "storage":
      return `The storage failed: ${error.text}`;
    default:
      return unreachable(error);
  }
}

export const errors = {
  failure,
  command,
  noClipboard: "The browser gives this page no clipboard.",
};
