/** Named in the Content-Security-Policy; made once, as a name can't be given twice. */
let policy: TrustedScriptUrlPolicy | undefined;

function createScriptURL(url: string): string {
  if (new URL(url, location.href).origin !== location.origin) throw new TypeError("A script of another origin.");
  return url;
}

/**
 * Lets a worker or service worker be started from an address under Trusted Types: only from the app's own host. It goes
 * where a text is expected, so it is typed as one.
 */
export function trustedScriptUrl(url: string): string {
  if (typeof trustedTypes === "undefined") return createScriptURL(url);
  policy ??= trustedTypes.createPolicy("earshot-script-url", { createScriptURL });
  return policy.createScriptURL(url) as string;
}
