/** Named in the Content-Security-Policy. It is created once, as a name can't be used twice. */
let policy: TrustedScriptUrlPolicy | undefined;

function createScriptURL(url: string): string {
  if (new URL(url, location.href).origin !== location.origin) throw new TypeError("A script of another origin.");
  return url;
}

/**
 * Allows an address for a worker or service worker under Trusted Types, if it is on the app's own origin. APIs expect a
 * string there, so it is typed as one.
 */
export function trustedScriptUrl(url: string): string {
  if (typeof trustedTypes === "undefined") return createScriptURL(url);
  policy ??= trustedTypes.createPolicy("earshot-script-url", { createScriptURL });
  return policy.createScriptURL(url) as string;
}
