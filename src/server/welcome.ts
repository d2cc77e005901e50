import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import type { LocalMessage } from "./publish";
import type { TopicServer } from "./start-server";

/** The topic that a fresh server begins with. */
export const WELCOME_TOPIC = "welcome";
/** Long enough to see it listed as scheduled first, short enough to wait for it. */
const SCHEDULED_AFTER_S = 180;

/** Address of the server for links in the messages: one that other devices can reach, if there is one. */
function reachableUrl({ settings: { host, baseUrl }, port }: TopicServer): string {
  if (baseUrl !== undefined) return baseUrl.replace(/\/$/, "");
  const { here, elsewhere } = addressesOf(host, port);
  return elsewhere[0] ?? here;
}

const MARKDOWN = `A message can be **Markdown**:

- lists, *emphasis*, [links](https://commonmark.org/help/)
- \`code\`, in a line or in a block

\`\`\`sh
df -h / | tail -n 1
\`\`\`

| disk | used |
| --- | ---: |
| / | 41 % |
| /home | 78 % |`;

/** Messages that show what Earshot can display. */
function welcomeMessages(url: string): Omit<LocalMessage, "topic" | "time">[] {
  const publish = `curl -d "Hello" ${url}/${WELCOME_TOPIC}`;
  return [
    {
      title: "This message has the lowest priority",
      message:
        "Priorities go from 1 to 5, each with a shape of its own; 3 has none. Priority 1 is out of the way and makes no sound.",
      priority: 1,
    },
    {
      title: "A picture is attached",
      message: "It was uploaded to this server, which keeps it for three hours unless told otherwise.",
      priority: 2,
      tags: ["frame_with_picture"],
      file: { name: "waves.png", content: readFileSync(join(import.meta.dirname, "waves.png")) },
    },
    { title: "Markdown", message: MARKDOWN, markdown: true, tags: ["memo"] },
    {
      title: "Backup of the photos: 40 %",
      message: "An earlier version of the message after this one.",
      sequenceId: "welcome-backup",
    },
    {
      title: "Backup of the photos: done",
      message: "This message was updated: it took the place of an earlier version, which can still be read.",
      tags: ["white_check_mark", "backup"],
      sequenceId: "welcome-backup",
    },
    {
      title: "This message has buttons and a link",
      message:
        "The buttons open a page, send a request to this server, and copy a line. The last one opens the link of the message itself.",
      priority: 4,
      click: `${url}/v1/stats`,
      actions: [
        { action: "view", label: "Open the counts", url: `${url}/v1/stats` },
        { action: "http", label: "Publish a reply", url: `${url}/${WELCOME_TOPIC}`, body: "The button was pressed." },
        { action: "copy", label: "Copy the curl line", value: publish },
      ],
    },
    {
      title: "An urgent message looks like this",
      message:
        "Priority 5. The names of emoji among the tags stand in front of the title; the other tags can be pressed to filter by them.",
      priority: 5,
      tags: ["rotating_light", "example", "welcome"],
    },
    {
      title: "Welcome",
      message: `Each message here shows one thing that Earshot can display. Publish one yourself from a terminal:\n\n${publish}`,
      tags: ["wave"],
    },
  ];
}

/** Fills a server's welcome topic if it has no messages yet. */
export async function seedWelcome(server: TopicServer): Promise<void> {
  if (server.holds(WELCOME_TOPIC)) return;
  const url = reachableUrl(server);
  const nowS = server.nowS();
  const messages = welcomeMessages(url).filter(
    ({ file }) => file === undefined || server.settings.attachments !== undefined,
  );
  for (const [at, message] of messages.entries()) {
    // A second apart, so that their order is certain everywhere.
    await server.publish({ ...message, topic: WELCOME_TOPIC, time: nowS - messages.length + at, baseUrl: url });
  }
  await server.publish({
    topic: WELCOME_TOPIC,
    title: "A scheduled message",
    message:
      "It was published when the server started, to be delivered three minutes later. Until then it is listed as scheduled.",
    tags: ["alarm_clock"],
    time: nowS + SCHEDULED_AFTER_S,
  });
}

/** Hosts that mean every address of the machine. */
const EVERYWHERE = ["0.0.0.0", "::"];
/** Hosts that only this machine can reach. */
const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

/** Where a server can be reached, each without final slash. */
export interface Addresses {
  /** On this machine. */
  here: string;
  /** From other machines on the network, such as a phone; empty if the server listens only on loopback. */
  elsewhere: string[];
}

/** The addresses of a server that listens on a host and port, as people open them. */
export function addressesOf(host: string, port: number, interfaces = networkInterfaces()): Addresses {
  const at = (name: string) => `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
  // Browsers treat localhost as a secure context, whatever it resolves to.
  if (LOOPBACK.includes(host)) return { here: at("localhost"), elsewhere: [] };
  if (!EVERYWHERE.includes(host)) return { here: at(host), elsewhere: [at(host)] };
  const outside = Object.values(interfaces)
    .flatMap((found) => found ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal);
  return { here: at("localhost"), elsewhere: outside.map(({ address }) => at(address)) };
}
