import { isDeepStrictEqual } from "node:util";

/** The most characters of a value that are shown. */
const SHOWN = 200;

function show(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Describes where two JSON values differ, as deep inside as possible. */
export function differences(want: unknown, got: unknown, path = ""): string[] {
  if (isDeepStrictEqual(want, got)) return [];
  const isListed = Array.isArray(want) === Array.isArray(got);
  const sameLength = !Array.isArray(want) || !Array.isArray(got) || want.length === got.length;
  if (isContainer(want) && isContainer(got) && isListed && sameLength) {
    const keys = [...new Set([...Object.keys(want), ...Object.keys(got)])];
    return keys.flatMap((key) => differences(want[key], got[key], `${path}.${key}`));
  }
  return [`${path}: want ${show(want)}, got ${show(got)}`];
}
