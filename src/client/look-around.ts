// What a stranger's screen asks the app's own origin before there is a hub.
import type { ServerAddress } from "../protocol";

/** The app's own origin answers at once or not at all, ms. */
const ANSWER_WITHIN_MS = 5_000;

/** Statuses by which a host says that there is no such file. */
const NO_FILE = [204, 404, 410];

function ask(url: string): Promise<Response> {
  return fetch(url, { cache: "no-cache", redirect: "manual", signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
}

/**
 * Whether the host of the app may have a `config.json` (docs/hosting.md): false only if it says that it has none.
 * @param base where the app is
 */
export async function mayHaveHostFile(base: string): Promise<boolean> {
  try {
    return !NO_FILE.includes((await ask(new URL("config.json", base).href)).status);
  } catch {
    // There was no answer, which says nothing.
    return true;
  }
}

/** Whether a server has messages of a topic, as far as it says so without a sign-in. */
export async function hasMessages(address: ServerAddress, topic: string): Promise<boolean> {
  try {
    const text = await (await ask(`${address}/${topic}/json?poll=1&since=all`)).text();
    return text
      .split("\n")
      .some((line) => line !== "" && (JSON.parse(line) as { event?: unknown }).event === "message");
  } catch {
    // The server is gone, or something else answers.
    return false;
  }
}
