import { readActionRequest, type Unsendable } from "../../../contract";
import type { HttpAction } from "../../../protocol";
import { rowStrings } from "../../strings";
import { visible } from "../body/raw-json";

/** The request as in a terminal: method and address, then the body, with nothing hidden. */
export function requestLines(action: HttpAction): string {
  const request = readActionRequest(action);
  const line = request.ok ? `${request.value.method} ${request.value.url}` : `${action.method || "POST"} ${action.url}`;
  return visible(action.body ? `${line}\n${action.body}` : line);
}

/** Why a browser can't send a request. */
export function unsendableText(why: Unsendable): string {
  const strings = rowStrings.action;
  switch (why.kind) {
    case "address":
      return strings.noTarget;
    case "method":
      return strings.noMethod({ method: visible(why.method) });
    case "header":
      return strings.noHeader({ name: visible(why.name) });
  }
}
