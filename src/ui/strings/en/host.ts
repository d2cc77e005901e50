import { count } from "../format";
import { hostProblemTextFrom, type HostProblemStrings } from "../host-problem-text";

const problemStrings: HostProblemStrings = {
  wanted: {
    object: "an object: { … }",
    list: "a list: [ … ]",
    name: "a text of 1 to 40 characters",
    address: 'the address of a server, such as "https://ntfy.example.com"',
    colour: 'a colour such as "#0b7a75"',
    topic: 'a topic such as "backups" or "ntfy.example.com/backups"',
    "push-key": "a key for pushes: 87 characters that begin with B",
    language: 'a language code such as "en", or "system"',
    boolean: "true or false",
    count: "a whole number, 0 or more",
    setting: "the name of a setting that a host can set",
    fewer: "at most 50 entries",
  },
  oneOf: (values) => `one of ${values}`,
  tooLong: "The file is longer than 64 KB and was not read.",
  notJson: (text) => `The file is not JSON: ${text}`,
  unknown: (at) => `${at}: unknown name`,
  wrong: (at = "The file", wanted, found) => `${at} must be ${wanted}; it is ${found}`,
  notAllowed: (at) => `${at} is on a server that allowedServers leaves out.`,
};

/** What the host of the app has set. */
export const host = {
  heading: "From the host",
  hint: "Whoever hosts this app has set this in its config.json.",
  name: "Name",
  server: "Default server",
  allowed: "Topics can be added on",
  fixed: "Fixed settings",
  locked: "Set by whoever hosts this app. It can't be changed here.",
  problems: (n: number) => `${count(n, { one: "mistake", other: "mistakes" })} in config.json`,
  problemsHint: "Entries with mistakes are ignored; the others apply.",
  problem: hostProblemTextFrom(problemStrings),
};
