import { count, duration, list } from "../format";

const messages = (n: number) => count(n, { one: "message", other: "messages" });

/** Notifications, and the settings that are about them. */
export const alerts = {
  heading: "Notifications",
  states: {
    on: "On. You are notified while Earshot is open.",
    off: "Off",
    ask: "Off. The browser will ask for permission.",
    blocked:
      "Blocked for this site. To allow them, press the icon beside the address, then Notifications; on a phone, open the browser's settings for this site.",
    plain: "Not available over plain http: browsers show notifications only for pages loaded over https.",
    install: "Available once Earshot is on the home screen: tap Share, then Add to Home Screen.",
    unsupported: "This browser doesn't support notifications from web pages.",
    failed: "Not available now: the browser runs no service worker for this page.",
  },
  turnOn: "Turn on",
  turnOff: "Turn off",
  test: "Send a test",
  testSent:
    "Test sent. If nothing appears, the system is holding it back: check its notification settings and Do Not Disturb.",
  testFailed: "The browser showed no notification.",
  testTitle: "Notifications work",
  testBody: "This is what they look like.",
  topicHint: "Mute a topic or set its minimum priority in its settings.",

  /** On the notification of a message. */
  buttons: { done: "Done", snooze: "Snooze for 1 hour" },
  title: (title: string, topic: string) => `${title} · ${topic}`,
  inOne: (n: number, topic: string) => `${count(n)} new in ${topic}`,
  inSeveral: (n: number, topics: number) => `${count(n)} new in ${count(topics, { one: "topic", other: "topics" })}`,
  withUrgent: (said: string, n: number) => `${said}, ${count(n)} urgent`,
  /** Read out by screen readers. @param where names of topics, or how many there are */
  arrived: (n: number, isPart: boolean, where: string[] | number) =>
    `${count(n)}${isPart ? " or more" : ""} new ${n === 1 && !isPart ? "message" : "messages"} in ${
      typeof where === "number" ? count(where, { one: "topic", other: "topics" }) : list(where)
    }`,
  topicLine: (topic: string, n: number) => `${topic}: ${messages(n)}`,
  more: (n: number) => `and ${count(n, { one: "more topic", other: "more topics" })}`,

  stopped: (server: string) => `Nothing arrives from ${server}`,
  refused: (topics: string[]) => `Nothing arrives from ${list(topics)}`,
  away: (server: string) => `${server} can't be reached`,
  awaySince: (said: string) =>
    `Since ${said}. Messages sent meanwhile arrive once it is back, if the server keeps them.`,
  back: (server: string) => `${server} is back`,
  wasAway: (ms: number) => `It was out of reach for ${duration(ms)}.`,
};
