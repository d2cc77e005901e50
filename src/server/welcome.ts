import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import type { LocalMessage } from "./publish";
import type { TopicServer } from "./start-server";
import messages from "./welcome.json" with { type: "json" };

/** The topic that a fresh server begins with. */
export const WELCOME_TOPIC = "welcome";
/** Long enough to see it listed as scheduled first, short enough to wait for it. */
const SCHEDULED_AFTER_S = 180;

/** A message of `welcome.json`, in which `{url}` stands for the server's address. */
interface WelcomeMessage extends Omit<LocalMessage, "topic" | "time"> {
  /** File to attach. */
  picture?: string;
  isScheduled?: boolean;
}

/** Fills the welcome topic of a fresh server. */
export async function seedWelcome(server: TopicServer): Promise<void> {
  if (!server.isFresh()) return;
  const { here, elsewhere } = addressesOf(server.settings.host, server.port);
  // Links in the messages lead to an address that other devices can reach, if there is one.
  const baseUrl = server.settings.baseUrl ?? elsewhere[0] ?? here;
  const nowS = server.nowS();
  const filled = (_: string, value: unknown): unknown =>
    typeof value === "string" ? value.replaceAll("{url}", baseUrl) : value;
  const welcome = JSON.parse(JSON.stringify(messages), filled) as WelcomeMessage[];
  for (const [at, { picture: name, isScheduled, ...message }] of welcome.entries()) {
    if (name !== undefined && !server.settings.attachments) continue;
    const file = name === undefined ? {} : { file: { name, content: readFileSync(join(import.meta.dirname, name)) } };
    // A second apart, so that their order is certain everywhere.
    const time = isScheduled ? nowS + SCHEDULED_AFTER_S : nowS - welcome.length + at;
    await server.publish({ ...message, ...file, topic: WELCOME_TOPIC, time, baseUrl });
  }
}

/** Hosts that mean every address of the machine. */
const EVERYWHERE = ["0.0.0.0", "::"];
/** Hosts that only this machine can reach. */
const LOOPBACK = ["127.0.0.1", "::1", "localhost"];

/**
 * The addresses of a server that listens on a host and port, as people open them on this machine and from others on the
 * network, such as a phone; from those there are none if it listens only on loopback. They have no final slash.
 */
export function addressesOf(
  host: string,
  port: number,
  interfaces = networkInterfaces(),
): { here: string; elsewhere: string[] } {
  const at = (name: string) => `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
  // Browsers treat localhost as a secure context, whatever it resolves to.
  if (LOOPBACK.includes(host)) return { here: at("localhost"), elsewhere: [] };
  if (!EVERYWHERE.includes(host)) return { here: at(host), elsewhere: [at(host)] };
  const outside = Object.values(interfaces)
    .flatMap((found) => found ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal);
  return { here: at("localhost"), elsewhere: outside.map(({ address }) => at(address)) };
}
