import { failureTextFrom, type FailureStrings } from "../failure-text";

const failureStrings: FailureStrings = {
  theServer: "The server",
  network: (server) => `${server} can't be reached.`,
  silent: (server) => `${server} stopped responding.`,
  ended: (server) => `${server} closed the connection.`,
  http: (server, status) => `${server} answered with an error (${status}).`,
  lockedOut: (server) => `Too many failed sign-ins from this network. ${server} refuses all of them for some minutes.`,
  trafficSpent: (server) => `The daily limit of ${server} is used up. Some messages may come later.`,
  busy: (server) => `${server} is limiting requests.`,
  notAdmitted: (server) => `${server} admits only a few new topics a minute.`,
  unauthorized: (server) => `${server} rejected the password or token.`,
  mayNotRead: (topics = "this topic") => `This user may not read ${topics}.`,
  needsSignIn: (server, topics) => `${server} requires a sign-in${topics === undefined ? "" : ` for ${topics}`}.`,
  noTopicServer: "There is no topic server at this address.",
  notAllowedByBrowser: "The browser doesn't let this page reach that address.",
  malformed: (server = "the server") =>
    `Something else is answering in place of ${server}. This network may want you to sign in first.`,
  notAllowedByHost: "Whoever hosts this app doesn't allow this server.",
  fixedByHost: "Whoever hosts this app has fixed this setting.",
  duplicate: "You are already subscribed to this topic.",
  notFound: "It no longer exists.",
  quota: "Storage is full.",
  storage: (text) => `Storage failed: ${text}`,
};

/** What is said of attempts and commands that failed. */
export const errors = {
  ...failureTextFrom(failureStrings),
  noClipboard: "The browser doesn't let this page use the clipboard.",
};
