import { encodeBase64, fail, type HttpAction, ok, type Result } from "../protocol";
import { webLink } from "./web-link";

/** A button's request as sent: the method in capitals, the address's user and password as a header. */
export interface SendableRequest {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** The part of a request that no browser sends. */
export type Unsendable =
  | { kind: "address" }
  | { kind: "port"; port: string }
  | { kind: "method" | "body"; method: string }
  | { kind: "header"; name: string };

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** Methods that `fetch` refuses (Fetch standard, "forbidden method"). */
const FORBIDDEN_METHODS = ["CONNECT", "TRACE", "TRACK"];

/** Ports of other protocols, to which browsers send nothing (Fetch standard, "bad port"). */
const BAD_PORTS = (
  "1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 " +
  "137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 " +
  "1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080"
).split(" ");

/** Methods that carry no body (Fetch standard). */
const BODILESS = ["GET", "HEAD"];

/** Headers that browsers silently leave out (Fetch standard, "forbidden request-header"). */
const FORBIDDEN_HEADERS =
  /^(?:accept-charset|accept-encoding|access-control-request-(?:headers|method|private-network)|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/i;

/** A value is bytes without line ends and zeros. */
const VALUE = /^[^\0\r\n\u0100-\u{10ffff}]*$/u;

/** Reads a button's request; fails with the first part that a browser can't send (docs/protocol.md §6). */
export function readActionRequest(action: HttpAction): Result<SendableRequest, Unsendable> {
  const href = webLink(action.url);
  if (href === undefined) return fail({ kind: "address" });
  const method = (action.method || "POST").toUpperCase();
  if (!TOKEN.test(method) || FORBIDDEN_METHODS.includes(method)) return fail({ kind: "method", method });
  if (action.body && BODILESS.includes(method)) return fail({ kind: "body", method });
  const headers = { ...action.headers };
  const url = new URL(href);
  if (BAD_PORTS.includes(url.port)) return fail({ kind: "port", port: url.port });
  const isAuthorized = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  if ((url.username !== "" || url.password !== "") && !isAuthorized) {
    headers["Authorization"] = `Basic ${encodeBase64(`${decoded(url.username)}:${decoded(url.password)}`)}`;
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!TOKEN.test(name) || FORBIDDEN_HEADERS.test(name) || !VALUE.test(value)) return fail({ kind: "header", name });
  }
  // User and password contain "@" and "/" only when escaped.
  return ok({
    url: href.replace(/^(https?:\/\/)[^/@]*@/, "$1"),
    method,
    headers,
    ...(action.body && { body: action.body }),
  });
}

/** A part of an address with its escapes decoded; damaged ones stay. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
