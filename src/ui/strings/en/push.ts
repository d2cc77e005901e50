import { duration, list } from "../format";

/** Messages that come with the app closed, by the browser's push service. */
export const push = {
  heading: "With the app closed",
  receive: "Receive with the app closed",
  hint: "The server hands messages, encrypted, to your browser's push service, which wakes Earshot for a moment.",
  asking: "Registering…",
  key: "Public key",
  keyHint: "In the server's configuration it is called web-push-public-key, and has 87 characters.",
  notKey: "This isn't a key for pushes: one has 87 characters and begins with B.",
  useKey: "Use this key",
  mustShow:
    "On this system every push shows a notification, so the server sends no pushes for muted topics; their messages appear when you open Earshot.",
  refused: (topics: string[]) => `Not pushed, as you may not read them: ${list(topics)}.`,
  since: "Registered",
  pushed: "Last push",
  checked: "Last check after a push",
  never: "Not yet",
  test: "Test pushes",
  testHint: (topic: string) => `The test sends a message to ${topic} and waits for its push.`,
  testMessage: "Test of pushes",
  testing: "Waiting for the push…",
  arrived: (ms: number) => `The push arrived after ${duration(Math.max(ms, 1_000))}.`,
  lost: (ms: number) => `No push arrived within ${duration(ms)}, and this device couldn't be registered again.`,
  renewed: (ms: number) =>
    `No push arrived within ${duration(ms)}, so this device was registered again. Test once more: if that push is lost too, the push service is slow or can't be reached.`,
  resumes: "Receiving was on here. It resumes by itself once you allow notifications.",
  support: {
    plain: "Not available over plain http: browsers take pushes only for pages loaded over https.",
    install: "Available once Earshot is on the home screen: tap Share, then Add to Home Screen.",
    unsupported: "This browser takes no pushes for web pages.",
    blocked: "Notifications are blocked for this site, and pushes with them. Allow them in the browser's settings.",
  },
  faults: {
    denied: "The browser didn't allow notifications, and takes no pushes without them.",
    unreachable: "The browser's push service can't be reached. Try again later.",
    untold: "This server did not give its key for pushes. If it sends any, its operator knows the key: enter it below.",
    off: "This server sends no pushes.",
    "no-key": "The key that this server gives for pushes is not valid.",
    strange: "This server doesn't say whether it sends pushes.",
    "service-refused": "This server doesn't send to your browser's push service.",
    "too-many-devices":
      "The server didn't take this device. It takes ten at one address; turn pushes off on one that you no longer use.",
    forbidden: "The server lets you read none of these topics.",
  },

  /** Said by the worker that receives pushes. */
  worker: {
    binary: "Binary data",
    unseen: "No visible text",
    many: "{count} new messages",
    heldBack: "{count} messages came without an alert",
    changed: "Messages changed",
  },
};
