import { parseServerAddress, type ServerAddress } from "../../protocol";
import { keptHost } from "./device-storage";

/** The server the host wrote into the page, as `<meta name="earshot-server" content="https://…">`. */
export function serverInPage(page: Document): ServerAddress | undefined {
  const parsed = parseServerAddress(page.querySelector<HTMLMetaElement>('meta[name="earshot-server"]')?.content ?? "");
  return parsed.ok ? parsed.value : undefined;
}

/**
 * The server of a topic without an address: the one last read from the host's `config.json`, or the one in the page,
 * else the page's own origin. Never a user's setting, because a link must mean the same to everyone (docs/design.md
 * §6).
 */
export function homeServer(page: Document, origin: string): ServerAddress {
  const configured = parseServerAddress(keptHost().server ?? "");
  if (configured.ok) return configured.value;
  const own = parseServerAddress(origin);
  const home = serverInPage(page) ?? (own.ok ? own.value : undefined);
  if (home === undefined) throw new Error(`the page has no web origin: ${origin}`);
  return home;
}
