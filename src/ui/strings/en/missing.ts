import { count } from "../format";

/** The check for messages that the server has and this device doesn't. */
export const missing = {
  looking: "Asking the server for everything it has…",
  none: "Nothing is missing",
  found: (n: number) => `${count(n, { one: "message was", other: "messages were" })} missing`,
  forgot: "The server lost messages that it was keeping, so some may be missing for good.",
  foundAndForgot: (n: number) =>
    `${count(n, { one: "message was", other: "messages were" })} missing, and the server has lost others.`,
  show: "Show",
  heading: (n: number) => count(n, { one: "message was missing", other: "messages were missing" }),
  text: "They are in their topics now, in order. The newest:",
};
