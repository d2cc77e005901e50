import { count, list } from "../format";

const messages = (n: number) => count(n, { one: "message", other: "messages" });

/** Notifications, and the settings that are about them. */
export const alerts = {
  heading: "Notifications",
  states: {
    on: "On. Messages are told while Earshot is open in a tab or installed.",
    off: "Off",
    ask: "Off. The browser will ask you.",
    blocked:
      "Blocked for this address. To allow them, press the sign beside the address, then Notifications; on a phone, the browser's settings for this site.",
    plain: "Not possible over plain http: browsers show notifications only of pages that came over https.",
    install: "Possible once Earshot is on the home screen: Share, then Add to Home Screen.",
    unsupported: "This browser shows no notifications of web pages.",
    failed: "Not possible now: the browser keeps no service worker of this page.",
  },
  turnOn: "Turn on",
  turnOff: "Turn off",
  test: "Send a test",
  testSent: "Test sent. If none appears, the system holds it back: look at its own settings, or at do not disturb.",
  testFailed: "The browser showed no notification.",
  testTitle: "Earshot can be heard",
  testBody: "Notifications look like this.",
  topicHint: "A topic's own settings mute it, or tell only what is important.",

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
};
