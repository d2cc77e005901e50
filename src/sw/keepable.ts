/** The types as which a browser accepts a file, by the end of its name; with any other it would not run. */
const TYPES: readonly [end: string, type: RegExp][] = [
  [".js", /^(?:text|application)\/(?:x-)?(?:java|ecma)script\b/i],
  [".css", /^text\/css\b/i],
  [".html", /^text\/html\b/i],
];

/**
 * Whether an answer is the file that was asked for, so that it may be kept with a version of the app. Hosts answer with
 * the app's page and status 200 for files that they don't have yet; kept in place of a script, it would break the app
 * for good.
 */
export function isKeepable(path: string, status: number, type: string | null): boolean {
  if (status !== 200) return false;
  const [, wanted] = TYPES.find(([end]) => path.endsWith(end)) ?? [];
  return wanted?.test(type ?? "") ?? true;
}
