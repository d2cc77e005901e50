import type { ConfigProblem, WantedValue } from "../../contract";
import { unreachable } from "../../protocol";
import { list } from "./format";

/** What a language says of mistakes in the host's file. `at`: where in the file. */
export interface HostProblemStrings {
  /** What a value should be, as `wrong` says it. */
  wanted: Readonly<Record<Extract<WantedValue, string>, string>>;
  /** @param values in quotation marks, in a list */
  oneOf: (values: string) => string;
  tooLong: string;
  notJson: (text: string) => string;
  unknown: (at: string) => string;
  /** @param at absent = the whole file */
  wrong: (at: string | undefined, wanted: string, found: string) => string;
  notAllowed: (at: string) => string;
}

/** Writes what is wrong in the host's file with these strings. */
export function hostProblemTextFrom(strings: HostProblemStrings) {
  const wantedIs = (wanted: WantedValue): string =>
    typeof wanted === "string" ? strings.wanted[wanted] : strings.oneOf(list(wanted.map((value) => `"${value}"`)));

  return (problem: ConfigProblem): string => {
    switch (problem.kind) {
      case "too-long":
        return strings.tooLong;
      case "not-json":
        return strings.notJson(problem.text);
      case "unknown":
        return strings.unknown(problem.at);
      case "wrong":
        return strings.wrong(problem.at === "" ? undefined : problem.at, wantedIs(problem.wanted), problem.found);
      case "not-allowed":
        return strings.notAllowed(problem.at);
      default:
        return unreachable(problem);
    }
  };
}
