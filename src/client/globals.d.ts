/** Name of this build, put in by vite.config.ts; sorts by age. */
declare const __BUILD__: string;

/** Trusted Types, as far as they are used here; TypeScript's library does not know them. */
interface TrustedScriptUrlPolicy {
  createScriptURL(url: string): unknown;
}
declare const trustedTypes:
  { createPolicy(name: string, rules: { createScriptURL(url: string): string }): TrustedScriptUrlPolicy } | undefined;
