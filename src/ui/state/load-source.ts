import type { MessageKey } from "../../contract";
import type { ExtraHeaders } from "../../protocol";

/** An address that a message brings and that may be loaded now. Only `judgeLoad` makes one. */
export type LoadAddress = string & { readonly brand: "LoadAddress" };

/**
 * How it is loaded. `kept`: from this device, without a request. `fetch`: without cookies, without a referrer, following no redirect. `element`: by the element that
 * shows it, since most hosts let no page read their pictures; the browser then sends what it keeps for that host.
 */
export type LoadSource =
  | { href: LoadAddress; by: "element" }
  /** `headers`: those that a proxy in front of the file's own server asks for. */
  | { href: LoadAddress; by: "fetch"; headers?: ExtraHeaders | undefined }
  /** `key`: of the message whose file it is. */
  | { href: string; by: "kept"; key: MessageKey };
