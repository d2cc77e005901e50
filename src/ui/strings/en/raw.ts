import { count, timeOfDay } from "../format";

const lines = { one: "line", other: "lines" };

/** The live tail of a topic as plain text. */
export const raw = {
  heading: (topic: string) => `Raw: ${topic}`,
  what: "The wire as it is: one line a message, its text alone, from this moment on. Nothing of it is kept.",
  back: "To the messages",
  label: "Lines",
  ask: (topic: string, host: string) => `Listen to ${topic} on ${host} without subscribing?`,
  start: "Start",
  states: {
    connecting: "Connecting",
    open: "Live",
    waiting: "The connection ended. Trying again.",
    stopped: "Stopped",
  },
  lastSign: (said: string) => `last sign of life ${said}`,
  lines: (n: number) => count(n, lines),
  left: (n: number) => `${count(n, lines)} left out`,
  waitingForLines: "Nothing yet. Each message sent from now on is one line.",
  ended: (atMs: number) => `Connection ended ${timeOfDay(atMs)}`,
  again: (atMs: number) => `Connected again ${timeOfDay(atMs)}; what was sent in between is not here`,
  pause: "Pause",
  follow: "Follow",
  fresh: (n: number) => `${count(n)} new`,
  copy: "Copy",
  copyHeading: "Copy these lines",
  copied: "Lines copied",
  clear: "Clear",
};
