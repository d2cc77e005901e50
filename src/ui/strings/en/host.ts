import type { ConfigProblem, Wanted } from "../../../contract";
import { unreachable } from "../../../protocol";
import { count, list } from "../format";

/** What a value of the host's file should be. */
function wantedIs(wanted: Wanted): string {
  if (typeof wanted !== "string") return `one of ${list(wanted.map((value) => `"${value}"`))}`;
  switch (wanted) {
    case "object":
      return "an object: { … }";
    case "list":
      return "a list: [ … ]";
    case "name":
      return "a text of 1 to 40 characters";
    case "address":
      return 'the address of a server, such as "https://ntfy.example.com"';
    case "colour":
      return 'a colour such as "#0b7a75"';
    case "topic":
      return 'a topic such as "backups" or "ntfy.example.com/backups"';
    case "language":
      return 'a language code such as "en", or "system"';
    case "boolean":
      return "true or false";
    case "count":
      return "a whole number, 0 or more";
    case "setting":
      return "the name of a setting that a host can set";
    case "fewer":
      return "at most 50 entries";
    default:
      return unreachable(wanted);
  }
}

/** What is wrong in the host's file. */
function problem(wrong: ConfigProblem): string {
  switch (wrong.kind) {
    case "too-long":
      return "The file is longer than 64 KB and was not read.";
    case "not-json":
      return `The file is not JSON: ${wrong.text}`;
    case "unknown":
      return `${wrong.at}: this name means nothing here.`;
    case "wrong":
      return wrong.at === ""
        ? `The file must be ${wantedIs(wrong.wanted)}; it is ${wrong.found}`
        : `${wrong.at} must be ${wantedIs(wrong.wanted)}; it is ${wrong.found}`;
    case "not-allowed":
      return `${wrong.at} is on a server that allowedServers leaves out.`;
    default:
      return unreachable(wrong);
  }
}

/** What whoever hosts the app has set. */
export const host = {
  heading: "From the host",
  hint: "Whoever hosts this app has set this in its config.json.",
  name: "Name",
  server: "Default server",
  allowed: "Topics can be added on",
  fixed: "Fixed settings",
  locked: "Set by whoever hosts this app. It can't be changed here.",
  problems: (n: number) => `${count(n, { one: "mistake", other: "mistakes" })} in config.json`,
  problemsHint: "What is wrong was left out; the rest counts.",
  problem,
};
