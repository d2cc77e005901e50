import { hasMessages } from "../../../client";
import type { App } from "../../state/app.svelte";
import { hostRead } from "../../state/host";

/** The topic in which a fresh server shows what messages can be. */
export const WELCOME = "welcome";

/**
 * Whether this page's server has a welcome topic with messages. Only the app's own origin is asked: other servers get
 * no request before the user names them.
 */
export async function findWelcome(app: App): Promise<"welcome" | "none" | "no-server"> {
  const { hasServer } = await hostRead(app);
  const { client, home } = app;
  if (!location.href.startsWith(`${home}/`)) return "none";
  if (hasServer === false) return "no-server";
  const answer = hasServer ? "topic-server" : await client.probe(home);
  if (answer === "not-a-topic-server") return "no-server";
  if (answer === "unreachable") return "none";
  return (await hasMessages(home, WELCOME)) ? "welcome" : "none";
}
