import { parseServerAddress, type ServerAddress } from "../../protocol";
import { keptHost } from "./device-storage";

/** The server of the page: as the host wrote it, `<meta name="earshot-server" content="https://…">`, else its origin. */
export function serverOfPage(page: Document, origin: string): ServerAddress {
  const named = parseServerAddress(page.querySelector<HTMLMetaElement>('meta[name="earshot-server"]')?.content ?? "");
  const own = named.ok ? named : parseServerAddress(origin);
  if (!own.ok) throw new Error(`the page has no web origin: ${origin}`);
  return own.value;
}

/**
 * The server meant by a topic without an address: the one last read from the host's `config.json`, else the page's.
 * Never a user's setting, because a link must mean the same to everyone (docs/design.md §6).
 */
export function homeServer(page: Document, origin: string): ServerAddress {
  const configured = parseServerAddress(keptHost().server ?? "");
  return configured.ok ? configured.value : serverOfPage(page, origin);
}
