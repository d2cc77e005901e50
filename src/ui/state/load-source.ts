import type { MessageKey } from "../../contract";
import type { ExtraHeaders } from "../../protocol";

/** An address from a message that may be loaded now. Only `judgeLoad` makes one. */
export type LoadAddress = string & { readonly brand: "LoadAddress" };

/**
 * How it is loaded. `kept`: from this device, without a request. `fetch`: without cookies, referrer or redirects.
 * `element`: by the element that shows it, because most hosts don't let pages read their pictures; the browser then
 * sends what it keeps for that host.
 */
export type LoadSource =
  | { href: LoadAddress; by: "element" }
  /** `headers`: what a proxy in front of the file's own server asks for. */
  | { href: LoadAddress; by: "fetch"; headers?: ExtraHeaders | undefined }
  /** `key`: of the message whose file it is. */
  | { href: string; by: "kept"; key: MessageKey };
