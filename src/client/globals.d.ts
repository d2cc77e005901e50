/** The name of this build, inserted by vite.config.ts; names sort by age. */
declare const __BUILD__: string;

/** The part of Trusted Types that is used here; TypeScript's library lacks them. */
interface ScriptUrlPolicy {
  createScriptURL(url: string): unknown;
}
declare const trustedTypes: { createPolicy(name: string, rules: ScriptUrlPolicy): ScriptUrlPolicy } | undefined;
