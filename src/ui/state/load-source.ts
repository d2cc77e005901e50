/** An address that a message brings and that may be loaded now. Only `judgeLoad` makes one. */
export type LoadAddress = string & { readonly brand: "LoadAddress" };

/**
 * How it is loaded. `fetch`: without cookies, without a referrer, following no redirect. `element`: by the element that
 * shows it, since most hosts let no page read their pictures; the browser then sends what it keeps for that host.
 */
export interface LoadSource {
  href: LoadAddress;
  by: "fetch" | "element";
}
