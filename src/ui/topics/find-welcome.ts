import type { Client } from "../../client";
import type { ServerAddress } from "../../protocol";

/** The topic in which a fresh server shows what messages can be. */
export const WELCOME = "welcome";

/**
 * Whether the server of this page has a welcome topic with messages. Asks only the app's own origin: other servers get
 * no request before the user names them.
 */
export async function findWelcome(client: Client, home: ServerAddress): Promise<"welcome" | "none" | "no-server"> {
  if (!location.href.startsWith(`${home}/`)) return "none";
  const answer = await client.probe(home);
  if (answer === "not-a-topic-server") return "no-server";
  if (answer === "unreachable") return "none";
  const look = await client.send("look", { address: home, topics: [WELCOME] });
  return look.ok && look.value.messages.length > 0 ? "welcome" : "none";
}
