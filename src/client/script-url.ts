/** The part of a Trusted Types policy that is needed here; the library's types do not have it yet. */
interface ScriptUrlPolicy {
  createScriptURL(url: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): ScriptUrlPolicy;
}

let policy: ScriptUrlPolicy | undefined;

function createPolicy(): ScriptUrlPolicy {
  const rules: ScriptUrlPolicy = {
    createScriptURL(url) {
      const { origin } = new URL(url, document.baseURI);
      if (origin !== location.origin) throw new TypeError(`not a script of this app: ${url}`);
      return url;
    },
  };
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };
  return trustedTypes?.createPolicy("earshot-script-url", rules) ?? rules;
}

/**
 * Marks the address of one of the app's own scripts (worker, service worker) as trusted, as the page's policy demands.
 * What comes back is a TrustedScriptURL where the browser has those; the platform's types take it for a string.
 */
export function trustedScriptUrl(url: string): string {
  // One policy for the page: a second of the same name is refused.
  policy ??= createPolicy();
  return policy.createScriptURL(url);
}
