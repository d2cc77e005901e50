import type { Failure } from "../../protocol";
import { unreachable } from "../../protocol";

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
    case "network":
    case "silent":
    case "ended":
    case "no-topic-server":
    case "not-allowed-by-browser":
      return why.kind;
    default:
      return unreachable(why);
  }
}
