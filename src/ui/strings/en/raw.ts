import { count, timeOfDay } from "../format";

const lines = { one: "line", other: "lines" };

/** The live tail of a topic as plain text. */
export const raw = {
  heading: (topic: string) => `Raw: ${topic}`,
  what: "Live text as sent, one line per message; nothing is stored.",
  back: "Back to the messages",
  label: "Lines",
  ask: (topic: string, host: string) => `Listen to ${topic} on ${host} without subscribing?`,
  start: "Start",
  states: {
    connecting: "Connecting",
    open: "Live",
    waiting: "The connection ended. Trying again.",
    stopped: "Stopped",
  },
  lastSign: (said: string) => `last heard ${said}`,
  lines: (n: number) => count(n, lines),
  left: (n: number) => `${count(n, lines)} left out`,
  waitingForLines: "Nothing yet. Each new message is one line.",
  ended: (atMs: number) => `Connection ended ${timeOfDay(atMs)}`,
  again: (atMs: number) => `Connected again ${timeOfDay(atMs)}; what was sent in between is not shown`,
  pause: "Pause",
  follow: "Follow",
  fresh: (n: number) => `${count(n)} new`,
  copy: "Copy",
  copyHeading: "Copy these lines",
  copied: "Lines copied",
  clear: "Clear",
};
